package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/match"
)

func openingsCommand() *cobra.Command {
	var search searchFlags
	var req match.OpeningsRequest
	var rules, weights, out string
	cmd := &cobra.Command{
		Use:   "openings",
		Short: "make a suite of balanced openings for matches",
		Long: `Searches the positions after all lines of --plies plies from the start, each
position once, and writes those whose score is within --bound for either side.
With -n it draws that many at random, and searches no more than it needs.
With --nodes or --depth the same command always writes the same file.`,
		Example: `  train match openings --plies 4 --bound 50 --nodes 20000 -o openings.ogn
  train match openings --plies 8 --bound 50 --nodes 20000 -n 500 -o openings.ogn`,
		Args: exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if req.Plies < 0 || req.Plies > 8 || req.Bound < 0 || req.N < 0 {
				return usagef("--plies %d, --bound %d, -n %d: expected 0 to 8, and neither of the others negative", req.Plies, req.Bound, req.N)
			}
			if err := workersInRange(req.Workers); err != nil {
				return err
			}
			if err := needOut(out); err != nil {
				return err
			}
			var err error
			if req.Rules, err = parseRules(rules); err != nil {
				return err
			}
			if req.Config, err = search.config(engine.Config{Nodes: 20_000}); err != nil {
				return err
			}
			if req.Eval, err = engine.LoadEvaluation(weights); err != nil {
				return err
			}
			update, finish := progress("openings", "openings")
			n, err := match.MakeOpenings(cmd.Context(), req, out, update)
			finish()
			if err != nil {
				return resumable{err, thisCommand()}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d openings in %s\nnext: train match --openings %s --pairs %d\n", n, out, quoted(out), n)
			return nil
		},
	}
	search.add(cmd, 1)
	workersFlag(cmd, &req.Workers)
	rulesFlag(cmd, &rules)
	f := cmd.Flags()
	f.IntVar(&req.Plies, "plies", 4, "moves of each opening")
	f.IntVar(&req.Bound, "bound", 50, "largest score of either side, in centi-seeds")
	f.IntVarP(&req.N, "number", "n", 0, "how many to draw at random (default all)")
	f.Uint64Var(&req.Seed, "seed", 1, "of the draw")
	f.StringVar(&weights, "weights", "captures", "evaluation: captures, or a weights file")
	outFlag(cmd, &out, "file for the openings (OGN)")
	return cmd
}
