package dropout

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
)

// Entries returns the book: every expanded node with the values of its moves in points, ascending by
// key. It serves the player of the side it was built for, and includes the positions with the
// opponent to move.
func (g *Graph) Entries() []book.Entry {
	entries := make([]book.Entry, 0, g.expanded)
	for i := range index(g.nodes.len()) {
		if g.nodes.at(i).is(expanded) {
			entries = append(entries, g.entry(i))
		}
	}
	slices.SortFunc(entries, func(a, b book.Entry) int { return cmp.Compare(a.Key, b.Key) })
	return entries
}

func (g *Graph) entry(i index) book.Entry {
	n := g.nodes.at(i)
	e := book.Entry{Key: n.pos.BookKey(), Scores: unknownScores}
	if n.is(expanded) {
		var buf [oware.Houses]move
		for _, m := range g.moves(i, &buf) {
			e.Scores[m.house] = int16(points(int(m.value)))
		}
	}
	return e
}

var unknownScores = [oware.Houses]int16{book.Illegal, book.Illegal, book.Illegal, book.Illegal, book.Illegal, book.Illegal}

// rootScores returns the values of the moves at the root in points, by house from the mover's left;
// book.Illegal for illegal moves, and for all moves if a context stopped Build before it expanded
// the root.
func (g *Graph) rootScores() [oware.Houses]int16 {
	if g.nodes.len() == 0 {
		return unknownScores
	}
	return g.entry(0).Scores
}

// bestAtRoot returns the best move at the root, the leftmost of equals, and its value in points; ok
// is false if the root is not expanded.
func (g *Graph) bestAtRoot() (m oware.Move, points int, ok bool) {
	m, points = book.Entry{Scores: g.rootScores()}.Best()
	return m, points, points != book.Illegal
}

// pv returns the principal variation: best moves from the root to a leaf, the leftmost of equals.
func (g *Graph) pv() (line []oware.Move) {
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

// best returns the best move of an expanded node, the leftmost of equals.
func (g *Graph) best(i index) move {
	var buf [oware.Houses]move
	for _, m := range g.moves(i, &buf) {
		if m.value == int32(g.nodes.at(i).p) {
			return m
		}
	}
	panic("dropout: a node without a best move")
}

// diagram returns the drop-out diagram of a side (Lincke 2001): the leaves reachable when the side's
// player plays only best moves, and the opponent any, by depth.
func (g *Graph) diagram(side oware.Side) []book.Leaf {
	var leaves []book.Leaf
	g.walk(func(i index, depth int) (follow []move) {
		n := g.nodes.at(i)
		ours := n.pos.ToMove() == side
		if !n.is(expanded) {
			leaves = append(leaves, newLeaf(int32(n.p), ours, depth, n.is(proven)))
			return nil
		}
		var buf [oware.Houses]move
		for _, e := range g.moves(i, &buf) {
			switch {
			case ours && e.value != int32(n.p):
			case e.child == none:
				leaves = append(leaves, newLeaf(e.value, ours, depth+1, true))
			default:
				follow = append(follow, e)
			}
		}
		return follow
	})
	slices.SortStableFunc(leaves, func(a, b book.Leaf) int { return cmp.Compare(a.Depth, b.Depth) })
	return leaves
}

// newLeaf converts a value for the player to move or, for a repetition, for the player who made the
// move.
func newLeaf(value int32, ours bool, depth int, decided bool) book.Leaf {
	if !ours {
		value = -value
	}
	return book.Leaf{Value: points(int(value)), Depth: depth, Decided: decided}
}

// walk visits nodes breadth-first from the root, each once, with its distance, and continues along
// the edges that visit returns.
func (g *Graph) walk(visit func(i index, depth int) []move) {
	if g.nodes.len() == 0 {
		return
	}
	seen := make([]bool, g.nodes.len())
	seen[0] = true
	level := []index{0}
	for depth := 0; len(level) > 0; depth++ {
		var next []index
		for _, i := range level {
			for _, e := range visit(i, depth) {
				if !seen[e.child] {
					seen[e.child] = true
					next = append(next, e.child)
				}
			}
		}
		level = next
	}
}

// Stats describes a graph.
type Stats struct {
	Nodes    int   // positions, including proven ones
	Expanded int   // positions in the book
	Leaves   int   // positions that could be expanded
	Cycles   int   // moves kept out because they would close a cycle
	MaxDepth int   // largest distance of a node from the root, in plies
	Searched int   // positions searched: all except ends of the game
	Visited  int64 // positions visited by the searches
}

// Stats walks through the whole graph.
func (g *Graph) Stats() Stats {
	s := Stats{Nodes: g.nodes.len(), Expanded: g.expanded, Searched: g.searched, Visited: g.visited}
	g.walk(func(i index, depth int) (follow []move) {
		n := g.nodes.at(i)
		s.MaxDepth = depth
		if !n.is(expanded) {
			if !n.is(proven) {
				s.Leaves++
			}
			return nil
		}
		var buf [oware.Houses]move
		for _, e := range g.moves(i, &buf) {
			if e.child == none {
				s.Cycles++
			} else {
				follow = append(follow, e)
			}
		}
		return follow
	})
	return s
}

// fields returns the fields of the book's header about how it was made.
func (c Config) fields() []book.Field {
	fields := []book.Field{
		{Name: book.FieldRules, Value: c.Rules.String()},
		{Name: book.FieldLimits, Value: limitsText(c.Limits)},
		{Name: book.FieldOmega, Value: decimal(c.Omega)},
		{Name: "Sides", Value: string(c.Sides)},
		{Name: "Width", Value: strconv.Itoa(c.Width)},
	}
	if c.Engine != "" {
		fields = append(fields, book.Field{Name: book.FieldEngine, Value: c.Engine})
	}
	return fields
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func limitsText(l search.Limits) string {
	var parts []string
	if l.Depth > 0 {
		parts = append(parts, fmt.Sprintf("depth %d", l.Depth))
	}
	if l.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("nodes %d", l.Nodes))
	}
	if l.Time > 0 {
		parts = append(parts, "time "+l.Time.String())
	}
	return strings.Join(parts, ", ")
}

// points converts a score to points, the scale of books.
func points(score int) int { return engine.Points(oware.Descriptor().Info, score) }
