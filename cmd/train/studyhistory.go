package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/memory"
	"kroo/internal/parallel"
	"kroo/study"
)

func studyHistory() *cobra.Command {
	var s studyFlags
	var table string
	var seeds int
	cmd := &cobra.Command{
		Use:   "history",
		Short: "which values of abapa endgames hold whatever stood before",
		Long: `A repetition ends a game of abapa, so the value of an endgame can depend on the
positions since the last capture. Counts the positions whose value does not, and those
where it does: for each a line of play is found that changes it. docs/bounds.md defines
the classes. Eight seeds take a quarter of a minute, ten some minutes.`,
		Example: "  train study history --seeds 6\n  train study history --seeds 8 --json",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := endgame.Find(table, oware.Abapa)
			if err != nil {
				return err
			}
			defer t.Close()
			need := int64(historyBytes+scoutBytes*parallel.Workers(0)) * int64(endgame.Positions(min(seeds, t.Seeds())))
			if err := memory.Check(fmt.Sprintf("the histories of %d seeds", seeds), need); err != nil {
				return err
			}
			update, finish := progress(cmd.Name(), "positions")
			result, err := study.History(cmd.Context(), t, seeds, update)
			finish()
			if err != nil {
				return err
			}
			return s.show(cmd, result)
		},
	}
	s.addOutput(cmd)
	owareOnly(cmd, "endgame tables")
	flags := cmd.Flags()
	flags.StringVar(&table, "table", "", "table file or folder of tables (default the program's own table)")
	intFlag(cmd, &seeds, "seeds", 7, 1, endgame.MaxSeeds, "most seeds in play")
	return cmd
}

// What a position takes on the way, at most: moves both ways, and for either role plans and their
// queue; and for each processor the marks of its searches.
const (
	historyBytes = 440
	scoutBytes   = 36
)
