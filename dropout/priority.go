package dropout

import (
	"math"

	"kroo/games/oware"
)

// Priorities are counted in parts of a ply, so that they are exact and take
// four bytes.
const (
	ply      = 1 << 12
	never    = math.MaxInt32 // nothing to expand
	farthest = never - 1     // the largest priority there is
)

// costs are the settings that priorities depend on.
type costs struct {
	loss       float64             // of a centi-seed
	increments [oware.Houses]int32 // of a node with 1, 2, … sensible moves
	window     int32               // centi-seeds; 0 for none
}

// Sensible is how much worse than the best a sensible move is at most, in
// centi-seeds: players of existing books regard moves within one seed of the
// best as playable (Sala Soler 2014).
const sensible = 100

func newCosts(cfg Config) costs {
	c := costs{loss: cfg.Omega * ply / 100, window: int32(math.Round(100 * cfg.Window))}
	for i := range c.increments {
		c.increments[i] = ply
		if cfg.Fractional {
			c.increments[i] = int32(math.Round(ply * math.Log2(float64(i+2)) / 2))
		}
	}
	return c
}

// ofLoss is what a move costs that is so many centi-seeds worse than the best.
func (c *costs) ofLoss(loss int32) int32 {
	return int32(min(math.Round(c.loss*float64(loss)), farthest))
}

// increment is what a node adds to the priorities below it.
func (c *costs) increment(moves []move, best int32) int32 {
	k := 0
	for _, m := range moves {
		if seeds(best)-seeds(m.value) <= sensible {
			k++
		}
	}
	return c.increments[k-1]
}

// plus adds priorities.
func plus(a, b int32) int32 {
	if a == never || b == never {
		return never
	}
	return int32(min(int64(a)+int64(b), farthest))
}

// seeds is a value within ±24 seeds, in centi-seeds.
func seeds(v int32) int32 { return min(max(v, -100*oware.Half), 100*oware.Half) }

// hopeless tells whether a leaf is too far from the root to be worth an
// expansion. The root counts with its own search: its propagated value would
// change the priorities of all leaves whenever it changes.
func (g *Graph) hopeless(n *node) bool {
	if g.costs.window == 0 || g.nodes.len() == 0 {
		return false
	}
	root := g.nodes.at(0)
	value, from := seeds(int32(n.h)), seeds(int32(root.h))
	if n.pos.ToMove() != root.pos.ToMove() {
		from = -from
	}
	return max(value-from, from-value) > g.costs.window
}

// priority is that of an expanded node in a role.
func (g *Graph) priority(moves []move, best int32, known outcome, role int) int32 {
	least := int32(never)
	if known.decided() {
		return never
	}
	for _, m := range moves {
		least = min(least, g.urgency(m, best, role))
	}
	return plus(least, g.costs.increment(moves, best))
}

// urgency is what a move adds to the choice at its node, whose best move is
// worth best, when the player to move has the given role. Low is urgent.
func (g *Graph) urgency(m move, best int32, role int) int32 {
	if m.child == none || m.outcome.decided() || role == bookPlayer && m.value != best {
		return never
	}
	below := g.nodes.at(m.child).priority[1-role]
	if role == opponent {
		below = plus(below, g.costs.ofLoss(seeds(best)-seeds(m.value)))
	}
	return below
}

// rootRole is the role of the player to move at the root in the book of a side.
func (g *Graph) rootRole(side oware.Side) int {
	if g.nodes.at(0).pos.ToMove() == side {
		return bookPlayer
	}
	return opponent
}

// choose descends to the most urgent leaf for the book of a side. The leftmost
// of equal moves is taken. It is false if there is nothing to expand.
func (g *Graph) choose(side oware.Side) (leaf index, depth int, ok bool) {
	role := g.rootRole(side)
	if g.nodes.at(0).priority[role] == never {
		return 0, 0, false
	}
	var buf [oware.Houses]move
	for i := index(0); ; role, depth = 1-role, depth+1 {
		n := g.nodes.at(i)
		if !n.is(expanded) {
			return i, depth, true
		}
		least := int32(never)
		for _, m := range g.moves(i, &buf) {
			if u := g.urgency(m, int32(n.p), role); u < least {
				i, least = m.child, u
			}
		}
	}
}
