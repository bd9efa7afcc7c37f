package main

import (
	"context"

	"github.com/spf13/cobra"

	"kroo/engine/search"
	"kroo/study"
)

func studyOrders() *cobra.Command {
	var s studyFlags
	var full int
	cmd := &cobra.Command{
		Use:   "orders",
		Short: "leaves, time and speed of each order of moves by depth, against the minimal tree",
		Long: `Searches positions to every depth by alpha-beta with each order of moves, by the
best order with a hash table, and by the engine at full width, and sets the leaves
they evaluate beside those of the full and of the minimal tree. Times are those of the
processor.`,
		Example: "  train study orders --depth 7 --positions 100\n  train study orders --depth 13 --positions 20 --plots figures",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			full = min(full, s.depth)
			if full < 1 {
				return usagef("--full-depth is %d: expected at least 1", full)
			}
			c := study.OrdersConfig{Positions: s.positions, Seed: s.seed, Depth: s.depth, FullDepth: full, Workers: s.workers}
			return s.run(cmd, ordersRuns(c))
		},
	}
	s.add(cmd, 9, 60, ordersRuns(study.OrdersConfig{}).names())
	cmd.Flags().IntVar(&full, "full-depth", 7, "count the full tree to this depth")
	return cmd
}

// ordersRuns serves the games whose full tree can be counted to some depth.
func ordersRuns(c study.OrdersConfig) perGame[studyRun] {
	return perGame[studyRun]{
		oware:     ordersOf(study.Oware(), c),
		tictactoe: ordersOf(study.TicTacToe(), c),
	}
}

func ordersOf[P search.Position[P]](subject study.Subject[P], c study.OrdersConfig) studyRun {
	return func(ctx context.Context, rules string, progress study.Progress) (study.Result, error) {
		c.Rules = rules
		return study.Orders(ctx, subject, c, progress)
	}
}
