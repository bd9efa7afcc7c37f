package main

import (
	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/games/tictactoe"
	"kroo/study"
)

func studySolve() *cobra.Command {
	var s studyFlags
	cmd := &cobra.Command{
		Use:   "solve",
		Short: "tic-tac-toe, the whole game: its tree, and its value by every searcher",
		Long: `Walks through all games of tic-tac-toe, counts positions and results, and solves
the game with every searcher of the program. It fails if two of them differ.`,
		Example: "  train study solve\n  train study solve --json\n  train study solve --plots figures",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			subject, err := study.Of(engine.TicTacToe(), study.About[tictactoe.Position]{})
			if err != nil {
				return err
			}
			result, err := study.Solve(cmd.Context(), subject, tictactoe.Descriptor().Rules[0])
			if err != nil {
				return err
			}
			return s.show(cmd, result)
		},
	}
	s.addOutput(cmd)
	return cmd
}
