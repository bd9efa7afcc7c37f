package book

import (
	"cmp"
	"math/bits"
	"slices"

	"kroo/games/oware"
)

// closesCycle reports whether a move on a cycle has the value of one that closes it.
func (g *graph) closesCycle(l link) bool { return g.score(l) == closing(g.position(l.to)) }

// certainClosers finds the moves that certainly close a cycle, as a mask per entry, bit i for house i: their
// value is that of a repetition and differs from that of the target entry.
func (g *graph) certainClosers() []uint8 {
	cut := make([]uint8, len(g.entries))
	g.inCycles(func(link) bool { return true }, func(l link) {
		if g.closesCycle(l) && g.score(l) != g.backed(l) {
			cut[l.from] |= 1 << l.move
		}
	})
	return cut
}

// closers picks moves so that every cycle of the book contains at least one: first the known ones;
// then, as far as needed, moves whose value is both that of a repetition and that of the target
// entry; then any move of the remaining cycles.
func (g *graph) closers() []uint8 {
	cut := g.certainClosers()
	kept := func(l link) bool { return cut[l.from]>>l.move&1 == 0 }
	remove := func(l link) { cut[l.from] |= 1 << l.move }
	var doubtful []link
	g.inCycles(kept, func(l link) {
		if g.closesCycle(l) {
			doubtful = append(doubtful, l)
		}
	})
	for _, l := range doubtful {
		remove(l)
	}
	g.components(kept, remove)
	component := g.components(kept, nil)
	for _, l := range doubtful {
		if component[l.to] < component[l.from] { // not on a cycle
			cut[l.from] &^= 1 << l.move
		}
	}
	return cut
}

// count returns the number of moves in a set.
func count(set []uint8) (n int) {
	for _, moves := range set {
		n += bits.OnesCount8(moves)
	}
	return n
}

// inCycles calls visit for every kept link on a cycle of kept links.
func (g *graph) inCycles(kept func(link) bool, visit func(link)) {
	component := g.components(kept, nil)
	for i := range g.entries {
		g.links(i, func(l link) {
			if l.to >= 0 && component[l.to] == component[i] && kept(l) {
				visit(l)
			}
		})
	}
}

// propagate makes the values consistent. A move to an entry gets the negative of that entry's best
// value. A move that closes a cycle or ends the game gets the result that the rules give. Other
// moves keep their values.
func (g *graph) propagate() {
	cut := g.closers()
	g.settle(cut, g.backwards(cut), nil)
}

// settle is propagate for given cycle-closing moves and the resulting order. Bounds of endgame
// tables, which may be nil, override the values of searches and entries.
func (g *graph) settle(cut []uint8, order []int, tables Prober) {
	for _, i := range order {
		g.links(i, func(l link) {
			value := g.score(l)
			switch {
			case l.to == gameEnd:
				value = ending(g.position(i).Play(l.move))
			case l.to == outside:
				value = g.bounded(tables, l, value)
			case cut[i]>>l.move&1 != 0:
				value = closing(g.position(i).Play(l.move))
			default:
				value = g.bounded(tables, l, g.backed(l))
			}
			g.entries[i].Scores[l.move] = int16(value)
		})
	}
}

// backwards orders the entries so that each comes after those that its moves lead to. It ignores the
// moves in cut, which breaks every cycle.
func (g *graph) backwards(cut []uint8) []int {
	component := g.components(func(l link) bool { return cut[l.from]>>l.move&1 == 0 }, nil)
	order := make([]int, len(g.entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(component[i], component[j]) })
	return order
}

// ending returns the value of a move to a position that ends the game, in points for the side that
// makes it.
func ending(p oware.Position) int {
	diff, _ := p.Terminal()
	return -maxScore * cmp.Compare(diff, 0)
}
