package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/games/oware"
)

func bookQueryCommand() *cobra.Command {
	var flags bookFlags
	cmd := &cobra.Command{
		Use:   "query [BOOK] [BOARD]",
		Short: "show the values of a position's moves (default the start)",
		Long: `Looks up a position in a book (by default the program's own) and prints the values of its
moves in seeds, for the side to move. A star marks the best moves. Below is where each
value comes from: the number of plies to the end of the line of best moves, and
the search, or other source, of the value there. --json has the values in points, like the
file: 1000/24 for a seed. A board is A-…-F-a-…-f-storeS-storeN-S|N.`,
		Example: "  train book query\n  train book query book.bin\n  train book query default 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N --json",
		Args:    someArgs(0, 2, "at most a book and a board"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, board := operandsOfQuery(args)
			b, rules, err := flags.open(path)
			if err != nil {
				return err
			}
			defer b.Close()
			p := oware.Start(rules)
			if board != "" {
				if p, err = oware.Descriptor().Parse(rules.String(), board); err != nil {
					return usageError{err}
				}
			}
			e, found := b.Lookup(p.BookKey())
			if err := b.Err(); err != nil {
				return err
			}
			if !found {
				return fmt.Errorf("%s: no entry for %s", path, p)
			}
			sources, _, err := b.Sources(p)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
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

// operandsOfQuery are the book, default where none is named, and the board, "" for the start. A
// single operand is a board if it reads as one.
func operandsOfQuery(args []string) (path, board string) {
	switch len(args) {
	case 0:
		return book.DefaultName, ""
	case 1:
		if _, err := oware.ParseBoard(oware.Abapa, args[0]); err == nil {
			return book.DefaultName, args[0]
		}
		return args[0], ""
	}
	return args[0], args[1]
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
