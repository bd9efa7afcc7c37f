package commands

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/engine"
)

// bookReport is what verify finds, as --json has it.
type bookReport struct {
	*book.Report
	OK bool `json:"ok"` // no faults, perhaps warnings
}

func bookVerifyCommand() *cobra.Command {
	var flags bookFlags
	var tables string
	cmd := &cobra.Command{
		Use:   "verify BOOK",
		Short: "check a book for errors; exit 1 if there are any",
		Long: `Checks the checksums and the order of a book, that its positions and moves are
legal, that a move to another entry has the negative of the best value there (or, if
it closes a cycle, the value of the repetition by the rules), and that no value
contradicts the endgame tables. A book without checksums, as other programs write
them, gives a warning only.`,
		Example: "  train book verify book.bin\n  train book verify default --tables none --json",
		Args:    exactArgs(1, "the book"),
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := verifyBook(cmd.Context(), args[0], flags.rules, tables)
			if err != nil {
				return err
			}
			if flags.asJSON {
				if err := printJSON(cmd.OutOrStdout(), bookReport{report, report.OK()}); err != nil {
					return err
				}
			} else {
				printBookReport(cmd, report)
			}
			if !report.OK() {
				return fmt.Errorf("%s: the book has faults", args[0])
			}
			return nil
		},
	}
	flags.add(cmd)
	tablesFlag(cmd, &tables)
	return cmd
}

// verifyBook verifies a book under the rules of the flag or else its own. It does
// not open the book in the usual way: that refuses damaged ones.
func verifyBook(ctx context.Context, path, flag, tables string) (*book.Report, error) {
	rules, err := book.RulesOf(path)
	if flag != "" {
		rules, err = parseRules(flag)
	}
	if err != nil {
		return nil, err
	}
	t, err := engine.OpenTable(tables, rules.String())
	if err != nil {
		return nil, err
	}
	if t == nil {
		return book.Verify(ctx, path, rules, nil)
	}
	defer t.Close()
	report, err := book.Verify(ctx, path, rules, t)
	if err == nil {
		err = t.Err()
	}
	return report, err
}

func printBookReport(cmd *cobra.Command, r *book.Report) {
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%d entries; %d moves lead to another entry, %d of them close a cycle; the tables know of %d moves\n", r.Entries, r.Links, r.Closing, r.Probed)
	for _, p := range r.Problems {
		kind := "fault"
		if p.Warning {
			kind = "warning"
		}
		fmt.Fprintf(out, "%s: %s (%d): %s %s\n", kind, p.Kind, p.Count, p.Text, p.Board)
	}
	if r.OK() {
		fmt.Fprintln(out, "no faults")
	}
}
