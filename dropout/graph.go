package dropout

import (
	"math"
	"math/bits"

	"kroo/engine/search"
	"kroo/games/oware"
)

// index of a node in Graph.nodes.
type index = int32

// roles of the player to move at a node.
const (
	bookPlayer = iota // priority epb
	opponent          // priority epo
	roles
)

// node is a position of the graph.
type node struct {
	pos      oware.Position
	parents  []index             // through moves that are not cycles
	children [oware.Houses]index // of an expanded node; meaningless for illegal moves and cycles
	order    int32               // topological: below that of every child
	h        int32               // centi-seeds by the own search, for the player to move
	p        int32               // propagated: h of a leaf, the best move of an expanded node
	depth    int32               // plies of the own search
	searched int64               // positions it visited
	priority [roles]float64      // of the leaves below, by what the player to move is
	cycles   uint8               // moves that would close a cycle, bit i for house i
	expanded bool                // the children are there
	final    bool                // the result is proven: a leaf for ever
	chosen   bool                // a leaf of the batch in hand: not to be chosen again
	queued   bool                // waits in Graph.queue
}

// Graph is the positions of a book under construction.
type Graph struct {
	omega    float64
	nodes    []node // the root first
	byKey    map[int64]index
	expanded int

	queue queue       // nodes to be recomputed
	sort  sortScratch // of the topological order
}

func newGraph(omega float64) *Graph {
	return &Graph{omega: omega, byKey: map[int64]index{}}
}

// found is the outcome of a search that the graph keeps.
type found struct {
	score  int32 // centi-seeds for the player to move
	depth  int32
	nodes  int64
	proven bool
}

// add makes a leaf of a position that is not in the graph yet.
func (g *Graph) add(key int64, p oware.Position, f found) index {
	n := node{pos: p, order: int32(len(g.nodes)), h: f.score, p: f.score, depth: f.depth, searched: f.nodes, final: f.proven}
	i := index(len(g.nodes))
	g.nodes = append(g.nodes, n)
	g.byKey[key] = i
	g.recompute(i)
	return i
}

// terminalResult is the value of a position that ends the game.
func terminalResult(p oware.Position) (found, bool) {
	diff, over := p.Terminal()
	if !over {
		return found{}, false
	}
	f := found{proven: true}
	switch {
	case diff > 0:
		f.score = search.Win
	case diff < 0:
		f.score = -search.Win
	}
	return f, true
}

// expand gives a leaf its children. It takes the searches of those that are
// not in the graph yet out of results.
func (g *Graph) expand(i index, results map[int64]found) {
	pos := g.nodes[i].pos
	for set := pos.Legal(); set != 0; set &= set - 1 {
		m := bits.TrailingZeros8(set)
		child := pos.Play(oware.Move(m))
		key := child.BookKey()
		c, there := g.byKey[key]
		if !there {
			f, over := terminalResult(child)
			if !over {
				f = results[key]
				delete(results, key)
			}
			c = g.add(key, child, f)
		}
		if there && !g.precede(i, c) {
			g.nodes[i].cycles |= 1 << m
			continue
		}
		g.nodes[i].children[m] = c
		g.nodes[c].parents = append(g.nodes[c].parents, i)
	}
	g.nodes[i].expanded, g.nodes[i].chosen = true, false
	g.expanded++
	g.propagate(i)
}

// edge is a legal move of an expanded node.
type edge struct {
	move  oware.Move
	child index // -1 for a cycle
	value int32 // centi-seeds for the player who makes the move
}

// edges fills buf with the moves of an expanded node, from the left.
func (g *Graph) edges(i index, buf *[oware.Houses]edge) []edge {
	n, k := &g.nodes[i], 0
	for set := n.pos.Legal(); set != 0; set &= set - 1 {
		m := bits.TrailingZeros8(set)
		e := edge{move: oware.Move(m), child: -1}
		if n.cycles>>m&1 != 0 {
			e.value = cycleValue(n.pos.Play(e.move))
		} else {
			e.child = n.children[m]
			e.value = back(g.nodes[e.child].p)
		}
		buf[k] = e
		k++
	}
	return buf[:k]
}

