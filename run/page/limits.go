package page

import (
	"fmt"
	"strings"

	"kroo/engine"
	"kroo/internal/doc"
	"kroo/report"
	"kroo/sampler"
)

// Labels say how the searches of labels were limited.
type Labels struct {
	Search   engine.Config
	Searcher string         // as Run has it
	Nodes    int64          // median of what a label took, where time limits it; 0 where that is not known
	Noise    *sampler.Noise // nil if it was not measured
}

// row says which limit it was, and whether the same command gives the same labels.
func (l Labels) row() doc.Fact {
	return doc.Fact{Name: "limit of labels", Value: l.limit(), Note: l.repeatability()}
}

func (l Labels) limit() string {
	var parts []string
	if n := l.Search.Nodes; n > 0 {
		parts = append(parts, report.Count(n)+" nodes")
	}
	if d := l.Search.Depth; d > 0 {
		parts = append(parts, fmt.Sprintf("depth %d", d))
	}
	if t := l.Search.MoveTime; t.Duration > 0 {
		parts = append(parts, t.String())
	}
	return strings.Join(parts, ", ")
}

func (l Labels) repeatability() string {
	switch {
	case l.Search.MoveTime.Duration > 0:
		return l.byTime()
	case !l.Search.Reproducible():
		return fmt.Sprintf("per search, by %d threads; not repeatable: the same command gives other labels", l.Search.Threads)
	case l.Searcher != "":
		return "per search; repeatable if the program " + l.Searcher + " always searches a position alike"
	}
	return "per search; repeatable: the same command gives the same labels, to the byte, on any machine"
}

// byTime says what a limit of time costs.
func (l Labels) byTime() string {
	text := "per search; not repeatable: labels depend on the machine and on what else it does"
	if n := l.Noise; n != nil {
		text += fmt.Sprintf("; searched %d times, %s %% of the positions got different labels", n.Repeats, report.Number(100*n.Changed, 0))
	}
	return text
}

// texts explain a limit of time; nil for other limits.
func (l Labels) texts() []string {
	if l.Search.MoveTime.Duration == 0 {
		return nil
	}
	text := "Time limited the searches, so their depth depends on the machine and on what else it does, and the same command gives other labels."
	if l.Nodes > 0 {
		text += fmt.Sprintf(" The median label took %s nodes: a limit of that many searches about as deep, and gives the same labels each time.", report.Count(l.Nodes))
	}
	return []string{text}
}
