package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/games/oware"
)

func bookQueryCommand() *cobra.Command {
	var flags bookFlags
	cmd := &cobra.Command{
		Use:   "query BOOK [BOARD]",
		Short: "show the values of a position's moves (default the start)",
		Long: `Prints the values of a position's moves in seeds, for the side to move. A star
marks the best, each of equals. Below stands where each value comes from: how many plies
on the line of best moves behind it ends, and by which search, or what else, its end is
valued. --json has the values in points, as the file does: 1000/24
are a seed. A board is A-…-F-a-…-f-storeS-storeN-S|N.`,
		Example: "  train book query book.bin\n  train book query default 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N --json",
		Args:    someArgs(1, 2, "a book and at most one board"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, rules, err := flags.open(args[0])
			if err != nil {
				return err
			}
			defer b.Close()
			p := oware.Start(rules)
			if len(args) == 2 {
				if p, err = oware.Descriptor().Parse(rules.String(), args[1]); err != nil {
					return usageError{err}
				}
			}
			e, found := b.Lookup(p.BookKey())
			if err := b.Err(); err != nil {
				return err
			}
			if !found {
				return fmt.Errorf("%s: no entry for %s", args[0], p)
			}
			sources, _, err := b.Sources(p)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if flags.asJSON {
				return printJSON(cmd.OutOrStdout(), named(e, p, sources))
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n%s\n", p.Diagram(), book.ScoresText(e.Scores, p.ToMove()))
			for m, s := range sources {
				if s != (book.Source{}) {
					fmt.Fprintf(cmd.OutOrStdout(), "%s  %s\n", oware.MoveName(oware.Move(m), p.ToMove()), s)
				}
			}
			return nil
		},
	}
	flags.add(cmd)
	return cmd
}

// named is an entry with the names of its moves, and where their values come from.
func named(e book.Entry, p oware.Position, sources [oware.Houses]book.Source) book.Named {
	n := e.Named(p)
	n.Sources = map[string]book.Source{}
	for m, s := range sources {
		if s != (book.Source{}) {
			n.Sources[oware.MoveName(oware.Move(m), p.ToMove())] = s
		}
	}
	return n
}
