package dropout

import (
	"cmp"
	"math/bits"

	"kroo/book"
	"kroo/engine/search"
	"kroo/games/oware"
)

// node is a position of the graph.
type node struct {
	pos      oware.Position
	moves    []*node // of an expanded node, one per legal move, from the left; nil for a move that would close a cycle
	parents  []*node
	priority [roles]int32 // of the leaves below, by the role of the player to move: epb and epo
	mark     uint32       // of the last walk that visited the node
	h        int16        // by its own search, in centi-seeds for the player to move
	p        int16        // propagated: h of a leaf, the best move of an expanded node
	outcome  outcome      // proven bounds for the player to move
	table    outcome      // bounds of the endgame tables if a capture led here
	legal    uint8        // moves, bit i for house i
	proven   bool         // decided by its own search or the rules: always a leaf
	chosen   bool         // in flight: not to be chosen again
	queued   bool         // to be recomputed
}

func (n *node) expanded() bool { return n.moves != nil }

// graph is the positions of a book under construction. It has no cycles.
type graph struct {
	costs    costs
	prober   search.Prober[oware.Position] // may be nil
	root     *node                         // nil in an empty graph
	nodes    map[oware.Position]*node
	expanded int
	searched int   // nodes that were searched
	visited  int64 // positions visited by the searches
	marks    uint32
}

func newGraph(omega float64, prober search.Prober[oware.Position]) *graph {
	return &graph{costs: newCosts(omega), prober: prober, nodes: map[oware.Position]*node{}}
}

// found is the part of a search result that the graph keeps.
type found struct {
	nodes  int64
	score  int16 // centi-seeds for the player to move
	proven bool
}

// add adds a position as a leaf, the first as the root. f is the result of its search; the rules
// value a position that ends the game.
func (g *graph) add(p oware.Position, f found) *node {
	if diff, over := p.Terminal(); over {
		f = found{proven: true, score: int16(search.Win * cmp.Compare(diff, 0))}
	} else {
		g.searched++
		g.visited += f.nodes
	}
	n := &node{pos: p, legal: p.Legal(), h: f.score, proven: f.proven, table: unknown}
	if g.prober != nil {
		if low, high, ok := g.prober.Final(p); ok {
			n.table = bounds(low, high)
		}
	}
	g.nodes[p] = n
	g.root = cmp.Or(g.root, n)
	g.recompute(n)
	return n
}

// expand gives a leaf its moves. Those that lead to new positions add them, with their results.
func (g *graph) expand(n *node, results map[int64]found) {
	moves := make([]*node, 0, oware.Houses)
	for child := range n.children() {
		c, there := g.nodes[child]
		switch {
		case !there:
			c = g.add(child, results[child.BookKey()])
		case g.leads(c, n):
			c = nil
		}
		if moves = append(moves, c); c != nil {
			c.parents = append(c.parents, n)
		}
	}
	n.moves, n.chosen = moves, false
	g.expanded++
	g.propagate(n)
}

// children yields the positions that the legal moves of a node lead to, from the left.
func (n *node) children() func(yield func(oware.Position) bool) {
	return func(yield func(oware.Position) bool) {
		for set := n.legal; set != 0; set &= set - 1 {
			if !yield(n.pos.Play(oware.Move(bits.TrailingZeros8(set)))) {
				return
			}
		}
	}
}

// leads reports whether moves lead from one node to another, so that a move back would close a
// cycle. Captures cannot be undone: no position of such a line has another progress.
func (g *graph) leads(from, to *node) bool {
	if !from.expanded() || from.pos.Progress() != to.pos.Progress() {
		return false
	}
	g.marks++
	to.mark = g.marks
	for list := []*node{to}; len(list) > 0; {
		n := list[len(list)-1]
		list = list[:len(list)-1]
		if n == from {
			return true
		}
		for _, p := range n.parents {
			if p.mark != g.marks && p.pos.Progress() == to.pos.Progress() {
				p.mark = g.marks
				list = append(list, p)
			}
		}
	}
	return false
}

