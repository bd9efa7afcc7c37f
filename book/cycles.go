package book

import "kroo/games/oware"

// A book of moves that only go forward would be a tree with shared branches. But
// moves without captures can lead back to an entry of the line that led there. What
// such a move is worth depends on that line, so one move of every cycle does not
// take the value of the entry that it leads to: it closes the cycle, and counts as
// what the rules give when the position is repeated.

// closing is what a move is worth to the side that makes it if it repeats the
// position p, in points. It is never a proven value: in another game the move may
// repeat nothing.
func closing(p oware.Position) int {
	diff, _ := p.Repetition(2)
	return min(max(-seedPoints(diff), 1-maxScore), maxScore-1)
}

// seedPoints turns seeds into points, half away from zero.
func seedPoints(seeds int) int {
	if seeds < 0 {
		return -seedPoints(-seeds)
	}
	return (seeds*maxScore + oware.Half/2) / oware.Half
}

// components numbers the entries so that two have the same number if and only if
// each can be reached from the other by the kept links (R. Tarjan 1972). A link
// never leads to a higher number. Unless back is nil, it is called with each link
// that leads back to an entry of the line followed from a root; every cycle has
// such a link.
func (g *graph) components(keep func(link) bool, back func(link)) []int32 {
	t := tarjan{
		graph: g, keep: keep, back: back, component: make([]int32, len(g.entries)),
		order: make([]int32, len(g.entries)), low: make([]int32, len(g.entries)), called: make([]bool, len(g.entries)),
	}
	for _, i := range g.roots() {
		t.visit(i)
	}
	for i := range g.entries { // those that a root reaches by other links only
		t.visit(i)
	}
	return t.component
}

// tarjan is the state of the algorithm. It has a stack of its own for the calls,
// since a line of a book may be long.
type tarjan struct {
	*graph
	keep       func(link) bool
	back       func(link)
	component  []int32
	order, low []int32 // 0 for an entry that was not visited yet; low is 0 again once the component is known
	visited    int32
	components int32
	open       []int // visited entries without a component
	calls      []call
	called     []bool // the entries of calls
}

// call is an entry whose links are being followed.
type call struct {
	entry int
	move  oware.Move // the next to follow
}

func (t *tarjan) enter(i int) {
	t.visited++
	t.order[i], t.low[i] = t.visited, t.visited
	t.open = append(t.open, i)
	t.calls = append(t.calls, call{entry: i})
	t.called[i] = true
}

// visit follows all links from an entry, unless that was done before.
func (t *tarjan) visit(root int) {
	if t.order[root] != 0 {
		return
	}
	for t.enter(root); len(t.calls) > 0; {
		c := &t.calls[len(t.calls)-1]
		if c.move == oware.Houses {
			t.leave(c.entry)
			continue
		}
		l := link{c.entry, c.move, int(t.next[c.entry][c.move])}
		c.move++
		if t.entries[l.from].Scores[l.move] == Illegal || l.to < 0 || !t.keep(l) {
			continue
		}
		if t.called[l.to] && t.back != nil {
			t.back(l)
		}
		switch {
		case t.order[l.to] == 0:
			t.enter(l.to)
		case t.low[l.to] != 0:
			t.low[l.from] = min(t.low[l.from], t.order[l.to])
		}
	}
}

// leave ends a call, and the component that begins with its entry.
func (t *tarjan) leave(i int) {
	t.calls, t.called[i] = t.calls[:len(t.calls)-1], false
	if len(t.calls) > 0 {
		caller := t.calls[len(t.calls)-1].entry
		t.low[caller] = min(t.low[caller], t.low[i])
	}
	if t.low[i] != t.order[i] {
		return
	}
	for {
		last := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.component[last], t.low[last] = t.components, 0
		if last == i {
			t.components++
			return
		}
	}
}
