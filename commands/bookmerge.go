package commands

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/run/inspect"
)

func bookMergeCommand() *cobra.Command {
	var flags bookFlags
	var out string
	cmd := &cobra.Command{
		Use:   "merge BOOK BOOK",
		Short: "join two books and make their values agree",
		Long: `Writes a book of all positions of two books for the same rules. A position in both
keeps the values of the first book. Then every move to a position of the new book
gets the negative of the best value there, so values of one book propagate along the
lines of the other. The header is the first book's, with a line about the second.`,
		Example: "  train book merge south.bin north.bin -o book.bin\n  train book diff south.bin book.bin",
		Args:    exactArgs(2, "two books"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needOut(out); err != nil {
				return err
			}
			if _, err := takeOutputs(cmd, []output{{path: out, holds: inspect.KindBook, compared: true}}, args...); err != nil {
				return err
			}
			a, b, err := flags.openTwo(args)
			if err != nil {
				return err
			}
			defer a.Close()
			defer b.Close()
			entries, err := book.Merge(cmd.Context(), a, b)
			if err != nil {
				return err
			}
			merged := []string{fmt.Sprintf("%s of %d entries", b.Checksum(), b.Len())}
			for _, name := range []string{book.FieldLimits, book.FieldWeights, book.FieldEngine} {
				if v := b.Header().Get(name); v != "" && v != a.Header().Get(name) {
					merged = append(merged, name+" "+v)
				}
			}
			if err := book.Write(out, a.Header().Derived(book.Field{Name: "Merged with", Value: strings.Join(merged, ", ")}), entries); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d entries from %d and %d, in %s\n", len(entries), a.Len(), b.Len(), out)
			return nil
		},
	}
	flags.addRules(cmd)
	outFlag(cmd, &out, "book to write")
	return cmd
}
