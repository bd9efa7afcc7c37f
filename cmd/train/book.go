package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	"kroo/games/oware"
)

func bookCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "book",
		Short: "opening books of oware: expand, look at, compare, merge, prune, verify",
		Long: `Grows opening books and shows what is in them. A book is a file, or "default" for
the program's own, which is for abapa.`,
		Example: "  train book expand --weights weights.json -o book.bin\n  train book info default\n  train book query book.bin",
	}
	owareOnly(cmd, "opening books")
	group(cmd,
		bookExpandCommand(), bookInfoCommand(), bookQueryCommand(), bookStatsCommand(), bookDumpCommand(),
		bookDiffCommand(), bookMergeCommand(), bookPruneCommand(), bookVerifyCommand(),
	)
	return cmd
}

func bookExpandCommand() *cobra.Command {
	var search searchFlags
	var req dropout.Request
	var rules, board, weights, out string
	cmd := &cobra.Command{
		Use:   "expand",
		Short: "grow a book by drop-out expansion",
		Long: `Grows an opening book by drop-out expansion, from the start or another position.
It expands first the positions where an opponent is likely to leave the book. The
log OUTPUT.log keeps finished searches: the same command goes on from it after an
interruption, or with more --expansions.`,
		Example: "  train book expand --expansions 500 --nodes 200000 --weights weights.json -o book.bin",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needOut(out); err != nil {
				return err
			}
			if err := oneOf("side", req.Sides, "both", "south", "north"); err != nil {
				return err
			}
			if req.Expansions < 1 || req.Omega < 0 || !(req.Omega <= 1e6) {
				return usagef("--expansions %d, --omega %g: expected at least 1, and 0 to 1000000", req.Expansions, req.Omega)
			}
			if err := workersInRange(req.Workers); err != nil {
				return err
			}
			var err error
			if req.Root, err = positionFlag(rules, board); err != nil {
				return err
			}
			if req.Config, err = search.config(engine.Config{Nodes: 200_000}); err != nil {
				return err
			}
			if req.Eval, err = engine.Oware().Evaluation(weights, req.Root.Rules().String()); err != nil {
				return err
			}
			req.Log = out + ".log"
			update, finish := progress("book", "expansions")
			_, sum, err := dropout.Grow(cmd.Context(), req, out, update)
			finish()
			if err != nil {
				return resumable{err, thisCommand()}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d entries of %d positions searched, to ply %d, in %s\nat the root: %s\nnext: train book query %s, or train play --book %s; %s lets the book grow on\n",
				sum.Entries, sum.Nodes, sum.MaxDepth, out, scores(sum.RootScores, req.Root.ToMove()), out, out, req.Log)
			return nil
		},
	}
	search.add(cmd, 16)
	workersFlag(cmd, &req.Workers)
	rulesFlag(cmd, &rules)
	f := cmd.Flags()
	f.IntVar(&req.Expansions, "expansions", 200, "positions to expand, including those in the log")
	f.StringVar(&req.Sides, "side", "both", "whose book: south, north or both")
	f.Float64Var(&req.Omega, "omega", dropout.DefaultOmega, "plies that one seed of loss counts as: 0 expands in full breadth, a large value best-first")
	f.StringVar(&board, "position", "", "root of the book (default the start)")
	f.StringVar(&weights, "weights", engine.DefaultName, "evaluation: default, another name, or a weights file")
	outFlag(cmd, &out, "book to write")
	return cmd
}

// scores writes the values of the six moves and marks the best.
func scores(values [oware.Houses]int16, side oware.Side) string {
	e := book.Entry{Scores: values}
	var words []string
	for i, v := range values {
		word := oware.MoveName(oware.Move(i), side) + " –"
		if v != book.Illegal {
			word = fmt.Sprintf("%s %+d", oware.MoveName(oware.Move(i), side), v)
			if e.IsBest(oware.Move(i)) {
				word += "*"
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, "  ") + "  (points; 41.7 are a seed)"
}
