package commands

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/run/inspect"
)

func bookMergeCommand() *cobra.Command {
	var f struct {
		Out string `name:"output" flag:"output,o" file:"made" help:"book to write"`
	}
	return newCommand(&cobra.Command{
		Use:   "merge BOOK BOOK",
		Short: "join two books and make their values agree",
		Long: `Writes a book of all positions of two books for the same rules. A position in both
keeps the values of the first book. Then every move to a position of the new book
gets the negative of the best value there, so values of one book propagate along the
lines of the other. The header is the first book's, with a line about the second.`,
		Example: "  train book merge south.bin north.bin -o book.bin",
	}, func(j *job) error {
		if _, err := j.claimOutputs([]output{{path: f.Out, kind: inspect.KindBook, compared: true}}, j.args...); err != nil {
			return err
		}
		a, _, err := openBook(j.args[0])
		if err != nil {
			return err
		}
		b, _, err := openBook(j.args[1])
		if err != nil {
			return err
		}
		entries, err := book.Merge(j.Context(), a, b)
		if err != nil {
			return err
		}
		merged := []string{fmt.Sprintf("%s of %d entries", b.Checksum(), b.Len())}
		for _, name := range []string{book.FieldLimits, book.FieldWeights, book.FieldEngine} {
			if v := b.Header().Get(name); v != "" && v != a.Header().Get(name) {
				merged = append(merged, name+" "+v)
			}
		}
		header := a.Header().Derive(book.Field{Name: "Merged with", Value: strings.Join(merged, ", ")})
		if err := book.Write(f.Out, header, entries); err != nil {
			return err
		}
		return j.print(map[string]any{"file": f.Out, "entries": len(entries)}, "%d entries from %d and %d, in %s\n",
			len(entries), a.Len(), b.Len(), f.Out)
	}, &f)
}
