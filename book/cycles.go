package book

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"kroo/games/oware"
	"kroo/internal/scc"
)

// A book whose moves only went forward would be a tree with shared branches. But moves without
// captures can lead back to an entry of their own line. The value of such a move depends on that
// line, so one move of every cycle does not take the value of its target. It is the back edge, and
// its value is the result that the rules give for the repetition.

// RepetitionScore is the value of a move that repeats the position p, for the side that makes it, in
// centi-seeds. It is never a proven value (1000 points): in another game the move may repeat
// nothing.
func RepetitionScore(p oware.Position) int {
	const most = 100*oware.Half - 2 // 999 points
	diff, _ := p.Repetition(2)
	return min(max(-100*diff, -most), most)
}

// repetitionPoints is [RepetitionScore] in points.
func repetitionPoints(p oware.Position) int {
	return int(math.Round(float64(RepetitionScore(p)) * maxScore / (100 * oware.Half)))
}

// components numbers the entries so that two have the same number if and only if each can be reached
// from the other by the kept links. A link never leads to a higher number. back, if not nil, is
// called with each link that leads back to an entry of the line followed from a root; every cycle
// has such a link.
func (g *graph) components(keep func(link) bool, back func(link)) []int32 {
	walk := scc.Graph{Nodes: len(g.entries), First: g.roots(), Succ: func(v int32, dst []int32) []int32 {
		for l := range g.links(int(v)) {
			if l.to >= 0 && keep(l) {
				dst = append(dst, int32(l.to))
			}
		}
		return dst
	}}
	if back != nil {
		walk.Back = func(v, w int32) {
			// No two moves lead to the same position: each empties its house.
			back(link{int(v), oware.Move(slices.Index(g.next[v][:], w)), int(w)})
		}
	}
	number, count := make([]int32, len(g.entries)), int32(0)
	for component := range walk.Components() {
		for _, i := range component {
			number[i] = count
		}
		count++
	}
	return number
}

// isBackEdge reports whether a move on a cycle has the value of a back edge.
func (g *graph) isBackEdge(l link) bool { return g.score(l) == repetitionPoints(g.position(l.to)) }

// certainBackEdges returns, as a mask per entry with bit i for house i, the moves on cycles that have the
// value of a repetition although the entry they lead to has another.
func (g *graph) certainBackEdges() []uint8 {
	backEdges := make([]uint8, len(g.entries))
	g.inCycles(func(link) bool { return true }, func(l link) {
		if g.isBackEdge(l) && g.score(l) != g.backedUpValue(l) {
			backEdges[l.from] |= 1 << l.move
		}
	})
	return backEdges
}

// backEdges picks moves so that every cycle of the book contains at least one: first the known ones;
// then, as far as needed, moves with the value of a repetition, which the entry they lead to
// has too; then any move of the remaining cycles.
func (g *graph) backEdges() []uint8 {
	backEdges := g.certainBackEdges()
	kept := func(l link) bool { return backEdges[l.from]>>l.move&1 == 0 }
	remove := func(l link) { backEdges[l.from] |= 1 << l.move }
	var doubtful []link
	g.inCycles(kept, func(l link) {
		if g.isBackEdge(l) {
			doubtful = append(doubtful, l)
		}
	})
	for _, l := range doubtful {
		remove(l)
	}
	g.components(kept, remove)
	component := g.components(kept, nil)
	for _, l := range doubtful {
		if component[l.to] < component[l.from] { // not on a cycle
			backEdges[l.from] &^= 1 << l.move
		}
	}
	return backEdges
}

// count returns the number of moves in a set.
func count(set []uint8) (n int) {
	for _, moves := range set {
		n += bits.OnesCount8(moves)
	}
	return n
}

// inCycles calls visit for every kept link on a cycle of kept links.
func (g *graph) inCycles(kept func(link) bool, visit func(link)) {
	component := g.components(kept, nil)
	for i := range g.entries {
		for l := range g.links(i) {
			if l.to >= 0 && component[l.to] == component[i] && kept(l) {
				visit(l)
			}
		}
	}
}

// backwards orders the entries so that each comes after those that its moves lead to. It ignores the
// moves in backEdges, which breaks every cycle.
func (g *graph) backwards(backEdges []uint8) []int {
	component := g.components(func(l link) bool { return backEdges[l.from]>>l.move&1 == 0 }, nil)
	order := make([]int, len(g.entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(component[i], component[j]) })
	return order
}
