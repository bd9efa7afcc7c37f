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
	var noBulk bool
	cmd := &cobra.Command{
		Use:   "perft",
		Short: "count the move sequences of a length: the usual check of a move generator",
		Long: `Counts the move sequences of --depth plies, first move by first move, and prints
the total last. Standard error gets the speed: leaves a second, and with
--no-bulk, which makes the moves of the last ply as well, moves a second.`,
		Example: "  train perft --depth 11\n  train perft --depth 10 --no-bulk\n  train perft --rules awari --depth 8 --position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if depth < 0 || depth > 40 {
				return usagef("--depth is %d: expected 0 to 40", depth)
			}
			p, err := positionFlag(rules, board)
			if err != nil {
				return err
			}
			return perft(cmd, p, depth, noBulk)
		},
	}
	cmd.Flags().IntVar(&depth, "depth", 8, "plies")
	cmd.Flags().BoolVar(&noBulk, "no-bulk", false, "make every move instead of counting those of the last ply")
	rulesFlag(cmd, &rules)
	cmd.Flags().StringVar(&board, "position", "", "board to count from, as A-…-F-a-…-f-storeS-storeN-S|N (default the start)")
	return cmd
}

// perft counts move by move, so that it can be stopped and compared, and
// prints the total last.
func perft(cmd *cobra.Command, p oware.Position, depth int, noBulk bool) error {
	count := func(p oware.Position, depth int) (int64, int64) { return p.Perft(depth), 0 }
	if noBulk {
		count = oware.Position.PerftMoves
	}
	start := time.Now()
	total, made := count(p, min(depth, 0))
	if depth > 0 {
		total = 0
		if _, over := p.Terminal(); !over {
			for _, m := range p.AppendMoves(nil) {
				if err := cmd.Context().Err(); err != nil {
					return err
				}
				n, moves := count(p.Play(m), depth-1)
				total += n
				made += moves + 1
				fmt.Fprintf(cmd.OutOrStdout(), "%s %d\n", oware.MoveName(m, p.ToMove()), n)
			}
		}
	}
	seconds := time.Since(start).Seconds()
	fmt.Fprintf(cmd.ErrOrStderr(), "%d leaves in %.2f s, %s leaves a second\n", total, seconds, millions(total, seconds))
	if noBulk {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d moves made, %s moves a second\n", made, millions(made, seconds))
	}
	fmt.Fprintln(cmd.OutOrStdout(), total)
	return nil
}

func millions(n int64, seconds float64) string {
	return fmt.Sprintf("%.0f million", float64(n)/1e6/max(seconds, 1e-9))
}
