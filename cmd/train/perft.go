package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kroo/games/oware"
)

func perftCommand() *cobra.Command {
	var depth int
	var rules, board string
	cmd := &cobra.Command{
		Use:     "perft",
		Short:   "count the move sequences of a length: the usual check of a move generator",
		Example: "  train perft --depth 11\n  train perft --rules awari --depth 8 --position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if depth < 0 || depth > 40 {
				return usagef("--depth is %d: expected 0 to 40", depth)
			}
			p, err := positionFlag(rules, board)
			if err != nil {
				return err
			}
			return perft(cmd, p, depth)
		},
	}
	cmd.Flags().IntVar(&depth, "depth", 8, "plies")
	rulesFlag(cmd, &rules)
	cmd.Flags().StringVar(&board, "position", "", "board to count from, as A-…-F-a-…-f-storeS-storeN-S|N (default the start)")
	return cmd
}

// perft counts move by move, so that it can be stopped and compared, and
// prints the total last.
func perft(cmd *cobra.Command, p oware.Position, depth int) error {
	start := time.Now()
	total := p.Perft(min(depth, 0))
	if depth > 0 {
		total = 0
		if _, over := p.Terminal(); !over {
			for _, m := range p.AppendMoves(nil) {
				if err := cmd.Context().Err(); err != nil {
					return err
				}
				n := p.Play(m).Perft(depth - 1)
				total += n
				fmt.Fprintf(cmd.OutOrStdout(), "%s %d\n", oware.MoveName(m, p.ToMove()), n)
			}
		}
	}
	took := time.Since(start)
	fmt.Fprintf(cmd.ErrOrStderr(), "%.2f s, %.0f million leaves a second\n", took.Seconds(), float64(total)/1e6/max(took.Seconds(), 1e-9))
	fmt.Fprintln(cmd.OutOrStdout(), total)
	return nil
}
