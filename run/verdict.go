package run

import (
	"fmt"

	"kroo/match"
	"kroo/report"
)

// inconclusive is what a match has shown whose 95 % interval reaches both sides of
// zero.
const inconclusive = "inconclusive"

// verdict says in a word what a match has shown.
func verdict(m match.Summary) string {
	switch {
	case m.Elo-m.EloBar > 0:
		return "stronger"
	case m.Elo+m.EloBar < 0:
		return "weaker"
	}
	return inconclusive
}

func eloValue(elo, bar float64) string { return report.Signed(elo, 0) + " ± " + report.Number(bar, 0) }

func eloText(m match.Summary) string { return "Elo " + eloValue(m.Elo, m.EloBar) + ", " + verdict(m) }

func scoreText(m match.Summary) string {
	return fmt.Sprintf("%s won, %s drawn, %s lost", report.Count(m.Score.Wins), report.Count(m.Score.Draws), report.Count(m.Score.Losses))
}

// leastBookMoves is how many moves a game the book has to choose before a match says
// anything of the book.
const leastBookMoves = 2

func movesAGame(m match.Summary) float64 {
	return float64(m.BookMoves) / float64(max(m.Score.Games(), 1))
}

// bookVerdict is the verdict of a match with a book against none: with few moves from
// the book a difference is not the book's.
func bookVerdict(m match.Summary) string {
	if movesAGame(m) < leastBookMoves {
		return inconclusive
	}
	return verdict(m)
}

// bookVerdictText says why a match is inconclusive of the book.
func bookVerdictText(m match.Summary) string {
	switch {
	case bookVerdict(m) != inconclusive:
		return "The player with the book is " + verdict(m) + "."
	case movesAGame(m) < leastBookMoves:
		return fmt.Sprintf("This says nothing of the book: it was left too soon, and a game should have %d moves from it at least. More expansions, or shorter openings, make more of them.", leastBookMoves)
	}
	return "The match is too short to tell."
}

// bookRow is the headline of the book's match.
func bookRow(m match.Summary) report.Row {
	return headline("book against no book", m, bookVerdict(m),
		fmt.Sprintf("the book chose %s in %s", report.Plural(m.BookMoves, "move"), report.Plural(m.Score.Games(), "game")))
}

// headline is the most important figure of a match: its verdict where a number would
// claim more than the games show.
func headline(label string, m match.Summary, verdict, note string) report.Row {
	row := report.Row{Label: label, Value: eloValue(m.Elo, m.EloBar) + " Elo", Note: note}
	if verdict == inconclusive {
		row.Value, row.Note = verdict, row.Value+"; "+note
	}
	return row
}
