package dropout

import (
	"fmt"
	"math"
	"strings"
	"time"

	"kroo/book"
	"kroo/games/oware"
	"kroo/internal/spec"
)

// Stop limits an expansion, which ends when the first limit is reached. Zero fields mean no limit.
// It also ends when the root is solved or nothing is left to expand.
type Stop struct {
	Expansions  int           // expanded nodes, including earlier runs with the same log
	Evaluations int           `name:"evaluations" range:"1.." help:"end after this number of searches, including those in the log"`
	Time        spec.Duration `name:"time" help:"end after this time, such as 3h"` // of this run; the graph then depends on the machine
}

func (s Stop) check() error {
	if s == (Stop{}) {
		return fmt.Errorf("nothing ends the expansion: expected a number of expansions or evaluations, or a time")
	}
	if s.Expansions < 0 {
		return fmt.Errorf("expansions is %d: expected 0 or more", s.Expansions)
	}
	return spec.Check(&s)
}

// Reason is why an expansion ended.
type Reason string

// The reasons.
const (
	atExpansions  Reason = "expansions"
	atEvaluations Reason = "evaluations"
	atTime        Reason = "time"
	rootSolved    Reason = "the root is solved"
	nothingLeft   Reason = "nothing is left to expand"
	interrupted   Reason = "interrupted"
)

// counters is the state that a Stop depends on, besides the clock.
type counters struct {
	Expanded, Searched int
	Solved             bool
}

// reached returns the reason to stop, "" to continue.
func (s Stop) reached(c counters) Reason {
	switch {
	case c.Solved:
		return rootSolved
	case s.Expansions > 0 && c.Expanded >= s.Expansions:
		return atExpansions
	case s.Evaluations > 0 && c.Searched >= s.Evaluations:
		return atEvaluations
	}
	return ""
}

// share returns the progress towards the nearest limit, 0 to 1.
func (s Stop) share(c counters, took time.Duration) (share float64) {
	for _, limit := range [][2]float64{
		{float64(c.Expanded), float64(s.Expansions)}, {float64(c.Searched), float64(s.Evaluations)},
		{float64(took), float64(s.Time.Duration)},
	} {
		if limit[1] > 0 {
			share = max(share, min(limit[0]/limit[1], 1))
		}
	}
	return share
}

// noteEvery is the interval between progress notes: making one takes as long as a few expansions.
const noteEvery = 200 * time.Millisecond

// report counts entries, out of an estimate of the total at the present rate. Results from the log
// take no time, so the first call is that before the first search.
func (b *builder) report() {
	if b.progress == nil {
		return
	}
	now, done := time.Now(), b.graph.expanded
	total := int64(b.cfg.Stop.Expansions)
	if done > 0 {
		share := b.cfg.Stop.share(b.counters(), now.Sub(b.begin))
		if total = int64(math.Round(float64(done) / max(share, 1e-6))); now.Sub(b.noted) >= noteEvery || share == 1 {
			b.note, b.noted = b.next(), now
		}
	}
	b.progress.Note(int64(done), total, b.note)
}

// next describes the value of the book so far and the next leaf.
func (b *builder) next() string {
	g, root := b.graph, b.cfg.Root.ToMove()
	text := bestText(g.rootScores(), root)
	if left := len(b.cfg.Cover) - b.covered; left > 0 {
		return fmt.Sprintf("%s; %d positions to cover", text, left)
	}
	names := oware.Descriptor().Sides
	for _, side := range b.turns() {
		if leaf, priority, ok := g.prospect(side); ok {
			return fmt.Sprintf("%s; best line %s; next leaf %s of %s's book, priority %.1f", text, line(g.pv(), root), line(leaf, root), names[side], priority)
		}
	}
	return text
}

// bestText formats the best move of a side and its value in seeds, "" if no value is known.
func bestText(scores [oware.Houses]int16, side oware.Side) string {
	m, points := book.Entry{Scores: scores}.Best()
	if points == book.Illegal {
		return ""
	}
	return fmt.Sprintf("%s %+.2f", oware.MoveName(m, side), book.Seeds(points))
}

// line formats moves by their letters.
func line(moves []oware.Move, side oware.Side) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(oware.MoveName(m, side))
		side = side.Other()
	}
	return b.String()
}
