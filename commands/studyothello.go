package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/engine/study"
	squares "kroo/features/othello"
)

func studyOthello() *cobra.Command {
	var s studyFlags
	cmd := &cobra.Command{
		Use:   "othello WEIGHTS.json",
		Short: "fitted weights of Othello's squares next to a published table",
		Long: `Prints weights that were fitted to the classes of squares of Othello's 8x8 board
next to those that the magazine MCmicrocomputer published as its figure 3: by
class, with agreements and differences, and by square. Fitted weights are
scaled so that both tables have the same length. docs/other-games.md has the whole
comparison.`,
		Example: "  train study othello squares.json",
		Args:    exactArgs(1, "weights of the set squares"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := squares.Sets.Load(args[0])
			if err != nil {
				return err
			}
			result, err := study.Figure3(w)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return s.show(cmd, result)
		},
	}
	s.addOutput(cmd)
	return cmd
}
