package page

import (
	"fmt"

	"kroo/internal/doc"
	"kroo/match"
	"kroo/match/elo"
	"kroo/report"
)

// Match is what a match has come to.
type Match struct {
	match.Summary
	Config   match.Config
	Opponent string // as the configuration names it
}

// inconclusive is the verdict where the interval of the lead reaches 0.
const inconclusive = "inconclusive"

// verdict reports whether the first player is the stronger.
func (m Match) verdict() string {
	switch _, in := m.Score.Elo(); {
	case in.Low > 0:
		return "stronger"
	case in.High < 0:
		return "weaker"
	}
	return inconclusive
}

func eloValue(s elo.Score) string {
	lead, in := s.Elo()
	return in.Text(lead, func(x float64) string { return report.Signed(x, 0) })
}

func (m Match) score() string {
	return fmt.Sprintf("%s won, %s drawn, %s lost", report.Count(m.Score.Wins), report.Count(m.Score.Draws), report.Count(m.Score.Losses))
}

// games returns the score as a phrase after the name of a player.
func (m Match) games() string {
	s := m.Score
	return fmt.Sprintf("won %s, drew %s and lost %s of %s", report.Count(s.Wins), report.Count(s.Draws), report.Count(s.Losses), report.Plural(s.Games(), "game"))
}

// sentence describes a match: score, Elo with its interval, and verdict.
func (m Match) sentence(first, second string) string {
	score := fmt.Sprintf("%s against %s (%s Elo, 95 %%)", m.games(), second, eloValue(m.Score))
	if m.verdict() == inconclusive {
		return fmt.Sprintf("%s %s: too few games to tell them apart.", first, score)
	}
	return fmt.Sprintf("%s is %s: it %s.", first, m.verdict(), score)
}

// played is a match of the page with notes on it.
type played struct {
	*Match
	name, verdict, note string
	advice              string // on how to make it more telling
}

// matches are those of the run, the last champion's first.
func (r Run) matches() (list []played) {
	add := func(m *Match, name, note string) {
		if m != nil {
			list = append(list, played{m, name, m.verdict(), note, ""})
		}
	}
	for i := range r.Finals {
		add(&r.Finals[i], "against "+r.Finals[i].Opponent, "")
	}
	c := r.Counts
	if c == nil {
		return list
	}
	add(c.Match, "against captures-only", "an engine that only counts captured seeds")
	add(c.Champion, "against the program's weights", "those it plays with by default, patterns of many seed counts trained in rounds of play")
	if p := c.Patterns; p != nil {
		add(p.Match, "patterns against seed counts", fmt.Sprintf("%s weights, fitted to the same labels", report.Count(p.Fit.Weights)))
	}
	if m := c.BookPlay; m != nil {
		note := fmt.Sprintf("the book chose %s in %s", report.Plural(m.BookMoves, "move"), report.Plural(m.Score.Games(), "game"))
		add(m, "book against no book", note)
		if last := &list[len(list)-1]; m.leftTooSoon() {
			last.verdict = inconclusive
			last.advice = fmt.Sprintf(", too few to judge the book: at least %d per game are needed. More expansions, or shorter openings, make more of them", leastBookMoves)
		}
	}
	return list
}

// leastBookMoves are those of a game, on average, that a book is to choose before a match is its
// doing.
const leastBookMoves = 2

func (m Match) leftTooSoon() bool {
	return m.BookMoves < leastBookMoves*max(m.Score.Games(), 1)
}

// fact is a match among the figures that matter most.
func (m played) fact() doc.Fact {
	row := doc.Fact{Name: m.name, Value: eloValue(m.Score) + " Elo", Note: m.score() + "; 95 %"}
	if m.verdict == inconclusive {
		row.Value, row.Note = inconclusive, row.Value+": "+row.Note
	}
	if m.note != "" {
		row.Note += "; " + m.note
	}
	return row
}

// matchSection shows all matches in one picture; empty without matches.
func (r Run) matchSection() []doc.Section {
	t := doc.NewTable("match", "won", "drawn", "lost", "Elo, 95 %", "verdict", "seeds per game")
	t.Caption = "Pairs of games with colours exchanged. Seeds per game: the mean final difference, with its 95 % interval."
	picture := report.Intervals{Name: "matches", Title: "Elo of the matches", Line: "with 95 % intervals", X: "Elo, 0 for equal strength",
		Caption: "A whole interval right of 0: the first player is stronger; left of 0: weaker; across 0 (grey): too few games to tell. An arrow is an end that the games do not bound."}
	var players []doc.Fact
	for _, m := range r.matches() {
		lead, in := m.Score.Elo()
		row := report.Interval{Name: m.name, Value: lead, Low: min(in.Low, lead), High: max(in.High, lead), Text: eloValue(m.Score)}
		picture.Rows = append(picture.Rows, row)
		t.Add(m.name, m.Score.Wins, m.Score.Draws, m.Score.Losses, row.Text, m.verdict,
			fmt.Sprintf("%s ± %s", report.Signed(m.Diff, 1), report.Number(m.DiffBar, 1)))
		text := m.Config.Config.String()
		if m.note != "" {
			text = m.note + m.advice + " (" + text + ")"
		}
		players = append(players, doc.Fact{Name: m.name, Value: text})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []doc.Section{
		{Heading: "Is it good?", Figures: []doc.Drawing{picture}, Drawn: true, Text: []string{"Error and R say how well the weights repeat a search. Only games say how well they play."}},
		{Table: t}, {Facts: players},
	}
}
