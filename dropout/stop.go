package dropout

import (
	"fmt"
	"time"

	"kroo/games/oware"
	"kroo/internal/spec"
)

// Stop says when an expansion is done: at the first of these that is reached.
// Zero fields do not count. It stops as well when the root is solved, and when
// nothing is left to expand.
type Stop struct {
	Expansions  int           // expanded nodes, those of earlier runs with the same log included
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

// counters are what a Stop looks at, besides the clock.
type counters struct {
	Expanded, Searched int
	Solved             bool
}

// reached is why to stop, "" for continuing.
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

// share is how much of the way to the nearest end is done, 0 to 1.
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

// Progress is how far an expansion is.
type Progress struct {
	Graph    *Graph        // valid during the call only
	Expanded int           // nodes
	Nodes    int           // positions of the graph
	Searches int64         // finished by this run
	Took     time.Duration // by this run
	Share    float64       // of the way to the nearest end that can be foreseen, 0 to 1

	turns   []oware.Side // as builder.turns
	toCover int          // positions of Config.Cover that are left
}

func (b *builder) progress() Progress {
	took := time.Since(b.begin)
	return Progress{
		Graph: b.graph, Expanded: b.graph.expanded, Nodes: b.graph.nodes.len(), Searches: b.searches,
		Took: took, Share: b.cfg.Stop.share(b.counters(), took),
		turns: b.turns(), toCover: len(b.cfg.Cover) - b.covered,
	}
}
