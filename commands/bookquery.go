package commands

import (
	"cmp"
	"regexp"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/games/oware"
)

func bookQueryCommand() *cobra.Command {
	return newCommand(&cobra.Command{
		Use:   "query [BOOK] [BOARD]",
		Short: "show the values of a position's moves (default the start)",
		Long: `Looks up a position in a book (by default the program's own) and prints the values of its
moves in seeds, for the side to move. A star marks the best moves. Next to it is where
each value comes from: the number of plies to the end of the line of best moves, and the
kind of the value there. --json has the values in points, like the
file: 1000/24 per seed. A board is A-…-F-a-…-f-storeS-storeN-S|N.`,
		Example: "  train book query\n" +
			"  train book query book.bin\n" +
			"  train book query default 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N --json",
	}, func(j *job) error {
		path, board := operandsOfQuery(j.args)
		b, r, err := openBook(path)
		if err != nil {
			return err
		}
		p, err := positionOf(oware.Descriptor(), r.String(), "BOARD", board)
		if err != nil {
			return err
		}
		found, err := b.Query(p)
		if err != nil {
			return err
		}
		return j.show("", found)
	})
}

// likeBoard matches a board, or what is one but for a mistake. Files whose names match are called ./NAME.
var likeBoard = regexp.MustCompile(`^[0-9]+(-[0-9SN]*){4,}$`)

// operandsOfQuery returns the book, or the default one, and the board, or "".
func operandsOfQuery(args []string) (path, board string) {
	args = append(args, "")
	if len(args) == 2 && likeBoard.MatchString(args[0]) {
		return book.DefaultName, args[0]
	}
	return cmp.Or(args[0], book.DefaultName), append(args, "")[1]
}
