package commands

import (
	"github.com/spf13/cobra"

	"kroo/book"
)

// statsFlags are the flags of `book stats`.
type statsFlags struct {
	bookFlags
	draw string
}

func bookStatsCommand() *cobra.Command {
	var f statsFlags
	cmd := &cobra.Command{
		Use:   "stats BOOK [GAMES.ogn]",
		Short: "show the coverage of a book, and where games leave it",
		Long: `Prints the number of entries by ply, counted from the roots of the book on the shortest
way, and how many of their moves lead to another entry: the book's coverage of the
next ply. Then the drop-out diagrams: where games leave the book while its player
makes best moves and the opponent any, by depth, with the worst, the median and the
best value for the player in seeds. --json lists every leaf with its value in points
(1000/24 for a seed), --draw writes pictures of the diagrams, dropout-south and
dropout-north, as .svg and .png.

With GAMES.ogn it prints how far these games stay in the book: plies by game, where games
leave it, by which moves, and how much these lose by the book's values. --json has every
game and every such move.`,
		Example: "  train book stats default\n  train book stats book.bin --json\n  train book stats default --draw pictures\n" +
			"  train book stats default match.ogn",
		Args: someArgs(1, 2, "the book and perhaps a file of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return f.games(cmd, args[0], args[1])
			}
			return f.survey(cmd, args[0])
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.draw, "draw", "", "folder for pictures of the drop-out diagrams")
	forceFlag(cmd)
	return cmd
}

func (f *statsFlags) survey(cmd *cobra.Command, path string) error {
	if err := takeInFolder(cmd, f.draw, bookPictures(f.draw), path); err != nil {
		return err
	}
	b, rules, err := f.open(path)
	if err != nil {
		return err
	}
	defer b.Close()
	s, err := book.Survey(cmd.Context(), b, rules)
	if err != nil {
		return err
	}
	if err := drawBook(f.draw, s); err != nil {
		return err
	}
	return show(cmd, "", s.Doc())
}
