package run

import (
	"fmt"

	"kroo/internal/doc"
	"kroo/match"
	"kroo/match/elo"
	"kroo/report"
)

// inconclusive is the verdict where the interval of the lead reaches 0.
const inconclusive = "inconclusive"

// played is a finished match of the run.
type played struct {
	match.Summary
	stage         string
	name, verdict string
	notes         string // what it compares, and how it was played
	note          string // what it compares
}

// addMatch adds the match of a stage, if it is finished.
func (p *results) addMatch(s stage) {
	sum := found[match.Summary](p, s.name)
	if sum == nil {
		return
	}
	m := played{Summary: *sum, stage: s.name, name: s.title, verdict: verdict(sum.Score), note: s.note}
	advice := ""
	if s.name == bookPlayStage {
		m.note = fmt.Sprintf("the book chose %s in %s", report.Plural(m.BookMoves, "move"), report.Plural(m.Score.Games(), "game"))
		if m.BookMoves < leastBookMoves*max(m.Score.Games(), 1) {
			m.verdict = inconclusive
			advice = fmt.Sprintf(", too few to judge it: at least %d per game are needed. More expansions or shorter openings give more", leastBookMoves)
		}
	}
	if m.notes = s.match.Config.String(); m.note != "" {
		m.notes = m.note + advice + " (" + m.notes + ")"
	}
	p.matches = append(p.matches, m)
}

// leastBookMoves is how many moves of a game, on average, a book is to choose before it explains the
// result of a match.
const leastBookMoves = 2

// verdict reports whether the first player is the stronger.
func verdict(s elo.Score) string {
	switch _, in := s.Elo(); {
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

// points formats the share of the points that the first player won.
func points(s elo.Score) string { return report.Number(100*s.Mean(), 0) + " %" }

// sentence describes a match: score, Elo with its interval, and verdict.
func (m played) sentence(first, second string) string {
	s := m.Score
	score := fmt.Sprintf("won %s, drew %s and lost %s of %s against %s: %s of the points, %s Elo", report.Count(s.Wins), report.Count(s.Draws), report.Count(s.Losses),
		report.Plural(s.Games(), "game"), second, points(s), eloValue(s))
	if m.verdict == inconclusive {
		return fmt.Sprintf("%s %s, too few games to show which is stronger.", first, score)
	}
	return fmt.Sprintf("%s is %s: it %s.", first, m.verdict, score)
}

// fact returns a match as one of the main figures.
func (m played) fact() doc.Fact {
	f := doc.Fact{Name: m.name, Value: points(m.Score) + " of the points", Note: fmt.Sprintf("%s won, %s drawn, %s lost; %s Elo", report.Count(m.Score.Wins), report.Count(m.Score.Draws), report.Count(m.Score.Losses), eloValue(m.Score))}
	if m.verdict == inconclusive {
		f.Value, f.Note = inconclusive, f.Value+"; "+f.Note
	}
	if m.note != "" {
		f.Note += "; " + m.note
	}
	return f
}

// matchSections shows all matches in one picture; nil without matches.
func (p *results) matchSections() []doc.Section {
	if len(p.matches) == 0 {
		return nil
	}
	picture := report.Intervals{Name: "matches", Title: "Elo of the matches", Line: "with 95 % intervals", X: "Elo, 0 for equal strength",
		Caption: "A whole interval right of 0: the first player is stronger; left of 0: weaker; across 0 (grey): too few games to tell. An arrow: the games do not bound that end."}
	var players []doc.Fact
	for _, m := range p.matches {
		lead, in := m.Score.Elo()
		picture.Rows = append(picture.Rows, report.Interval{Name: m.name, Value: lead, Low: min(in.Low, lead), High: max(in.High, lead), Text: eloValue(m.Score)})
		players = append(players, doc.Fact{Name: m.name, Value: m.fact().Value, Note: fmt.Sprintf("%s won, %s drawn, %s lost; %s ± %s seeds per game; %s",
			report.Count(m.Score.Wins), report.Count(m.Score.Draws), report.Count(m.Score.Losses), report.Signed(m.Diff, 1), report.Number(m.DiffBar, 1), m.notes)})
	}
	return []doc.Section{
		{Heading: "Is it good?", Figures: []doc.Drawing{picture}, Text: []string{"Error and R say how well the weights repeat a search. Only games say how well they play."}},
		{Facts: players},
	}
}
