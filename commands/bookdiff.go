package commands

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kroo/book"
)

// largestDifferences is how many positions are printed.
const largestDifferences = 5

func bookDiffCommand() *cobra.Command {
	var flags bookFlags
	cmd := &cobra.Command{
		Use:   "diff BOOK BOOK",
		Short: "show how two books differ",
		Long: `Counts the positions that only one of two books has, and those with different values
or best moves, and prints the positions whose best values differ most.`,
		Example: "  train book diff old.bin new.bin\n  train book diff default new.bin --json",
		Args:    exactArgs(2, "two books"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, b, err := flags.openTwo(args)
			if err != nil {
				return err
			}
			defer a.Close()
			defer b.Close()
			d, err := book.Diff(cmd.Context(), a, b, largestDifferences)
			if err != nil {
				return err
			}
			if flags.asJSON {
				return printJSON(cmd.OutOrStdout(), d)
			}
			printBookDiff(cmd.OutOrStdout(), args, d)
			return nil
		},
	}
	flags.add(cmd)
	return cmd
}

func printBookDiff(w io.Writer, paths []string, d *book.Difference) {
	fmt.Fprintf(w, "%s: %d entries, %d of them only there\n%s: %d entries, %d of them only there\n", paths[0], d.A, d.OnlyA, paths[1], d.B, d.OnlyB)
	fmt.Fprintf(w, "in both: %d the same, %d with other values, %d of them with another best move\n", d.Same, d.Other, d.OtherBest)
	for _, c := range d.Largest {
		fmt.Fprintf(w, "\n%s\n  %s\n  %s\n", c.Position, book.ScoresText(c.A.Scores, c.Position.ToMove()), book.ScoresText(c.B.Scores, c.Position.ToMove()))
	}
}
