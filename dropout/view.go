package dropout

import (
	"fmt"
	"strings"
	"time"

	"kroo/book"
	"kroo/games/oware"
	"kroo/internal/wording"
)

// View shows a person how an expansion gets on.
type View struct {
	Root  oware.Side // to move at the root
	Omega float64    // as [Config] has it

	begin time.Time
	first Progress // before the first search: what the log held
}

// Note takes all progress, from which speed is reckoned.
func (v *View) Note(p Progress, now time.Time) {
	if v.begin.IsZero() || p.Searches == 0 { // searches from the log say nothing of the speed
		v.begin, v.first = now, p
		v.first.Graph = nil
	}
}

// Lines are the size and the speed, the moves at the root, the best line, and the leaf that
// is next with its priority.
func (v *View) Lines(p Progress, now time.Time) []string {
	best := p.Graph.pv()
	return append([]string{
		v.growth(p, now),
		"first moves: " + book.ScoresText(p.Graph.rootScores(), v.Root),
		fmt.Sprintf("best line to ply %d: %s", len(best), line(best, v.Root)),
	}, v.next(p)...)
}

// growth is how large the book is, how fast it grows and when it ends.
func (v *View) growth(p Progress, now time.Time) string {
	took := now.Sub(v.begin)
	text := fmt.Sprintf("%d entries, %d positions", p.Expanded, p.Nodes)
	if rate := wording.Rate(float64(p.Expanded-v.first.Expanded)/took.Seconds(), "leaves"); rate != "" {
		text += ", " + rate
	}
	if done := p.Share - v.first.Share; done > 0 {
		text += fmt.Sprintf(", %.1f %%", 100*p.Share)
		if left := wording.Span(took.Seconds() / done * (1 - p.Share)); left != "" {
			text += ", " + left + " to go"
		}
	}
	return text
}

// next are two lines: the leaf that is next, and what it is worth.
func (v *View) next(p Progress) []string {
	if p.toCover > 0 {
		return []string{"next leaf: on the lines to cover", fmt.Sprintf("worth: %d positions of them are left", p.toCover)}
	}
	names := oware.Descriptor().Sides
	for _, side := range p.turns {
		if leaf, ok := p.Graph.prospect(side); ok {
			return []string{
				fmt.Sprintf("next leaf: %s in %s's book; %s loses %.2f seeds on the way",
					line(leaf.line, v.Root), names[side], names[side.Other()], leaf.lost),
				fmt.Sprintf("worth: closes the likeliest exit, of priority %.1f (%.4g plies + %g × %.2f seeds)",
					leaf.priority, leaf.priority-v.Omega*leaf.lost, v.Omega, leaf.lost),
			}
		}
	}
	return []string{"next leaf: none but those in flight", "worth: known when their searches end"}
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
