package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/match"
	"kroo/run/inspect"
)

// openingsRequest is a suite, the searches that score it and its file.
type openingsRequest struct {
	match.SuiteConfig
	engine.Config
	limits             searchFlags // of Config
	game, weights, out string
}

func openingsCommand() *cobra.Command {
	var r openingsRequest
	cmd := &cobra.Command{
		Use:   "openings",
		Short: "make a suite of balanced openings for matches",
		Long: `Searches the positions after all lines of --plies plies from the start, each
position once, and writes those whose score is within --bound for either side.
With -n it draws that many at random, and searches no more than necessary.
With --nodes or --depth the same command always writes the same file.`,
		Example: `  train match openings --plies 4 --bound 50 --nodes 20000 -o openings.ogn
  train match openings --plies 8 --bound 50 --nodes 20000 -n 500 -o openings.ogn`,
		Args: exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return onGame(r.game, func(g game) error { return g.openings(cmd, &r) })
		},
	}
	r.limits.add(cmd, 1, engine.Config{Nodes: 20_000})
	workersFlag(cmd, &r.Workers)
	gameFlag(cmd, &r.game)
	f := cmd.Flags()
	intFlag(cmd, &r.Plies, "plies", 4, 0, 8, "moves of each opening")
	f.IntVar(&r.Bound, "bound", 50, "largest score of either side, in centi-seeds")
	f.IntVarP(&r.N, "number", "n", 0, "how many to draw at random (default all)")
	seedFlag(cmd, &r.Seed)
	weightsFlag(cmd, &r.weights)
	gameRulesFlag(cmd, &r.Rules)
	outFlag(cmd, &r.out, "file for the openings (OGN)")
	return cmd
}

func (g gameOf[P]) openings(cmd *cobra.Command, r *openingsRequest) (err error) {
	if r.Bound < 0 || r.N < 0 {
		return usagef("--bound %d, -n %d: expected neither to be negative", r.Bound, r.N)
	}
	if err := needOut(r.out); err != nil {
		return err
	}
	if r.Config, err = r.limits.config(); err != nil {
		return err
	}
	if r.Made, err = takeOutputs(cmd, []output{{path: r.out, holds: inspect.KindGames}}, r.weights, r.Tables); err != nil {
		return err
	}
	rules, err := rulesOf(g.info(), r.Rules)
	if err != nil {
		return err
	}
	e, err := engine.Open(cmd.Context(), g.kit, engine.Spec{Weights: r.weights, Search: r.Config}, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	update, finish := progress("openings", "openings")
	n, err := match.MakeOpenings(cmd.Context(), e, r.SuiteConfig, r.out, update)
	finish()
	if err != nil {
		return resumable{err, thisCommand(), r.out + ".journal"}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d openings in %s\n", n, r.out)
	return nil
}
