package dropout

import (
	"cmp"
	"math/bits"

	"kroo/book"
	"kroo/engine/search"
	"kroo/games/oware"
)

// outcome is the proven bounds of a game's result for the player to move, each −1 for a loss, 0 for
// a draw, 1 for a win.
type outcome struct{ low, high int8 }

// unknown is the outcome without a proof.
var unknown = outcome{-1, 1}

func (o outcome) decided() bool { return o.low == o.high }

// forOther is the outcome seen by the other player.
func (o outcome) forOther() outcome { return outcome{-o.high, -o.low} }

// and combines the outcomes of a search and a table. If they contradict each other, the table wins:
// the search may have overlooked a repetition.
func (o outcome) and(table outcome) outcome {
	both := outcome{max(o.low, table.low), min(o.high, table.high)}
	if both.low > both.high {
		return table
	}
	return both
}

// bounds is the outcome of a final difference between low and high.
func bounds(low, high int) outcome {
	return outcome{int8(cmp.Compare(low, 0)), int8(cmp.Compare(high, 0))}
}

// decidedWin is the score of a win of unknown length.
var decidedWin, _ = search.Decided(1, 1)

// within clamps a value to the proven bounds.
func (o outcome) within(v int32) int32 {
	switch {
	case o.low > 0 && v <= search.MaxHeuristic:
		return int32(decidedWin)
	case o.high < 0 && v >= -search.MaxHeuristic:
		return -int32(decidedWin)
	case o.low == 0 && v < 0, o.high == 0 && v > 0:
		return 0
	}
	return v
}

// move is an edge as seen by the player who makes it.
type move struct {
	house   oware.Move
	child   index // none if it closes a cycle
	value   int32 // in centi-seeds
	outcome outcome
}

// moves fills buf with the moves of an expanded node, from the left.
func (g *Graph) moves(i index, buf *[oware.Houses]move) []move {
	n, k := g.nodes.at(i), 0
	for set := n.legal; set != 0; set &= set - 1 {
		m := move{house: oware.Move(bits.TrailingZeros8(set)), child: g.edges.at(n.edges + int32(k)).child, outcome: unknown}
		if m.child == none {
			m.value = int32(book.Closing(n.pos.Play(m.house)))
		} else {
			c := g.nodes.at(m.child)
			known := c.outcome
			if c.table != unknown && c.pos.Progress() != n.pos.Progress() {
				known = known.and(c.table)
			}
			m.outcome = known.forOther()
			m.value = m.outcome.within(back(int32(c.p)))
		}
		buf[k] = m
		k++
	}
	return buf[:k]
}

// back converts a value to that of the move that leads there; a proven result becomes a ply longer.
func back(v int32) int32 {
	switch {
	case v > search.MaxHeuristic+1:
		v--
	case v < -search.MaxHeuristic-1:
		v++
	}
	return -v
}

// recompute derives the value and priorities of a node from its children and
// reports whether they changed.
func (g *Graph) recompute(i index) bool {
	n := g.nodes.at(i)
	old := *n
	if n.is(expanded) {
		g.recomputeExpanded(i, n)
	} else {
		g.recomputeLeaf(n)
	}
	return n.p != old.p || n.priority != old.priority || n.outcome != old.outcome
}

func (g *Graph) recomputeLeaf(n *node) {
	n.p, n.outcome, n.priority = n.h, unknown, [book.Roles]int32{}
	if n.is(proven) {
		n.outcome = bounds(int(n.h), int(n.h))
	}
	if n.is(proven | chosen) {
		n.priority = nothing
	}
}

func (g *Graph) recomputeExpanded(i index, n *node) {
	var buf [oware.Houses]move
	moves := g.moves(i, &buf)
	best, known := moves[0].value, moves[0].outcome
	for _, m := range moves[1:] {
		best = max(best, m.value)
		known = outcome{max(known.low, m.outcome.low), max(known.high, m.outcome.high)}
	}
	n.p, n.outcome, n.priority = int16(best), known, nothing
	if known.decided() {
		return
	}
	var choices [oware.Houses]book.Choice
	for role := range n.priority {
		_, n.priority[role] = g.costs.Next(g.choices(moves, choices[:0]), role)
	}
}
