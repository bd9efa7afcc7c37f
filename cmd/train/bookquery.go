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
marks the best, each of equals. --json has them in points, as the file does: 1000/24
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
				if p, err = oware.ParseBoard(rules, args[1]); err != nil {
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
			if flags.asJSON {
				return printJSON(cmd.OutOrStdout(), e.Named(p))
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n%s\n", p.Diagram(), book.ScoresText(e.Scores, p.ToMove()))
			return nil
		},
	}
	flags.add(cmd)
	return cmd
}