// setChosen sets whether a leaf is in flight and so cannot be chosen.
func (g *graph) setChosen(leaf *node, on bool) {
	leaf.chosen = on
	g.propagate(leaf)
}

// propagate recomputes a node and, where values change, its ancestors.
func (g *graph) propagate(n *node) {
	for queue := []*node{n}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if n.queued = false; !g.recompute(n) {
			continue
		}
		for _, p := range n.parents {
			if !p.queued {
				p.queued = true
				queue = append(queue, p)
			}
		}
	}
}

// recompute derives the value and priorities of a node from its children and reports whether they
// changed.
func (g *graph) recompute(n *node) bool {
	p, priority, known := n.p, n.priority, n.outcome
	if n.expanded() {
		g.recomputeExpanded(n)
	} else {
		g.recomputeLeaf(n)
	}
	return n.p != p || n.priority != priority || n.outcome != known
}

func (g *graph) recomputeLeaf(n *node) {
	n.p, n.outcome, n.priority = n.h, unknown, [roles]int32{}
	if n.proven {
		n.outcome = bounds(int(n.h), int(n.h))
	}
	if n.proven || n.chosen {
		n.priority = nothing
	}
}

func (g *graph) recomputeExpanded(n *node) {
	var buf [oware.Houses]move
	moves := n.appendMoves(buf[:0])
	best, known := moves[0].value, moves[0].outcome
	for _, m := range moves[1:] {
		best = max(best, m.value)
		known = outcome{max(known.low, m.outcome.low), max(known.high, m.outcome.high)}
	}
	n.p, n.outcome, n.priority = int16(best), known, nothing
	if known.decided() {
		return
	}
	for role := range n.priority {
		_, n.priority[role] = g.costs.next(moves, role)
	}
}

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

// move is a move as seen by the player who makes it.
type move struct {
	house   oware.Move
	child   *node // nil if it closes a cycle
	value   int32 // in centi-seeds
	outcome outcome
}

// appendMoves appends the moves of an expanded node, from the left.
func (n *node) appendMoves(dst []move) []move {
	set := n.legal
	for _, c := range n.moves {
		m := move{house: oware.Move(bits.TrailingZeros8(set)), child: c, outcome: unknown}
		set &= set - 1
		if c == nil {
			m.value = int32(book.Closing(n.pos.Play(m.house)))
		} else {
			known := c.outcome
			if c.table != unknown && c.pos.Progress() != n.pos.Progress() {
				known = known.and(c.table)
			}
			m.outcome = known.forOther()
			m.value = m.outcome.within(back(int32(c.p)))
		}
		dst = append(dst, m)
	}
	return dst
}

// back converts the value of a position to the value of the move that leads there; a proven result becomes a ply longer.
func back(v int32) int32 {
	switch {
	case v > search.MaxHeuristic+1:
		v--
	case v < -search.MaxHeuristic-1:
		v++
	}
	return -v
}

// rootRole returns the role of the player to move at the root in the book of a side.
func (g *graph) rootRole(side oware.Side) int {
	if g.root.pos.ToMove() == side {
		return bookPlayer
	}
	return opponent
}

// next descends from the root to the most urgent leaf for the book of a side, the leftmost of
// equals, and returns the line to it; leaf is nil if there is nothing to expand.
func (g *graph) next(side oware.Side) (leaf *node, line []oware.Move) {
	role := g.rootRole(side)
	if g.root.priority[role] == never {
		return nil, nil
	}
	var buf [oware.Houses]move
	for leaf = g.root; leaf.expanded(); role = 1 - role {
		moves := leaf.appendMoves(buf[:0])
		next, _ := g.costs.next(moves, role)
		line = append(line, moves[next].house)
		leaf = moves[next].child
	}
	return leaf, line
}
