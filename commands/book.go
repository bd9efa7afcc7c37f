package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/games"
	"kroo/games/oware"
)

func bookCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "book",
		Short: "opening books of oware: grow, query, merge, verify",
		Long: `Grows opening books and shows what is in them. A book is a file, or "default" for
the program's own, which is for abapa.`,
		Example: "  train book expand --weights weights.json -o book.bin\n" +
			"  train inspect default\n" +
			"  train book query book.bin",
	},
		bookExpandCommand(), bookDeepenCommand(), bookQueryCommand(), bookStatsCommand(), bookDumpCommand(),
		bookMergeCommand(), bookPruneCommand(), bookVerifyCommand(),
	)
}

// openBook opens a book.
func openBook(path string) (*book.Book, oware.Rules, error) {
	return book.FindFor(path, "")
}

// gamesUnder reads a file of games that all have the given rules.
func gamesUnder(rules oware.Rules, path string) ([]games.Record[oware.Position], error) {
	records, err := readGames(oware.Descriptor(), path)
	if err != nil {
		return nil, err
	}
	for i, r := range records {
		if r.Start.Rules() != rules {
			return nil, fmt.Errorf("%s: game %d is of %s: expected %s", path, i+1, r.Start.Rules(), rules)
		}
	}
	return records, nil
}
