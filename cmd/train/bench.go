package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/engine"
)

func benchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "bench",
		Short: "search a fixed list of positions: speed, and the engine's signature",
		Long: `Searches a fixed list of positions to a fixed depth and prints the number of
nodes last. It changes exactly when search or evaluation change, so it is the
engine's signature; the speed goes to standard error.`,
		Example: "  train bench",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			update, finish := progress("bench", "positions")
			nodes, took := engine.Bench(update)
			finish()
			fmt.Fprintf(cmd.ErrOrStderr(), "%.2f s, %.2f million nodes a second\n", took.Seconds(), float64(nodes)/1e6/took.Seconds())
			fmt.Fprintf(cmd.OutOrStdout(), "Bench: %d\n", nodes)
			return nil
		},
	}
}
