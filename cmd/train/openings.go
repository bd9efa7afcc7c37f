package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/inspect"
	"kroo/match"
)

// openingsRequest is a suite, the searches that score it and its file.
type openingsRequest struct {
	match.SuiteConfig
	engine.Config
	weights, out string
}

// openingsRun makes a suite of one game and returns how many openings it has.
type openingsRun func(ctx context.Context, r openingsRequest, update func(done, total int64)) (int, error)

var openingsRuns = perGame[openingsRun]{openingsWith(engine.Oware()), openingsWith(engine.TicTacToe())}

func openingsWith[P search.Position[P]](k engine.Kit[P]) openingsRun {
	return func(ctx context.Context, r openingsRequest, update func(done, total int64)) (int, error) {
		rules, err := rulesOf(k.Game.Info, r.Rules)
		if err != nil {
			return 0, err
		}
		e, err := engine.Open(k, r.weights, "", r.Config, rules)
		if err != nil {
			return 0, err
		}
		defer e.Close()
		return match.MakeOpenings(ctx, e, r.SuiteConfig, r.out, update)
	}
}

func openingsCommand() *cobra.Command {
	var limits searchFlags
	var suite match.SuiteConfig
	var request openingsRequest
	var game string
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
			if suite.Plies < 0 || suite.Plies > 8 || suite.Bound < 0 || suite.N < 0 {
				return usagef("--plies %d, --bound %d, -n %d: expected 0 to 8, and neither of the others negative", suite.Plies, suite.Bound, suite.N)
			}
			if err := workersInRange(suite.Workers); err != nil {
				return err
			}
			if err := needOut(request.out); err != nil {
				return err
			}
			run, err := openingsRuns.of(game)
			if err != nil {
				return err
			}
			if request.Config, err = limits.config(engine.Config{Nodes: 20_000}); err != nil {
				return err
			}
			request.SuiteConfig = suite
			if err := checkOutputs(cmd, []output{{request.out, inspect.KindGames}}, request.weights, request.Tables); err != nil {
				return err
			}
			update, finish := progress("openings", "openings")
			n, err := run(cmd.Context(), request, update)
			finish()
			if err != nil {
				return resumable{err, thisCommand(), request.out + ".journal"}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d openings in %s\nnext: train match --openings %s --pairs %d\n", n, request.out, quoted(request.out), n)
			return nil
		},
	}
	limits.add(cmd, 1)
	workersFlag(cmd, &suite.Workers)
	gameFlag(cmd, &game)
	f := cmd.Flags()
	f.IntVar(&suite.Plies, "plies", 4, "moves of each opening")
	f.IntVar(&suite.Bound, "bound", 50, "largest score of either side, in centi-seeds")
	f.IntVarP(&suite.N, "number", "n", 0, "how many to draw at random (default all)")
	f.Uint64Var(&suite.Seed, "seed", 1, "of the draw")
	f.StringVar(&request.weights, "weights", "", "evaluation: its name, or a weights file (default the game's: captures)")
	f.StringVar(&suite.Rules, "rules", "", "rules of the game (default its first: abapa)")
	outFlag(cmd, &request.out, "file for the openings (OGN)")
	return cmd
}
