package dropout

import (
	"time"

	"kroo/games/oware"
)

// Progress is how far an expansion is.
type Progress struct {
	Graph    *Graph        // valid during the call only
	Expanded int           // nodes
	Nodes    int           // positions of the graph
	Searches int64         // finished by this run
	Took     time.Duration // by this run
	Depth    int           // plies from the root to the leaf that was chosen last
	Share    float64       // of the way to the nearest end that can be foreseen, 0 to 1
}

func (b *builder) progress() Progress {
	took := time.Since(b.begin)
	return Progress{
		Graph: b.graph, Expanded: b.graph.expanded, Nodes: b.graph.nodes.len(), Searches: b.searches,
		Took: took, Depth: b.depth, Share: b.cfg.Stop.share(b.counters(), took),
	}
}

// PV is the principal variation: best moves from the root to a leaf, the
// leftmost of equals.
func (g *Graph) PV() (line []oware.Move) {
	if g.nodes.len() == 0 {
		return nil
	}
	for i := index(0); i != none && g.nodes.at(i).is(expanded); {
		m := g.best(i)
		line = append(line, m.house)
		i = m.child
	}
	return line
}

// best is the best move of an expanded node, the leftmost of equals.
func (g *Graph) best(i index) move {
	var buf [oware.Houses]move
	for _, m := range g.moves(i, &buf) {
		if m.value == int32(g.nodes.at(i).p) {
			return m
		}
	}
	panic("dropout: a node without a best move")
}

// rootBest is the best move at the root and its value in centi-seeds, no move
// if the root is not expanded.
func (g *Graph) rootBest() (m oware.Move, value int16) {
	root := g.nodes.at(0)
	if !root.is(expanded) {
		return oware.Houses, root.p
	}
	return g.best(0).house, root.p
}
