package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/engine/study"
	"kroo/internal/memory"
	"kroo/internal/parallel"
)

func studyCycles() *cobra.Command {
	var s studyFlags
	var rules string
	var seeds int
	cmd := &cobra.Command{
		Use:   "cycles",
		Short: "positions of oware that a game can return to, by seeds in play",
		Long: `Finds the strongly connected components of the moves without capture, for each
number of seeds in play. A game that stays in one can last forever.`,
		Example: "  train study cycles --seeds 10\n  train study cycles --rules awari --seeds 12 --plots figures",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := parseRules(rules)
			if err != nil {
				return err
			}
			if err := memory.Check(fmt.Sprintf("the components of %d seeds", seeds), cycleBytes*int64(endgame.Positions(seeds))); err != nil {
				return err
			}
			return s.measure(cmd, "positions", func(update parallel.Progress) (study.Result, error) {
				return study.Cycles(cmd.Context(), r, seeds, update)
			})
		},
	}
	s.addOutput(cmd)
	rulesFlag(cmd, &rules)
	intFlag(cmd, &seeds, "seeds", 15, 1, endgame.MaxSeeds, "most seeds in play")
	return cmd
}

// cycleBytes is what a position takes on the way, at most: three numbers, a call
// with up to six moves, and what slices keep in reserve.
const cycleBytes = 128
