package dropout

import (
	"cmp"
	"errors"
	"math/bits"

	"kroo/book"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/mapfile"
)

// index of a node or an edge of a graph, 0 for none.
type index int32

// node is a position of the graph, in 48 bytes: a graph has millions of them.
type node struct {
	pos      oware.Position
	priority [roles]int32 // of the leaves below, by the role of the player to move: epb and epo
	edges    index        // the first of an expanded node, one per legal move, from the left
	parents  index        // the latest edge that leads here
	next     index        // the next node with the same slot
	mark     uint32       // of the last walk that visited the node
	p        int16        // value in centi-seeds for the player to move: of its search, or of the best move of an expanded node
	outcome  outcome      // proven bounds for the player to move: of a leaf, decided or unknown
	table    outcome      // bounds of the endgame tables if a capture led here
	legal    uint8        // moves, bit i for house i
	queued   bool         // to be recomputed
}

// edge is a move of an expanded node.
type edge struct {
	from, to index // to is 0 for a move that would close a cycle
	next     index // the next edge to the same node
}

func (n *node) isExpanded() bool { return n.edges != 0 }

// isFree reports whether a node is a leaf that can be chosen.
func (n *node) isFree() bool { return !n.isExpanded() && n.priority != nothing }

// graph is the positions of a book under construction. It has no cycles.
type graph struct {
	costs    costs
	prober   search.Prober[oware.Position] // may be nil
	nodes    paged[node]                   // the root first
	edges    paged[edge]
	slots    []index // the latest node of each slot, by the hash of its position
	expanded int
	searched int   // nodes that were searched
	visited  int64 // positions visited by the searches
	marks    uint32
}

// newGraph returns an empty graph, whose root has no moves. [graph.release] releases its memory.
func newGraph(omega float64, prober search.Prober[oware.Position]) (*graph, error) {
	g := &graph{costs: newCosts(omega), prober: prober, slots: make([]index, firstSlots)}
	return g, g.nodes.grow()
}

// release releases the memory of the graph, which must not be used afterwards.
func (g *graph) release() error { return errors.Join(g.nodes.release(), g.edges.release()) }

const root index = 1

const (
	pageSize   = 1 << 14 // elements of a page
	firstSlots = 1 << 10
)

// paged is a slice with indices from 1 that grows without copying: its elements keep their addresses.
// They are outside Go's heap, where they would double the memory: the collector lets garbage grow to
// the size of live data.
type paged[T any] struct {
	pages [][]T
	len   int
}

func (p *paged[T]) at(i index) *T { return &p.pages[uint32(i)/pageSize][uint32(i)%pageSize] }

func (p *paged[T]) grow() error {
	page, err := mapfile.Allocate[T](pageSize)
	if err != nil {
		return err
	}
	p.pages = append(p.pages, page)
	return nil
}

// add appends an element.
func (p *paged[T]) add(x T) (index, error) {
	next := p.len + 1
	if next/pageSize >= len(p.pages) {
		if err := p.grow(); err != nil {
			return 0, err
		}
	}
	p.len = next
	*p.at(index(next)) = x
	return index(next), nil
}

func (p *paged[T]) release() error {
	var errs []error
	for _, page := range p.pages {
		errs = append(errs, mapfile.Free(page))
	}
	p.pages = nil
	return errors.Join(errs...)
}

// find returns the node of a position.
func (g *graph) find(p oware.Position) index {
	i := *g.slot(p)
	for i != 0 && g.nodes.at(i).pos != p {
		i = g.nodes.at(i).next
	}
	return i
}

func (g *graph) slot(p oware.Position) *index { return &g.slots[p.Key()&uint64(len(g.slots)-1)] }

// enter adds a node to its slot. There are about as many slots as nodes.
func (g *graph) enter(i index) {
	if int(i) > len(g.slots) {
		g.slots = make([]index, 2*len(g.slots))
		for old := root; old < i; old++ {
			g.enter(old)
		}
	}
	n := g.nodes.at(i)
	slot := g.slot(n.pos)
	n.next, *slot = *slot, i
}

// found is the part of a search result that the graph keeps.
type found struct {
	nodes  int64
	score  int16 // centi-seeds for the player to move
	proven bool
}

// add adds a position as a leaf, the first as the root, and moves its search out of results. The
// rules value a position that ends the game.
func (g *graph) add(p oware.Position, results map[int64]found) (index, error) {
	var f found
	if diff, over := p.Terminal(); over {
		f = found{proven: true, score: int16(search.Win * cmp.Compare(diff, 0))}
	} else {
		key := p.BookKey()
		f = results[key]
		delete(results, key)
		g.searched++
		g.visited += f.nodes
	}
	n := node{pos: p, legal: p.Legal(), p: f.score, outcome: unknown, table: unknown}
	if f.proven {
		n.outcome = bounds(int(f.score), int(f.score))
		n.priority = nothing
	}
	if g.prober != nil {
		if low, high, ok := g.prober.Final(p); ok {
			n.table = bounds(low, high)
		}
	}
	i, err := g.nodes.add(n)
	if err != nil {
		return 0, err
	}
	g.enter(i)
	return i, nil
}

// expand gives a leaf its moves. Those that lead to new positions add them, with their results.
func (g *graph) expand(i index, results map[int64]found) (err error) {
	n := g.nodes.at(i)
	first := index(g.edges.len + 1)
	for child := range n.children() {
		c := g.find(child)
		if c == 0 {
			c, err = g.add(child, results)
			if err != nil {
				return err
			}
		} else if g.leads(c, i) {
			c = 0
		}
		if err := g.link(i, c); err != nil {
			return err
		}
	}
	n.edges = first
	g.expanded++
	g.propagate(i)
	return nil
}

