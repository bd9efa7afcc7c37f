package dropout

import (
	"math/bits"
	"slices"
)

// sortScratch is reused between calls of precede.
type sortScratch struct {
	below, above []index // found below the child, above the parent
	mark         []uint32
	stamp        uint32
	orders       []int32
}

// precede updates the topological order for a move from parent to child. It returns false if parent
// is already below child, so that the move would close a cycle. It visits only nodes between the two
// in the old order (Pearce and Kelly, A dynamic topological sort algorithm for directed acyclic
// graphs, 2007).
func (g *Graph) precede(parent, child index) bool {
	low, high := g.nodes.at(child).order, g.nodes.at(parent).order
	if high < low {
		return true
	}
	if parent == child {
		return false
	}
	s := &g.sort
	s.begin(g.nodes.len())
	if !g.collectBelow(child, parent, high) {
		return false
	}
	g.collectAbove(parent, low)
	g.reorder()
	return true
}

func (s *sortScratch) begin(n int) {
	for len(s.mark) < n {
		s.mark = append(s.mark, 0)
	}
	s.stamp++
	if s.stamp == 0 { // wrapped around after 2^32 calls: old marks are invalid
		clear(s.mark)
		s.stamp = 1
	}
	s.below, s.above, s.orders = s.below[:0], s.above[:0], s.orders[:0]
}

// visit reports whether it is the first visit.
func (s *sortScratch) visit(i index) bool {
	if s.mark[i] == s.stamp {
		return false
	}
	s.mark[i] = s.stamp
	return true
}

// collectBelow collects from and the nodes below it up to the order high, and returns false when it
// meets target.
func (g *Graph) collectBelow(from, target index, high int32) bool {
	s := &g.sort
	s.visit(from)
	s.below = append(s.below, from)
	for at := 0; at < len(s.below); at++ {
		n := g.nodes.at(s.below[at])
		if !n.is(expanded) {
			continue
		}
		for k := range int32(bits.OnesCount8(n.legal)) {
			c := g.edges.at(n.edges + k).child
			if c == target {
				return false
			}
			if c != none && g.nodes.at(c).order < high && s.visit(c) {
				s.below = append(s.below, c)
			}
		}
	}
	return true
}

// collectAbove collects from and the nodes above it down to the order low.
func (g *Graph) collectAbove(from index, low int32) {
	s := &g.sort
	s.visit(from)
	s.above = append(s.above, from)
	for at := 0; at < len(s.above); at++ {
		for e := g.nodes.at(s.above[at]).parents; e != none; e = g.edges.at(e).next {
			if p := g.edges.at(e).parent; g.nodes.at(p).order > low && s.visit(p) {
				s.above = append(s.above, p)
			}
		}
	}
}

// reorder reassigns the orders of all collected nodes, first to those above, then to those below,
// each group in its old order.
func (g *Graph) reorder() {
	s := &g.sort
	byOrder := func(a, b index) int { return int(g.nodes.at(a).order - g.nodes.at(b).order) }
	slices.SortFunc(s.above, byOrder)
	slices.SortFunc(s.below, byOrder)
	for _, group := range [2][]index{s.above, s.below} {
		for _, i := range group {
			s.orders = append(s.orders, g.nodes.at(i).order)
		}
	}
	slices.Sort(s.orders)
	at := 0
	for _, group := range [2][]index{s.above, s.below} {
		for _, i := range group {
			g.nodes.at(i).order = s.orders[at]
			at++
		}
	}
}
