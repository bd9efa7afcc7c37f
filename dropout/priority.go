package dropout

import (
	"cmp"
	"slices"

	"kroo/book"
	"kroo/games/oware"
)

// hopeless reports whether a leaf's value is too far from the root's to be worth an expansion. The
// root's value is that of its own search: its propagated value would change the priorities of all
// leaves whenever it changes.
func (g *Graph) hopeless(n *node) bool {
	if g.window == 0 || g.nodes.len() == 0 {
		return false
	}
	root := g.nodes.at(0)
	value, from := seeds(int32(n.h)), seeds(int32(root.h))
	if n.pos.ToMove() != root.pos.ToMove() {
		from = -from
	}
	return max(value-from, from-value) > g.window
}

// seeds clamps a value to ±24 seeds, in centi-seeds.
func seeds(v int32) int32 { return min(max(v, -100*oware.Half), 100*oware.Half) }

// choices appends moves for the arithmetic of package book: nothing is expanded after a decided
// move, or one that closes a cycle.
func (g *Graph) choices(moves []move, dst []book.Choice) []book.Choice {
	for _, m := range moves {
		c := book.Choice{Value: m.value, Behind: nothing}
		if m.child != none && !m.outcome.decided() {
			c.Behind = g.nodes.at(m.child).priority
		}
		dst = append(dst, c)
	}
	return dst
}

// nothing is the priority, in either role, of a node with nothing to expand.
var nothing = [book.Roles]int32{book.Never, book.Never}

// rootRole returns the role of the player to move at the root in the book of a side.
func (g *Graph) rootRole(side oware.Side) int {
	if g.nodes.at(0).pos.ToMove() == side {
		return book.BookPlayer
	}
	return book.Opponent
}

// choose descends to the most urgent leaf for the book of a side, the leftmost of equals; ok is
// false if there is nothing to expand.
func (g *Graph) choose(side oware.Side) (leaf index, depth int, ok bool) {
	ok = g.descend(side, func(moves []move, next, _ int) { leaf, depth = moves[next].child, depth+1 })
	return leaf, depth, ok
}

// descend follows the minima to the most urgent leaf. It calls step with the moves of each node on
// the way, the index of the next one, and the role of the player to move.
func (g *Graph) descend(side oware.Side, step func(moves []move, next, role int)) bool {
	role := g.rootRole(side)
	if g.nodes.at(0).priority[role] == book.Never {
		return false
	}
	var buf [oware.Houses]move
	var choices [oware.Houses]book.Choice
	for i := index(0); g.nodes.at(i).is(expanded); role = 1 - role {
		moves := g.moves(i, &buf)
		next, _ := g.costs.Next(g.choices(moves, choices[:0]), role)
		step(moves, next, role)
		i = moves[next].child
	}
	return true
}

// prospect is the next leaf of an expansion for a player's book.
type prospect struct {
	line     []oware.Move
	lost     float64 // loss of the other player's moves on the line, in seeds
	priority float64 // in plies
}

// prospect returns the next leaf for a side's book; ok is false if there is nothing to expand.
func (g *Graph) prospect(side oware.Side) (p prospect, ok bool) {
	lost := int32(0) // in centi-seeds
	ok = g.descend(side, func(moves []move, next, role int) {
		p.line = append(p.line, moves[next].house)
		if role == book.Opponent {
			best := slices.MaxFunc(moves, func(a, b move) int { return cmp.Compare(a.value, b.value) })
			lost += seeds(best.value) - seeds(moves[next].value)
		}
	})
	p.lost = float64(lost) / 100
	p.priority = float64(g.nodes.at(0).priority[g.rootRole(side)]) / book.Ply
	return p, ok
}
