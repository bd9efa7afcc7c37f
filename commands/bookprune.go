package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/run/inspect"
)

func bookPruneCommand() *cobra.Command {
	var f struct {
		book.PruneConfig
		Out string `name:"output" flag:"output,o" file:"made" help:"book to write"`
	}
	return newCommand(&cobra.Command{
		Use:   "prune BOOK",
		Short: "drop the positions that no game from the book reaches",
		Long: `Writes a smaller book. It keeps the positions that a game from a root of the book
(usually the start) can reach while the book's player makes moves that lose at
most --loss seeds to the best and the opponent any move; with --plies, only the first
plies of the game. Moves to dropped positions keep their values; the others get the
values of the positions they lead to.`,
		Example: "  train book prune book.bin --loss 1 -o small.bin\n" +
			"  train book prune book.bin --plies 12 --loss 0 --side south -o south.bin",
	}, func(j *job) error {
		if _, err := j.claimOutputs([]output{{path: f.Out, kind: inspect.KindBook, compared: true}}, j.args...); err != nil {
			return err
		}
		c := f.PruneConfig
		if c.Plies == 0 && c.Loss == nil {
			return usagef("nothing to drop: give --plies, --loss or both")
		}
		b, r, err := openBook(j.args[0])
		if err != nil {
			return err
		}
		entries, err := book.Prune(j.Context(), b, r, c)
		if err != nil {
			return err
		}
		loss := "any"
		if c.Loss != nil {
			loss = fmt.Sprintf("%g seeds", *c.Loss)
		}
		by := fmt.Sprintf("from %s of %d entries, plies %d, loss %s, side %s", b.Checksum(), b.Len(), c.Plies, loss, c.Sides)
		if err := book.Write(f.Out, b.Header().Derive(book.Field{Name: "Pruned", Value: by}), entries); err != nil {
			return err
		}
		return j.print(map[string]any{"file": f.Out, "entries": len(entries)}, "%d of %d entries kept, in %s\n", len(entries),
			b.Len(), f.Out)
	}, &f)
}
