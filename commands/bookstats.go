package commands

import (
	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/report"
)

func bookStatsCommand() *cobra.Command {
	var f plotsFlag
	return newCommand(&cobra.Command{
		Use:   "stats BOOK [GAMES.ogn]",
		Short: "show the coverage of a book, and where games leave it",
		Long: `Prints the number of entries by ply, counted from the roots of the book on the shortest
way, and how many of their moves lead to another entry: the book's coverage of the
next ply. Then the drop-out diagrams: where games leave the book while its player
makes best moves and the opponent any, by depth, with the worst, the median and the
best value for the player in seeds. --json lists every leaf with its value in points
(1000/24 per seed), --plots writes the diagrams, dropout-south and dropout-north.

With GAMES.ogn it prints how far these games stay in the book, where they leave it, by
which moves, and how much these lose by the book's values. --json has every such move.`,
		Example: "  train book stats default\n" +
			"  train book stats book.bin --json\n" +
			"  train book stats default --plots figures\n" +
			"  train book stats default match.ogn",
	}, func(j *job) error {
		b, r, err := openBook(j.args[0])
		if err != nil {
			return err
		}
		if len(j.args) == 2 {
			if err := j.notWith("a file of games", "plots"); err != nil {
				return err
			}
			records, err := gamesUnder(r, j.args[1])
			if err != nil {
				return err
			}
			played, err := book.Play(j.Context(), b, r, records)
			if err != nil {
				return err
			}
			return j.show("", played.Doc())
		}
		s, err := book.Survey(j.Context(), b, r)
		if err != nil {
			return err
		}
		d := s.Doc()
		for side := range oware.Descriptor().Sides {
			d.Sections[1+side].Figures = []outline.Drawing{report.DropOut{Side: oware.Side(side), Leaves: s.Sides[side].Leaves}}
		}
		if err := f.save(j, d); err != nil {
			return err
		}
		return j.show("", d)
	}, &f)
}
