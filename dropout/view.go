package dropout

import (
	"fmt"
	"strings"
	"time"

	"kroo/book"
	"kroo/games/oware"
	"kroo/internal/plural"
)

// View tells a person how an expansion gets on.
type View struct {
	Side oware.Side // to move at the root

	begin time.Time
	first Progress // before the first search: what the log held
}

// Note is to be told of all progress, from which speed is reckoned.
func (v *View) Note(p Progress, now time.Time) {
	if v.begin.IsZero() || p.Searches == 0 { // searches from the log tell nothing of the speed
		v.begin, v.first = now, p
		v.first.Graph = nil
	}
}

// Lines are what there is to see.
func (v *View) Lines(p Progress, now time.Time) []string {
	took := now.Sub(v.begin)
	first := fmt.Sprintf("%d positions, %d in the book", p.Nodes, p.Expanded)
	if rate := plural.Rate(float64(p.Searches-v.first.Searches)/took.Seconds(), "searches"); rate != "" {
		first += ", " + rate
	}
	if done := p.Share - v.first.Share; done > 0 {
		first += fmt.Sprintf(", %.1f %%", 100*p.Share)
		if left := plural.Span(took.Seconds() / done * (1 - p.Share)); left != "" {
			first += ", " + left + " to go"
		}
	}
	return []string{
		first,
		"root " + book.ScoresText(p.Graph.rootScores(), v.Side),
		"best " + line(p.Graph.pv(), v.Side),
		fmt.Sprintf("next leaf at ply %d", p.Depth),
	}
}

// line writes moves by their letters.
func line(moves []oware.Move, side oware.Side) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(oware.MoveName(m, side))
		side = side.Other()
	}
	return b.String()
}