// link adds a move from a node to another, 0 for a move that would close a cycle.
func (g *graph) link(from, to index) error {
	e, err := g.edges.add(edge{from: from, to: to})
	if err != nil || to == 0 {
		return err
	}
	child := g.nodes.at(to)
	g.edges.at(e).next = child.parents
	child.parents = e
	return nil
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

// parents yields the nodes with a move to a node.
func (g *graph) parents(n *node) func(yield func(index) bool) {
	return func(yield func(index) bool) {
		for e := n.parents; e != 0; e = g.edges.at(e).next {
			if !yield(g.edges.at(e).from) {
				return
			}
		}
	}
}

// leads reports whether moves lead from one node to another, so that a move back would close a
// cycle. Captures cannot be undone: no position of such a line has another progress.
func (g *graph) leads(from, to index) bool {
	progress := g.nodes.at(to).pos.Progress()
	if n := g.nodes.at(from); !n.isExpanded() || n.pos.Progress() != progress {
		return false
	}
	g.marks++
	g.nodes.at(to).mark = g.marks
	for list := []index{to}; len(list) > 0; {
		i := list[len(list)-1]
		list = list[:len(list)-1]
		if i == from {
			return true
		}
		for i := range g.parents(g.nodes.at(i)) {
			if p := g.nodes.at(i); p.mark != g.marks && p.pos.Progress() == progress {
				p.mark = g.marks
				list = append(list, i)
			}
		}
	}
	return false
}

// setChosen sets whether a leaf is in flight and so cannot be chosen.
func (g *graph) setChosen(leaf index, on bool) {
	n := g.nodes.at(leaf)
	n.priority = [roles]int32{}
	if on {
		n.priority = nothing
	}
	g.propagate(leaf)
}

// propagate recomputes the ancestors of a changed leaf or a newly expanded node, as far as values
// change.
func (g *graph) propagate(i index) {
	for queue := []index{i}; len(queue) > 0; queue = queue[1:] {
		n := g.nodes.at(queue[0])
		n.queued = false
		if n.isExpanded() && !g.recompute(n) {
			continue
		}
		for i := range g.parents(n) {
			if p := g.nodes.at(i); !p.queued {
				p.queued = true
				queue = append(queue, i)
			}
		}
	}
}

// recompute derives the value and priorities of an expanded node from its children and reports
// whether they changed.
func (g *graph) recompute(n *node) bool {
	before := *n
	var buf [oware.Houses]move
	moves := g.appendMoves(buf[:0], n)
	best := moves[0].value
	n.outcome = moves[0].outcome
	for _, m := range moves[1:] {
		best = max(best, m.value)
		n.outcome = outcome{max(n.outcome.low, m.outcome.low), max(n.outcome.high, m.outcome.high)}
	}
	n.p = int16(best)
	n.priority = nothing
	if !n.outcome.isDecided() {
		for role := range n.priority {
			_, n.priority[role] = g.costs.mostUrgent(moves, role)
		}
	}
	return n.p != before.p || n.priority != before.priority || n.outcome != before.outcome
}

// outcome is the proven bounds of a game's result for the player to move, each −1 for a loss, 0 for
// a draw, 1 for a win.
type outcome struct{ low, high int8 }

// unknown is the outcome without a proof.
var unknown = outcome{-1, 1}

func (o outcome) isDecided() bool { return o.low == o.high }

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
var decidedWin, _ = search.DecidedScore(1, 1)

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
	child   index // 0 if it closes a cycle
	value   int32 // in centi-seeds
	outcome outcome
	behind  [roles]int32 // priority of the position it leads to, by the role of the player to move there
}

// appendMoves appends the moves of a node, from the left: none of a leaf. Nothing is expanded after
// a decided move, or one that closes a cycle.
func (g *graph) appendMoves(dst []move, n *node) []move {
	e := n.edges
	if e == 0 {
		return dst
	}
	for set := n.legal; set != 0; set &= set - 1 {
		m := move{house: oware.Move(bits.TrailingZeros8(set)), child: g.edges.at(e).to, outcome: unknown, behind: nothing}
		e++
		if m.child == 0 {
			m.value = int32(book.RepetitionScore(n.pos.Play(m.house)))
		} else {
			c := g.nodes.at(m.child)
			known := c.outcome
			if c.table != unknown && c.pos.Progress() != n.pos.Progress() {
				known = known.and(c.table)
			}
			m.outcome = known.forOther()
			m.value = m.outcome.within(back(int32(c.p)))
			if !m.outcome.isDecided() {
				m.behind = c.priority
			}
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
	if g.nodes.at(root).pos.ToMove() == side {
		return bookPlayer
	}
	return opponent
}

// nextLeaf descends from the root to the most urgent leaf for the book of a side, the leftmost of
// equals, and returns the line to it; leaf is 0 if there is nothing to expand.
func (g *graph) nextLeaf(side oware.Side) (leaf index, line []oware.Move) {
	role := g.rootRole(side)
	if g.nodes.at(root).priority[role] == never {
		return 0, nil
	}
	var buf [oware.Houses]move
	for leaf = root; g.nodes.at(leaf).isExpanded(); role = 1 - role {
		moves := g.appendMoves(buf[:0], g.nodes.at(leaf))
		next, _ := g.costs.mostUrgent(moves, role)
		line = append(line, moves[next].house)
		leaf = moves[next].child
	}
	return leaf, line
}
