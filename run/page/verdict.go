package page

import (
	"fmt"

	"kroo/internal/doc"
	"kroo/match"
	"kroo/match/elo"
	"kroo/report"
)

// Match is what a match has shown, and how it was played.
type Match struct {
	match.Summary
	Config   match.Config
	Opponent string // as the configuration names it
}

// inconclusive is what a match has shown whose 95 % interval reaches both sides of
// zero.
const inconclusive = "inconclusive"

// verdict says in a word what a match has shown.
func (m Match) verdict() string {
	switch _, in := m.Score.Elo(); {
	case in.Low > 0:
		return "stronger"
	case in.High < 0:
		return "weaker"
	}
	return inconclusive
}

// eloValue is the lead of a score with its 95 % interval.
func eloValue(s elo.Score) string {
	lead, in := s.Elo()
	return in.Text(lead, func(x float64) string { return report.Signed(x, 0) })
}

func (m Match) score() string {
	return fmt.Sprintf("%s won, %s drawn, %s lost", report.Count(m.Score.Wins), report.Count(m.Score.Draws), report.Count(m.Score.Losses))
}

// leastBookMoves is how many moves a game the book has to choose before a match says
// anything of the book.
const leastBookMoves = 2

func (m Match) movesAGame() float64 {
	return float64(m.BookMoves) / float64(max(m.Score.Games(), 1))
}

// bookVerdict is the verdict of a match with a book against none: with few moves from
// the book a difference is not the book's.
func (m Match) bookVerdict() string {
	if m.movesAGame() < leastBookMoves {
		return inconclusive
	}
	return m.verdict()
}

// bookVerdictText says why a match is inconclusive of the book.
func (m Match) bookVerdictText() string {
	switch {
	case m.bookVerdict() != inconclusive:
		return "The player with the book is " + m.verdict() + "."
	case m.movesAGame() < leastBookMoves:
		return fmt.Sprintf("This says nothing of the book: it was left too soon, and a game should have %d moves from it at least. More expansions, or shorter openings, make more of them.", leastBookMoves)
	}
	return "The match is too short to tell."
}

// bookRow is the headline of the book's match.
func (m Match) bookRow() doc.Fact {
	return m.headline("book against no book", m.bookVerdict(),
		fmt.Sprintf("the book chose %s in %s", report.Plural(m.BookMoves, "move"), report.Plural(m.Score.Games(), "game")))
}

// headline is the most important figure of a match: its verdict where a number would
// claim more than the games show.
func (m Match) headline(label, verdict, note string) doc.Fact {
	row := doc.Fact{Name: label, Value: eloValue(m.Score) + " Elo", Note: note}
	if verdict == inconclusive {
		row.Value, row.Note = verdict, row.Value+"; "+note
	}
	return row
}

// text tells the match in a sentence that begins with what it compares.
func (m Match) text(what string) string {
	return fmt.Sprintf("%s, %s pairs of games (%s): %s; Elo %s, %s, seeds a game %s ± %s (95 %%).",
		what, report.Count(m.Config.Pairs), m.Config.Config.String(), m.score(), eloValue(m.Score), m.verdict(), report.Signed(m.Diff, 2), report.Number(m.DiffBar, 2))
}
