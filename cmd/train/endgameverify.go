package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
)

func endgameVerifyCommand() *cobra.Command {
	var rules string
	var req endgame.CheckConfig
	cmd := &cobra.Command{
		Use:   "verify [TABLE]",
		Short: "check every entry of a table, and play games from it",
		Long: `Checks that every entry follows from its successors. Builds the levels of up to
--recompute seeds again and compares. Plays games by the real rules from random
positions of up to --play-seeds seeds, against a random player and against the
engine: no side may get less than the table says it is sure of. Prints the first
position that is wrong. TABLE is a file or a folder; the default is the program's
own table.`,
		Example: "  train endgame verify tables/abapa.endgame\n  train endgame verify tables --rules awari --games 1000",
		Args:    someArgs(0, 1, "at most one table"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.Recompute < 0 || req.PlaySeeds < 0 || req.Games < 0 {
				return usagef("--recompute %d, --play-seeds %d, --games %d: expected 0 or more", req.Recompute, req.PlaySeeds, req.Games)
			}
			t, err := openTable(cmd, append(args, "")[0], rules)
			if err != nil {
				return err
			}
			defer t.Close()
			req.Engine = weakEngine()
			req.Random = rand.New(rand.NewPCG(req.Seed, 0))
			for _, check := range endgame.Checks {
				update, finish := progress(check.Name, check.Unit)
				err := check.Run(cmd.Context(), t, req, update)
				finish()
				if err != nil {
					return showFault(cmd, err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: no problems\n", check.Name)
			}
			return nil
		},
	}
	rulesFlag(cmd, &rules)
	f := cmd.Flags()
	f.IntVar(&req.Recompute, "recompute", 7, "build levels of up to this many seeds again")
	f.IntVar(&req.PlaySeeds, "play-seeds", 9, "play games from positions of up to this many seeds")
	f.IntVar(&req.Games, "games", 2000, "games against each opponent")
	f.Uint64Var(&req.Seed, "seed", 1, "seed of the random games")
	return cmd
}

// showFault draws the position if the error is a fault of a table.
func showFault(cmd *cobra.Command, err error) error {
	var f *endgame.Fault
	if errors.As(err, &f) && !errors.Is(err, context.Canceled) {
		fmt.Fprint(cmd.OutOrStdout(), f.Position.Diagram())
	}
	return err
}

// weakEngine returns an opponent that searches 2000 nodes and counts captures.
func weakEngine() endgame.Opponent {
	s := search.NewSearcher(search.Knowledge[oware.Position]{Eval: evaluations.Captures{}}, search.Options{HashMB: 1})
	return func(g *games.Line[oware.Position]) oware.Move {
		return s.Search(context.Background(), g.Position(), g.History(), search.Limits{Nodes: 2000}, search.Query{}).Best
	}
}
