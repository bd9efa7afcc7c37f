package commands

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/endgame/check"
	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/internal/memory"
	"kroo/internal/vfs"
)

func endgameVerifyCommand() *cobra.Command {
	var rules string
	var req endgame.CheckConfig
	var independent bool
	cmd := &cobra.Command{
		Use:   "verify [TABLE]",
		Short: "check every entry of a table, and play games from it",
		Long: `Checks that every entry follows from its successors, builds the levels of up to
--recompute seeds again and compares them, and plays games by the real rules from random
positions of up to --play-seeds seeds against a random player and against the
engine: no side may get less than the table guarantees. Prints the first
position that is wrong. TABLE is a file or a folder; the default is the program's
own table.

With --independent, a checker that shares no code with the table builder does all this
instead. It has its own rules and computes the bounds of every position again from the
levels below. Resolved values have to be within them; where the bounds are not equal, the
value depends on history, and the summary counts such positions.`,
		Example: "  train endgame verify --independent\n  train endgame verify tables/abapa.endgame\n  train endgame verify tables --rules awari --games 1000",
		Args:    someArgs(0, 1, "at most one table"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range []string{"recompute", "play-seeds", "games"} {
				if cmd.Flags().Changed(name) && independent {
					return usagef("--%s is not for --independent", name)
				}
			}
			if independent {
				return verifyAlone(cmd, append(args, "")[0], rules)
			}
			if req.Recompute < 0 || req.PlaySeeds < 0 || req.Games < 0 {
				return usagef("--recompute %d, --play-seeds %d, --games %d: expected 0 or more", req.Recompute, req.PlaySeeds, req.Games)
			}
			t, err := openTable(cmd, append(args, "")[0], rules)
			if err != nil {
				return err
			}
			defer t.Close()
			req.Engine = weakEngine()
			req.Random = rand.New(rand.NewPCG(1, 0))
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
	servedRulesFlag(cmd, &rules)
	f := cmd.Flags()
	f.IntVar(&req.Recompute, "recompute", 7, "build levels of up to this many seeds again")
	f.IntVar(&req.PlaySeeds, "play-seeds", 9, "play games from positions of up to this many seeds")
	f.IntVar(&req.Games, "games", 2000, "games against each opponent")
	f.BoolVar(&independent, "independent", false, "check the table by code that shares nothing with what builds it")
	return cmd
}

// verifyAlone checks a table by code that shares nothing with package endgame.
func verifyAlone(cmd *cobra.Command, path, rules string) error {
	file, err := tableBytes(path, rules)
	if err != nil {
		return err
	}
	if err := memory.Check("the check", checkBytes*int64(len(file))); err != nil {
		return err
	}
	update, finish := progress("independent check", "positions")
	levels, err := check.Table(cmd.Context(), file, update.At)
	finish()
	if err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(path, "the default table"), err)
	}
	t, positions, open := doc.NewTable("seeds", "positions", "open by bounds"), 0, 0
	for _, l := range levels {
		positions += l.Positions
		open += l.Open
		t.Add(l.Seeds, l.Positions, l.Open)
	}
	if open > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "%s%d of them are resolved within their bounds, and no more can be said without their history\n", t.Text(), open)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "the bounds of %d positions, found again: no problems\n", positions)
	return nil
}

// checkBytes is what a byte of a table takes on the way, at most: of the last level two
// numbers and two bytes a role, and up to six moves, in lists that grow.
const checkBytes = 50

// tableBytes is the file of a table, or of the program's own if the path is "".
func tableBytes(path, rules string) ([]byte, error) {
	r, err := parseRules(rules)
	if err != nil {
		return nil, err
	}
	if path != "" {
		return vfs.ReadFile(endgame.File(path, r))
	}
	t, err := endgame.Default(r)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Encode(&b)
	return b.Bytes(), err
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
