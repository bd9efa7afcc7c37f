package commands

import (
	"github.com/spf13/cobra"

	"kroo/engine/study"
)

func studyOrders() *cobra.Command {
	var s studyFlags
	var full int
	var killers, history bool
	cmd := &cobra.Command{
		Use:   "orders",
		Short: "leaves, time and speed of each move ordering by depth, against the minimal tree",
		Long: `Searches positions to every depth by alpha-beta with each move ordering, by the
best ordering with a hash table, and by the engine at full width, and compares the leaves
that they evaluate with those of the full and of the minimal tree. Times are processor
times.`,
		Example: "  train study orders --depth 7 --positions 100\n  train study orders --depth 13 --positions 20 --plots figures\n  train study orders --depth 11 --positions 20 --killers --history",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			full = min(full, s.depth)
			c := study.OrdersConfig{Sample: s.sample(), Depth: s.depth, FullDepth: full, Killers: killers, History: history}
			return s.run(cmd, c)
		},
	}
	s.add(cmd, 9, 60)
	cmd.Flags().BoolVar(&killers, "killers", false, "also the best order with killer moves: quiet ones that cut last at that ply come first")
	cmd.Flags().BoolVar(&history, "history", false, "also the best order with quiet moves by their history: those first that have cut most")
	intFlag(cmd, &full, "full-depth", 7, 1, 40, "count the full tree to this depth")
	return cmd
}
