package dropout

import (
	"kroo/book"
	"kroo/games/oware"
)

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
	ok = g.descend(side, func(m move) { leaf, depth = m.child, depth+1 })
	return leaf, depth, ok
}

// descend follows the minima to the most urgent leaf, and calls step with each move on the way.
func (g *Graph) descend(side oware.Side, step func(move)) bool {
	role := g.rootRole(side)
	if g.nodes.at(0).priority[role] == book.Never {
		return false
	}
	var buf [oware.Houses]move
	var choices [oware.Houses]book.Choice
	for i := index(0); g.nodes.at(i).is(expanded); role = 1 - role {
		moves := g.moves(i, &buf)
		next, _ := g.costs.Next(g.choices(moves, choices[:0]), role)
		step(moves[next])
		i = moves[next].child
	}
	return true
}

// prospect returns the line to the next leaf of an expansion for a side's book, and its priority in
// plies; ok is false if there is nothing to expand.
func (g *Graph) prospect(side oware.Side) (line []oware.Move, priority float64, ok bool) {
	ok = g.descend(side, func(m move) { line = append(line, m.house) })
	return line, float64(g.nodes.at(0).priority[g.rootRole(side)]) / book.Ply, ok
}
