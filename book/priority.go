package book

import (
	"fmt"
	"math"
	"strconv"

	"kroo/games/oware"
)

// Roles of the side to move at a position, for the priorities of drop-out expansion.
const (
	BookPlayer = iota // plays only best moves
	Opponent          // plays any move
	Roles
)

// Priorities are counted in fractions of a ply, so that they are exact and take four bytes. Lower is
// more urgent.
const (
	Ply         = 1 << 12
	Never       = math.MaxInt32 // nothing to expand
	maxPriority = Never - 1     // the largest finite priority
)

// DefaultOmega counts a seed given away by the opponent like two plies, one move of each player. The
// players of existing books regard moves within one seed of the best as playable (Sala Soler 2014),
// so such replies must be in the book, only a little less deep than the best. An ω near 0 wastes the
// book on blunders, which are most of a tree with five moves per position.
const DefaultOmega = 2

// Costs are the settings that the priorities of drop-out expansion depend on
// (Lincke 2001). A leaf has priority 0, any other position one more than the
// most urgent of its moves:
//
//	the book's player moves: the priority behind, of the best moves only
//	the other side moves:    the priority behind + ω·loss in seeds, of all moves
type Costs struct {
	loss float64 // plies per centi-seed
}

// NewCosts returns costs with ω in plies per seed.
func NewCosts(omega float64) Costs { return Costs{omega * Ply / 100} }

// costs returns the costs of the expansion that made the book, with DefaultOmega if the header lacks
// ω.
func (h Header) costs() (Costs, error) {
	omega := float64(DefaultOmega)
	if text, ok := h.lookup(FieldOmega); ok {
		var err error
		if omega, err = strconv.ParseFloat(text, 64); err != nil || !(omega >= 0) || math.IsInf(omega, 1) {
			return Costs{}, fmt.Errorf("header field %s is %.60q: expected a number of at least 0", FieldOmega, text)
		}
	}
	return NewCosts(omega), nil
}

// Choice is a move as seen by the player who makes it.
type Choice struct {
	Value  int32        // centi-seeds
	Behind [Roles]int32 // priority of the position that it leads to, by the role of the player to move there
}

// Next returns the index of the most urgent of the moves of a position, the leftmost of equals, and
// the priority of the position in a role. It returns −1 and Never if there is nothing to expand
// after any of them.
func (c *Costs) Next(moves []Choice, role int) (next int, priority int32) {
	best := moves[0].Value
	for _, m := range moves[1:] {
		best = max(best, m.Value)
	}
	next, priority = -1, Never
	for k, m := range moves {
		u := int32(Never)
		switch {
		case role == Opponent:
			loss := seeds(best) - seeds(m.Value)
			u = plus(m.Behind[BookPlayer], int32(min(math.Round(c.loss*float64(loss)), maxPriority)))
		case m.Value == best:
			u = m.Behind[Opponent]
		}
		if u < priority {
			next, priority = k, u
		}
	}
	return next, plus(priority, Ply)
}

// plus adds priorities without overflow.
func plus(a, b int32) int32 {
	if a == Never || b == Never {
		return Never
	}
	return int32(min(int64(a)+int64(b), maxPriority))
}

// seeds clamps a value to ±24 seeds, in centi-seeds.
func seeds(v int32) int32 { return min(max(v, -100*oware.Half), 100*oware.Half) }
