package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/engine"
	"kroo/games/oware"
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
