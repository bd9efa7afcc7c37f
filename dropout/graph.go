package dropout

import (
	"cmp"
	"math"
	"math/bits"

	"kroo/book"
	"kroo/engine/search"
	"kroo/games/oware"
)

// index of a node in Graph.nodes.
type index = int32

// none is no node and no edge.
const none = -1

// node is a position of the graph. A graph has millions of them: 48 bytes.
type node struct {
	pos      oware.Position
	priority [book.Roles]int32 // of the leaves below, by what the player to move is: epb and epo
	order    int32             // topological: below that of every child
	edges    int32             // its first edge, if expanded; one for each legal move, from the left
	parents  int32             // the first edge that leads here, or none
	h        int16             // centi-seeds by the own search, for the player to move
	p        int16             // propagated: h of a leaf, the best move of an expanded node
	legal    uint8             // moves, bit i for house i
	outcome  outcome           // what is proven for the player to move
	table    outcome           // what the endgame tables say if a capture led here
	flags    uint8
}

// flags of a node
const (
	expanded = 1 << iota // the edges are there
	proven               // the own search, or the rules, decide the game: a leaf forever
	chosen               // a leaf in flight: not to be chosen again
	queued               // waits in Graph.queue
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
	window   int32                         // centi-seeds: see hopeless; 0 for none
	prober   search.Prober[oware.Position] // nil for none
	nodes    paged[node]                   // the root first
	edges    paged[edge]
	lookup   lookup
	expanded int
	searched int   // nodes with a search
	visited  int64 // positions that the searches visited

	queue queue       // nodes to be recomputed
	sort  sortScratch // of the topological order
}

func newGraph(cfg Config) *Graph {
	return &Graph{costs: book.NewCosts(cfg.Omega, cfg.Fractional), window: int32(math.Round(100 * cfg.Window)), prober: cfg.Prober}
}

// found is the outcome of a search that the graph keeps.
type found struct {
	nodes  int64
	score  int16 // centi-seeds for the player to move
	proven bool
}

// terminalResult is the value of a position that ends the game.
func terminalResult(p oware.Position) (found, bool) {
	diff, over := p.Terminal()
	if !over {
		return found{}, false
	}
	return found{proven: true, score: int16(search.Win * cmp.Compare(diff, 0))}, true
}

// add makes a leaf of a position that is not in the graph yet.
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
	if _, over := p.Terminal(); !over { // a program need not tell nodes
		g.searched++
		g.visited += f.nodes
	}
	i := g.nodes.add(n)
	g.enter(i)
	g.recompute(i)
	return i
}

// expand gives a leaf its edges. It takes the searches of children that are
// not in the graph yet out of results.
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

// takeResult is what a new node is made of.
func takeResult(p oware.Position, results map[int64]found) found {
	f, over := terminalResult(p)
	if !over {
		key := p.BookKey()
		f = results[key]
		delete(results, key)
	}
	return f
}

// link adds an edge, without a child for a cycle.
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

// setChosen keeps a leaf from being chosen, or lets it be chosen again.
func (g *Graph) setChosen(leaf index, on bool) {
	n := g.nodes.at(leaf)
	n.flags &^= chosen
	if on {
		n.flags |= chosen
	}
	g.propagate(leaf)
}
