package book

import (
	"fmt"

	"kroo/games/oware"
)

// links checks the values of moves against those of the entries that they lead to,
// and against the rules where they end the game.
func (c *checker) links(g *graph) {
	c.report.Closing = count(g.known())
	component := g.components(func(link) bool { return true }, nil)
	closes := make([]uint8, len(g.entries)) // moves that count as closing a cycle, bit i for house i
	for i := range g.entries {
		g.links(i, func(l link) {
			switch {
			case l.to == gameEnd:
				c.ending(g, l)
			case l.to >= 0:
				c.report.Links++
				if c.link(g, l, component[i] == component[l.to]) {
					closes[i] |= 1 << l.move
				}
			}
		})
	}
	g.components(func(l link) bool { return closes[l.from]>>l.move&1 == 0 }, func(l link) {
		c.moveFault(endlessLine, g, l, "leads back to an entry of its line and takes the value of that entry, %d: expected %d, as for a repetition",
			g.score(l), closing(g.position(l.to)))
	})
}

// link checks a move to an entry. It is true for one that may count as closing a
// cycle.
func (c *checker) link(g *graph, l link, onCycle bool) (closes bool) {
	value, repeats := g.score(l), closing(g.position(l.to))
	switch {
	case onCycle && value == repeats:
		return true
	case value == g.backed(l), value == g.bounded(c.tables, l, g.backed(l)):
	case onCycle && repeats == maxScore-1 && value == maxScore, onCycle && repeats == 1-maxScore && value == -maxScore:
		c.moveFault(provenCycle, g, l, "closes a cycle and counts as proven: expected %d", repeats)
		return true
	default:
		c.moveFault(inconsistent, g, l, "is worth %d: the entry that it leads to says %d", value, g.backed(l))
	}
	return false
}

func (c *checker) ending(g *graph, l link) {
	if want := ending(g.position(l.from).Play(l.move)); g.score(l) != want {
		c.moveFault(wrongEnding, g, l, "ends the game and is worth %d: expected %d", g.score(l), want)
	}
}

// moveFault records a fault of a move.
func (c *checker) moveFault(kind Kind, g *graph, l link, format string, args ...any) {
	p := g.position(l.from)
	c.fault(kind, l.from, p.String(), "move "+oware.MoveName(l.move, p.ToMove())+" "+fmt.Sprintf(format, args...))
}

// probe looks for values that the tables refute. Only after a capture a bound of the
// tables holds whatever the game before.
func (c *checker) probe(g *graph) {
	for i := range g.entries {
		g.links(i, func(l link) {
			least, most, ok := g.bounds(c.tables, l)
			if !ok {
				return
			}
			c.report.Probed++
			value := g.score(l)
			if least > 0 && value <= 0 || most < 0 && value >= 0 || most <= 0 && value == maxScore || least >= 0 && value == -maxScore {
				c.moveFault(againstTables, g, l, "is worth %d points: the game ends between %+d and %+d seeds by the tables", value, least, most)
			}
		})
	}
}
