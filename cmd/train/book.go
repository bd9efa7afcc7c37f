package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/inspect"
)

func bookCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "book",
		Short:   "opening books of oware: expand, query, export, verify",
		Example: "  train book expand --weights weights.json -o book.bin\n  train book query book.bin",
	}
	owareOnly(cmd, "opening books")
	group(cmd, bookExpandCommand(), bookExportCommand(), bookQueryCommand(), bookVerifyCommand())
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
			if err := checkOutputs(cmd, []output{{out, inspect.KindBook}}, weights, search.tables); err != nil {
				return err
			}
			req.Log = out + ".log"
			update, finish := progress("book", "expansions")
			_, sum, err := dropout.Grow(cmd.Context(), req, out, update)
			finish()
			if err != nil {
				return resumable{err, thisCommand(), req.Log}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d entries of %d positions searched, to ply %d, in %s\nat the root: %s\nnext: train book query %s, or train play --book %s; %s lets the book grow on\n",
				sum.Entries, sum.Nodes, sum.MaxDepth, out, scores(sum.RootScores, req.Root.ToMove()), quoted(out), quoted(out), req.Log)
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
	best, _ := book.Entry{Scores: values}.Best()
	var words []string
	for i, v := range values {
		word := oware.MoveName(oware.Move(i), side) + " –"
		if v != book.Illegal {
			word = fmt.Sprintf("%s %+d", oware.MoveName(oware.Move(i), side), v)
			if oware.Move(i) == best {
				word += "*"
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, "  ") + "  (points; 41.7 are a seed)"
}

// bookRulesFlag is --rules of the commands that read a book.
func bookRulesFlag(cmd *cobra.Command, rules *string) {
	cmd.Flags().StringVar(rules, "rules", "", "abapa, awari or simple (default: as the book says, or abapa)")
}

// bookRules returns the rules of that flag, else those of the book.
func bookRules(path, flag string) (oware.Rules, error) {
	if flag != "" {
		return parseRules(flag)
	}
	return book.RulesOf(path)
}

func bookQueryCommand() *cobra.Command {
	var rules string
	cmd := &cobra.Command{
		Use:     "query BOOK [BOARD]",
		Short:   "show the values of a position's moves (default the start)",
		Example: "  train book query book.bin\n  train book query book.bin 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usagef("book query takes a book and at most one board: see `train book query --help`")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			board := ""
			if len(args) == 2 {
				board = args[1]
			}
			r, err := bookRules(args[0], rules)
			if err != nil {
				return err
			}
			p, err := positionFlag(r.String(), board)
			if err != nil {
				return err
			}
			b, err := engine.OpenBook(args[0], r)
			if err != nil {
				return err
			}
			defer b.Close()
			e, found := b.Lookup(p.BookKey())
			if !found {
				return fmt.Errorf("%s: no entry for %s", args[0], p)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n%s\n", p.Diagram(), scores(e.Scores, p.ToMove()))
			return nil
		},
	}
	bookRulesFlag(cmd, &rules)
	return cmd
}

func bookExportCommand() *cobra.Command {
	var rules, format string
	cmd := &cobra.Command{
		Use:     "export BOOK",
		Short:   "write a book as text, one entry a line",
		Example: "  train book export book.bin --format csv > book.csv",
		Args:    exactArgs(1, "the book"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, string(book.CSV), string(book.JSON)); err != nil {
				return err
			}
			r, err := bookRules(args[0], rules)
			if err != nil {
				return err
			}
			b, err := engine.OpenBook(args[0], r)
			if err != nil {
				return err
			}
			defer b.Close()
			return book.Dump(cmd.OutOrStdout(), b, r, book.Format(format))
		},
	}
	bookRulesFlag(cmd, &rules)
	cmd.Flags().StringVar(&format, "format", string(book.CSV), "csv, or json (one object a line)")
	return cmd
}

func bookVerifyCommand() *cobra.Command {
	var rules string
	cmd := &cobra.Command{
		Use:     "verify BOOK",
		Short:   "check a book's order, checksum, positions and moves; exit 1 if it finds a fault",
		Example: "  train book verify book.bin",
		Args:    exactArgs(1, "the book"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := bookRules(args[0], rules)
			if err != nil {
				return err
			}
			report, err := book.Verify(args[0], r)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "%d entries; %d moves lead to another entry, %d of them with another value\n", report.Entries, report.Links, report.Disagreements)
			for _, p := range report.Problems {
				fmt.Fprintf(out, "%s (%d): %s %s\n", p.Kind, p.Count, p.Text, p.Board)
			}
			if !report.OK() {
				return fmt.Errorf("%s: %d kinds of problems", args[0], len(report.Problems))
			}
			fmt.Fprintln(out, "no problems")
			return nil
		},
	}
	bookRulesFlag(cmd, &rules)
	return cmd
}
