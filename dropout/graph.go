package dropout

import (
	"cmp"
	"math/bits"

	"kroo/book"
	"kroo/engine/search"
	"kroo/games/oware"
)

// index of a node in Graph.nodes.
type index = int32

// none is the absence of a node or an edge.
const none = -1

// node is a position of the graph, 48 bytes: a graph has millions of them.
type node struct {
	pos      oware.Position
	priority [book.Roles]int32 // of the leaves below, by the role of the player to move: epb and epo
	order    int32             // topological: below that of every child
	edges    int32             // first edge, if expanded; one per legal move, from the left
	parents  int32             // the first edge that leads here, or none
	h        int16             // by its own search, in centi-seeds for the player to move
	p        int16             // propagated: h of a leaf, the best move of an expanded node
	legal    uint8             // moves, bit i for house i
	outcome  outcome           // proven bounds for the player to move
	table    outcome           // bounds of the endgame tables if a capture led here
	flags    uint8
}

// flags of a node
const (
	expanded = 1 << iota // has edges
	proven               // decided by its own search or the rules: always a leaf
	chosen               // in flight: not to be chosen again
	queued               // in Graph.queue
)

func (n *node) is(flag uint8) bool { return n.flags&flag != 0 }

// edge is a legal move of an expanded node.
type edge struct {
	child  index // none for a move that would close a cycle
	parent index
	next   int32 // the next edge that leads to the child, or none
}

// Graph is the positions of a book under construction.
type Graph struct {
	costs    book.Costs
	prober   search.Prober[oware.Position] // may be nil
	nodes    paged[node]                   // the root first
	edges    paged[edge]
	lookup   lookup
	expanded int
	searched int   // nodes that were searched
	visited  int64 // positions visited by the searches

	queue queue       // nodes to be recomputed
	sort  sortScratch // of the topological order
}

func newGraph(cfg Config) *Graph {
	return &Graph{costs: book.NewCosts(cfg.Omega), prober: cfg.Prober}
}

// found is the part of a search result that the graph keeps.
type found struct {
	nodes  int64
	score  int16 // centi-seeds for the player to move
	proven bool
}

// terminalResult returns the value of a position that ends the game.
func terminalResult(p oware.Position) (found, bool) {
	diff, over := p.Terminal()
	if !over {
		return found{}, false
	}
	return found{proven: true, score: int16(search.Win * cmp.Compare(diff, 0))}, true
}

// add adds a position that is not in the graph yet as a leaf.
func (g *Graph) add(p oware.Position, f found) index {
	n := node{pos: p, legal: p.Legal(), order: int32(g.nodes.len()), edges: none, parents: none, h: f.score, table: unknown}
	if f.proven {
		n.flags = proven
	}
	if g.prober != nil {
		if low, high, ok := g.prober.Final(p); ok {
			n.table = bounds(low, high)
		}
	}
	if _, over := p.Terminal(); !over { // a program need not report nodes
		g.searched++
		g.visited += f.nodes
	}
	i := g.nodes.add(n)
	g.enter(i)
	g.recompute(i)
	return i
}

// expand gives a leaf its edges. It moves the searches of children that are not in the graph yet
// from results into new nodes.
func (g *Graph) expand(i index, results map[int64]found) {
	n := g.nodes.at(i)
	first := int32(g.edges.len())
	for set := n.legal; set != 0; set &= set - 1 {
		child := n.pos.Play(oware.Move(bits.TrailingZeros8(set)))
		c, there := g.find(child)
		if !there {
			c = g.add(child, takeResult(child, results))
		}
		if there && !g.precede(i, c) {
			c = none
		}
		g.link(i, c)
	}
	n.edges = first
	n.flags = n.flags&^chosen | expanded
	g.expanded++
	g.propagate(i)
}

// takeResult returns the result for a new node.
func takeResult(p oware.Position, results map[int64]found) found {
	f, over := terminalResult(p)
	if !over {
		key := p.BookKey()
		f = results[key]
		delete(results, key)
	}
	return f
}

// link adds an edge; for a cycle, one without a child.
func (g *Graph) link(parent, child index) {
	e := edge{child: child, parent: parent, next: none}
	if child != none {
		e.next = g.nodes.at(child).parents
	}
	at := g.edges.add(e)
	if child != none {
		g.nodes.at(child).parents = at
	}
}

// setChosen sets whether a leaf is in flight and so cannot be chosen.
func (g *Graph) setChosen(leaf index, on bool) {
	n := g.nodes.at(leaf)
	n.flags &^= chosen
	if on {
		n.flags |= chosen
	}
	g.propagate(leaf)
}