// cycleValue is what moving to p is worth when p is thereby repeated, as a
// heuristic value: in another game it may be no repetition.
func cycleValue(p oware.Position) int32 {
	diff, _ := p.Repetition(2)
	return int32(-100 * diff)
}

// back turns a value into that of the move which leads there; a proven result
// is a ply further away.
func back(v int32) int32 {
	switch {
	case v > search.MaxHeuristic+1:
		v--
	case v < -search.MaxHeuristic-1:
		v++
	}
	return -v
}

// seeds is a value in seeds, at most 24 either way.
func seeds(v int32) float64 {
	return float64(min(max(v, -100*oware.Seeds/2), 100*oware.Seeds/2)) / 100
}

// recompute derives the value and priorities of a node from its children and
// tells whether they changed.
func (g *Graph) recompute(i index) bool {
	p, priority := g.derive(i)
	n := &g.nodes[i]
	changed := p != n.p || priority != n.priority
	n.p, n.priority = p, priority
	return changed
}

func (g *Graph) derive(i index) (p int32, priority [roles]float64) {
	n := &g.nodes[i]
	if !n.expanded {
		if n.final || n.chosen {
			return n.h, [roles]float64{math.Inf(1), math.Inf(1)}
		}
		return n.h, [roles]float64{}
	}
	var buf [oware.Houses]edge
	edges := g.edges(i, &buf)
	p = edges[0].value
	for _, e := range edges[1:] {
		p = max(p, e.value)
	}
	for role := range priority {
		priority[role] = math.Inf(1)
		for _, e := range edges {
			priority[role] = min(priority[role], 1+g.urgency(e, p, role))
		}
	}
	return p, priority
}

// urgency is what a move adds to the choice at its node, whose best move is
// worth best, when the player to move has the given role. Low is urgent.
func (g *Graph) urgency(e edge, best int32, role int) float64 {
	if e.child < 0 || role == bookPlayer && e.value != best {
		return math.Inf(1)
	}
	below := g.nodes[e.child].priority[1-role]
	if role == opponent {
		below += g.omega * (seeds(best) - seeds(e.value))
	}
	return below
}

// rootRole is the role of the player to move at the root in the book of a side.
func (g *Graph) rootRole(side oware.Side) int {
	if g.nodes[0].pos.ToMove() == side {
		return bookPlayer
	}
	return opponent
}

// choose descends to the most urgent leaf for the book of a side. The leftmost
// of equal moves is taken. It is false if there is nothing to expand.
func (g *Graph) choose(side oware.Side) (leaf index, ok bool) {
	role := g.rootRole(side)
	if math.IsInf(g.nodes[0].priority[role], 1) {
		return 0, false
	}
	for i := index(0); ; role = 1 - role {
		if !g.nodes[i].expanded {
			return i, true
		}
		var buf [oware.Houses]edge
		next, least := index(-1), math.Inf(1)
		for _, e := range g.edges(i, &buf) {
			if u := g.urgency(e, g.nodes[i].p, role); u < least {
				next, least = e.child, u
			}
		}
		i = next
	}
}

// setChosen keeps a leaf from being chosen, or lets it be chosen again.
func (g *Graph) setChosen(leaf index, chosen bool) {
	g.nodes[leaf].chosen = chosen
	g.propagate(leaf)
}

// propagate recomputes a node and, as far as something changes, its
// ancestors: each once, when all of its changed children are done.
func (g *Graph) propagate(i index) {
	g.enqueue(i)
	for len(g.queue) > 0 {
		i := g.queue.pop()
		g.nodes[i].queued = false
		if g.recompute(i) {
			for _, parent := range g.nodes[i].parents {
				g.enqueue(parent)
			}
		}
	}
}

func (g *Graph) enqueue(i index) {
	if n := &g.nodes[i]; !n.queued {
		n.queued = true
		g.queue.push(item{n.order, i})
	}
}
