package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/run/inspect"
)

func bookPruneCommand() *cobra.Command {
	var flags bookFlags
	var out string
	var c book.PruneConfig
	cmd := &cobra.Command{
		Use:   "prune BOOK",
		Short: "drop the positions that no game from the book reaches",
		Long: `Writes a smaller book. It keeps the positions that a game from a root of the book
(usually the start) can reach while the book's player makes moves within --margin
points of the best and the opponent any move; with --plies, only the first plies of
the game. Values stay as they are.`,
		Example: "  train book prune book.bin --margin 42 -o small.bin\n  train book prune book.bin --plies 12 --margin 0 --side south -o south.bin",
		Args:    exactArgs(1, "the book"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needOut(out); err != nil {
				return err
			}
			if _, err := takeOutputs(cmd, []output{{path: out, holds: inspect.KindBook, compared: true}}, args...); err != nil {
				return err
			}
			if err := c.Check(); err != nil {
				return usageError{err}
			}
			if c.Plies == 0 && c.Margin < 0 {
				return usagef("nothing to drop: give --plies, --margin or both")
			}
			b, rules, err := flags.open(args[0])
			if err != nil {
				return err
			}
			defer b.Close()
			entries, err := book.Prune(cmd.Context(), b, rules, c)
			if err != nil {
				return err
			}
			made := fmt.Sprintf("from %s of %d entries, plies %d, margin %d, side %s", b.Checksum(), b.Len(), c.Plies, c.Margin, c.Sides)
			if err := book.Write(out, b.Header().Derived(book.Field{Name: "Pruned", Value: made}), entries); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d of %d entries kept, in %s\n", len(entries), b.Len(), out)
			return nil
		},
	}
	flags.addRules(cmd)
	outFlag(cmd, &out, "book to write")
	f := cmd.Flags()
	f.IntVar(&c.Plies, "plies", 0, "keep the positions before this ply of the game (0 is all)")
	f.IntVar(&c.Margin, "margin", -1, "how much worse than the best a move of the book's player may be, in points (42 are a seed; -1 is any)")
	f.StringVar((*string)(&c.Sides), "side", string(book.ForBoth), "whose player: south, north or both")
	return cmd
}
