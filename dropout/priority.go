package dropout

import (
	"math"

	"kroo/games/oware"
)

// roles of the side to move at a position, for the priorities of drop-out expansion.
const (
	bookPlayer = iota // plays only best moves
	opponent          // plays any move
	roles
)

// Priorities are counted in fractions of a ply, so that they are exact and take four bytes. Lower is
// more urgent.
const (
	ply         = 1 << 12
	never       = math.MaxInt32 // nothing to expand
	maxPriority = never - 1     // the largest finite priority
)

// thesisOmega counts a seed given away by the opponent like two plies, one move of each player. The
// players of existing books regard moves within one seed of the best as playable (Sala Soler 2014),
// so such replies must be in the book, only a little less deep than the best. An ω near 0 wastes the
// book on blunders, which are most of a tree with five moves per position.
const thesisOmega = 2

// championOmega is ω for searches with the default weights. Their scores are small in the opening: a
// score of one seed there is worth 2.9 seeds at the end of the game (docs/champion), so the same
// loss needs a larger factor than thesisOmega. Measured: a book of 30 000 searches lasts 8.2
// moves per game against an opponent who varies, against 6.8 with ω = 2 and 7.2 with ω = 32
// (docs/book.md). It is also the default of the setting omega.
const championOmega = 8

// costs are the settings that the priorities of drop-out expansion depend on
// (Lincke 2001). A leaf has priority 0, any other position one more than the
// most urgent of its moves:
//
//	the book's player moves: the priority behind, of the best moves only
//	the other side moves:    the priority behind + ω·loss in seeds, of all moves
type costs struct {
	perCentiSeed float64 // priority for each centi-seed that the opponent loses
}

// newCosts returns costs with ω in plies per seed.
func newCosts(omega float64) costs { return costs{omega * ply / 100} }

// mostUrgent returns the index of the most urgent move of a position, the leftmost of equals, and
// the priority of the position in a role. It returns −1 and never if there is nothing to expand
// after any of them.
func (c costs) mostUrgent(moves []move, role int) (next int, priority int32) {
	best := moves[0].value
	for _, m := range moves[1:] {
		best = max(best, m.value)
	}
	next, priority = -1, never
	for k, m := range moves {
		u := int32(never)
		switch {
		case role == opponent:
			loss := seeds(best) - seeds(m.value)
			u = plus(m.behind[bookPlayer], int32(min(math.Round(c.perCentiSeed*float64(loss)), maxPriority)))
		case m.value == best:
			u = m.behind[opponent]
		}
		if u < priority {
			next, priority = k, u
		}
	}
	return next, plus(priority, ply)
}

// nothing is the priority, in either role, of a node with nothing to expand.
var nothing = [roles]int32{never, never}

// plus adds priorities without overflow.
func plus(a, b int32) int32 {
	if a == never || b == never {
		return never
	}
	return int32(min(int64(a)+int64(b), maxPriority))
}

// seeds clamps a value to ±24 seeds, in centi-seeds.
func seeds(v int32) int32 { return min(max(v, -100*oware.Half), 100*oware.Half) }
