package dropout

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
)

// Entries is the book: every expanded node with the values of its moves in
// points, ascending by key. It serves the player of the side it was built for;
// the positions with the opponent to move are in it as well.
func (g *Graph) Entries() []book.Entry {
	entries := make([]book.Entry, 0, g.expanded)
	for i := range g.nodes {
		if g.nodes[i].expanded {
			entries = append(entries, g.entry(index(i)))
		}
	}
	slices.SortFunc(entries, func(a, b book.Entry) int { return cmp.Compare(a.Key, b.Key) })
	return entries
}

func (g *Graph) entry(i index) book.Entry {
	e := book.Entry{Key: g.nodes[i].pos.BookKey(), Scores: unknownScores}
	if g.nodes[i].expanded {
		var buf [oware.Houses]edge
		for _, move := range g.edges(i, &buf) {
			e.Scores[move.move] = int16(points(int(move.value)))
		}
	}
	return e
}

var unknownScores = [oware.Houses]int16{book.Illegal, book.Illegal, book.Illegal, book.Illegal, book.Illegal, book.Illegal}

// RootScores are the values of the moves at the root in points, by house from
// the mover's left; book.Illegal for illegal moves, and for all if a context
// stopped Build before it expanded the root.
func (g *Graph) RootScores() [oware.Houses]int16 {
	if len(g.nodes) == 0 {
		return unknownScores
	}
	return g.entry(0).Scores
}

// Best is the best move at the root, the leftmost of equals, and its value in
// points. It is false if the root is not expanded.
func (g *Graph) Best() (m oware.Move, points int, ok bool) {
	m, points = book.Entry{Scores: g.RootScores()}.Best()
	return m, points, points != book.Illegal
}

// Leaf is a place where a game leaves the book.
type Leaf struct {
	Value   int  // points for the book's player
	Depth   int  // plies from the root by the shortest way
	Decided bool // the game is over or proven there, or repeats itself
}

// Diagram is the drop-out diagram (Lincke 2001): the leaves that can be
// reached when the player of the given side makes best moves only, and the
// opponent any, by depth.
func (g *Graph) Diagram(side oware.Side) []Leaf {
	var leaves []Leaf
	g.walk(func(i index, depth int) (follow []edge) {
		n := &g.nodes[i]
		ours := n.pos.ToMove() == side
		if !n.expanded {
			leaves = append(leaves, newLeaf(n.p, ours, depth, n.final))
			return nil
		}
		var buf [oware.Houses]edge
		for _, e := range g.edges(i, &buf) {
			switch {
			case ours && e.value != n.p:
			case e.child < 0:
				leaves = append(leaves, newLeaf(e.value, ours, depth+1, true))
			default:
				follow = append(follow, e)
			}
		}
		return follow
	})
	slices.SortStableFunc(leaves, func(a, b Leaf) int { return cmp.Compare(a.Depth, b.Depth) })
	return leaves
}

// newLeaf takes a value for the player to move, or, of a repetition, for the
// one who made the move.
func newLeaf(value int32, ours bool, depth int, decided bool) Leaf {
	if !ours {
		value = -value
	}
	return Leaf{Value: points(int(value)), Depth: depth, Decided: decided}
}

// walk visits nodes in breadth from the root, each once, with its distance,
// and goes on along the edges that visit returns.
func (g *Graph) walk(visit func(i index, depth int) []edge) {
	if len(g.nodes) == 0 {
		return
	}
	seen := make([]bool, len(g.nodes))
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
	Nodes    int   // positions, the proven ones included
	Expanded int   // those that are in the book
	Leaves   int   // those that could be expanded
	Cycles   int   // moves kept out because they would close a cycle
	MaxDepth int   // plies from the root to the farthest node, by the shortest way
	Searched int64 // positions visited by all searches
}

// Stats counts; it walks through the whole graph.
func (g *Graph) Stats() Stats {
	s := Stats{Nodes: len(g.nodes), Expanded: g.expanded}
	g.walk(func(i index, depth int) (follow []edge) {
		n := &g.nodes[i]
		s.MaxDepth = depth
		s.Searched += n.searched
		if !n.expanded {
			if !n.final {
				s.Leaves++
			}
			return nil
		}
		var buf [oware.Houses]edge
		for _, e := range g.edges(i, &buf) {
			if e.child < 0 {
				s.Cycles++
			} else {
				follow = append(follow, e)
			}
		}
		return follow
	})
	return s
}

// Finished tells whether nothing is left to expand for the book of a side.
func (g *Graph) Finished(side oware.Side) bool {
	return len(g.nodes) > 0 && math.IsInf(g.nodes[0].priority[g.rootRole(side)], 1)
}

// Fields are what the header of the book should say about how it was made.
func (c Config) Fields() []book.Field {
	fields := []book.Field{
		{Name: book.FieldRules, Value: c.Rules.String()},
		{Name: book.FieldLimits, Value: limitsText(c.Limits)},
		{Name: book.FieldOmega, Value: strconv.FormatFloat(c.Omega, 'g', -1, 64)},
	}
	if c.Engine != "" {
		fields = append(fields, book.Field{Name: book.FieldEngine, Value: c.Engine})
	}
	return fields
}

func limitsText(l search.Limits) string {
	text := ""
	add := func(name, value string) {
		if text != "" {
			text += ", "
		}
		text += name + " " + value
	}
	if l.Depth > 0 {
		add("depth", strconv.Itoa(l.Depth))
	}
	if l.Nodes > 0 {
		add("nodes", strconv.FormatInt(l.Nodes, 10))
	}
	if l.Time > 0 {
		add("time", l.Time.String())
	}
	return text
}

// points is the worth of a score in points, the scale of books.
func points(score int) int { return engine.Points(oware.Descriptor().Info, score) }
