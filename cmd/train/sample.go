package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/internal/revision"
	"kroo/sampler"
)

func sampleCommand() *cobra.Command {
	var c sampler.Config
	var rules, out string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "sample",
		Short: "draw random positions",
		Long: `Draws positions that are not over, South to move.
uniform: every rank, that is every board, equally likely.
pps: probability proportional to size, the number of seeds captured, so that
positions with fewer seeds in play are more likely.`,
		Example: "  train sample --method uniform --n 10000 --seed 1 -o positions.parquet",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("method", c.Method, "uniform", "pps"); err != nil {
				return err
			}
			if c.N < 1 || c.N > 100_000_000 {
				return usagef("--n is %d: expected 1 to 100000000", c.N)
			}
			r, err := parseRules(rules)
			if err != nil {
				return err
			}
			if err := needOut(out); err != nil {
				return err
			}
			c.Seed, c.Rules = seed, r
			update, finish := progress("sampling", "positions")
			err = sampler.Sample(cmd.Context(), c, out, revision.Get(), update)
			finish()
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d %s positions (%s, seed %d) in %s\nnext: train label %s -o labels.parquet --movetime 200ms\n", c.N, rules, c.Method, seed, out, out)
			return nil
		},
	}
	cmd.Flags().StringVar(&c.Method, "method", "uniform", "uniform or pps")
	cmd.Flags().IntVar(&c.N, "n", 10000, "positions")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "of the random choices: the same seed gives the same file")
	rulesFlag(cmd, &rules)
	outFlag(cmd, &out, "dataset to write (.parquet or .arrow)")
	return cmd
}
