package commands

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/internal/plural"
	"kroo/internal/sheet"
)

// games shows how far the games of a file stay inside a book.
func (f *statsFlags) games(cmd *cobra.Command, path, recorded string) error {
	if f.draw != "" {
		return usagef("--draw makes pictures of a book: expected no file of games")
	}
	b, rules, err := f.open(path)
	if err != nil {
		return err
	}
	defer b.Close()
	records, err := gamesUnder(rules, recorded)
	if err != nil {
		return err
	}
	s, err := book.Play(cmd.Context(), b, rules, records)
	if err != nil {
		return err
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), s)
	}
	printPlayed(cmd.OutOrStdout(), s)
	return nil
}

// mostExits is how many exits are printed, and mostPlayed how many games.
const (
	mostExits  = 15
	mostPlayed = 20
)

func printPlayed(w io.Writer, s *book.Played) {
	p := s.Plies
	fmt.Fprintf(w, "%s: inside the book for %.1f plies on average, median %g, quartiles %g and %g, %g to %g\n",
		plural.Of(s.Games, "game"), p.Mean, p.Median, p.Q1, p.Q3, p.Min, p.Max)
	left := s.Games - s.Outside - s.Ended
	fmt.Fprintf(w, "%d leave it, of which %d return later; %d end inside; %d begin outside\n", left, s.Returned, s.Ended, s.Outside)
	if s.Games <= mostPlayed {
		printPlayedGames(w, s)
	}
	if left == 0 {
		return
	}
	printPlyExits(w, s)
	printLossExits(w, s, left)
	printExits(w, s)
}

func printPlayedGames(w io.Writer, s *book.Played) {
	table := [][]string{{"game", "plies inside", "leaves by", "loses, seeds"}}
	for _, g := range s.ByGame {
		loss := ""
		if g.Move != "" {
			loss = seedsText(g.Loss)
		}
		table = append(table, []string{strconv.Itoa(g.Game), strconv.Itoa(g.Plies), cmp.Or(g.Move, "–"), loss})
	}
	fmt.Fprint(w, "\n"+sheet.Aligned(table))
}

func printPlyExits(w io.Writer, s *book.Played) {
	fmt.Fprintln(w, "\nat which ply games leave")
	table := [][]string{{"ply", "inside before", "leave", "of all games", ""}}
	most := slices.MaxFunc(s.ByPly, func(a, b book.PlyExits) int { return cmp.Compare(a.Leave, b.Leave) }).Leave
	first := slices.IndexFunc(s.ByPly, func(p book.PlyExits) bool { return p.Leave > 0 })
	for _, p := range s.ByPly[first:] {
		table = append(table, []string{strconv.Itoa(p.Ply), strconv.Itoa(p.Inside), strconv.Itoa(p.Leave),
			sheet.Percent(p.Leave, s.Games), sheet.Bar(p.Leave, most, sheet.LongestBar)})
	}
	fmt.Fprint(w, sheet.Aligned(table))
}

func printLossExits(w io.Writer, s *book.Played, left int) {
	fmt.Fprintln(w, "\nwhat the leaving move loses to the book's best, by the book's values")
	table := [][]string{{"seeds", "games", "share", ""}}
	for i, c := range s.ByLoss {
		text := fmt.Sprintf("up to %g", c.Most)
		switch i {
		case 0:
			text = "0: the book ends here"
		case len(s.ByLoss) - 1:
			text = fmt.Sprintf("over %g", s.ByLoss[i-1].Most)
		}
		table = append(table, []string{text, strconv.Itoa(c.Games), sheet.Percent(c.Games, left), sheet.Bar(c.Games, left, sheet.LongestBar)})
	}
	fmt.Fprint(w, sheet.Aligned(table))
}

func printExits(w io.Writer, s *book.Played) {
	shown := s.Exits[:min(len(s.Exits), mostExits)]
	fmt.Fprintf(w, "\nthe most frequent exits, %d of %d (--json has all)\n", len(shown), len(s.Exits))
	table := [][]string{{"games", "share", "ply", "leaves by", "loses, seeds", "best", "after"}}
	for _, e := range shown {
		table = append(table, []string{strconv.Itoa(e.Games), sheet.Percent(e.Games, s.Games), strconv.Itoa(e.Ply),
			e.Move, seedsText(e.Loss), strings.Join(e.Best, " "), cmp.Or(e.Line, "the start")})
	}
	fmt.Fprint(w, sheet.Aligned(table))
}

// seedsText is a number of points in seeds.
func seedsText(points int) string { return fmt.Sprintf("%.2f", book.Seeds(points)) }
