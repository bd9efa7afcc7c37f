package book

import (
	"math"
	"slices"

	"kroo/games/oware"
	"kroo/internal/scc"
)

// A book of moves that only go forward would be a tree with shared branches. But
// moves without captures can lead back to an entry of the line that led there. What
// such a move is worth depends on that line, so one move of every cycle does not
// take the value of the entry that it leads to: it closes the cycle, and counts as
// what the rules give when the position is repeated.

// Closing is what a move is worth to the side that makes it if it repeats the position p,
// in centi-seeds. It is never a proven value, which is 1000 points: in another game the move
// may repeat nothing.
func Closing(p oware.Position) int {
	const most = 100*oware.Half - 2 // 999 points
	diff, _ := p.Repetition(2)
	return min(max(-100*diff, -most), most)
}

// closing is [Closing] in points.
func closing(p oware.Position) int {
	return int(math.Round(float64(Closing(p)) * maxScore / (100 * oware.Half)))
}

// components numbers the entries so that two have the same number if and only if
// each can be reached from the other by the kept links. A link never leads to a higher
// number. Unless back is nil, it is called with each link that leads back to an entry of
// the line followed from a root; every cycle has such a link.
func (g *graph) components(keep func(link) bool, back func(link)) []int32 {
	walk := scc.Graph{Nodes: len(g.entries), First: g.roots(), Succ: func(v int32, dst []int32) []int32 {
		g.links(int(v), func(l link) {
			if l.to >= 0 && keep(l) {
				dst = append(dst, int32(l.to))
			}
		})
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
