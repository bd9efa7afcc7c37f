package endgame

import (
	"fmt"

	"kroo/games/oware"
	"kroo/internal/mapfile"
)

// Bounds is the kind of values in a table.
type Bounds string

// The kinds of bounds. Awari and simple tables are Exact, abapa ones are not.
const (
	Exact Bounds = "exact"
	Crude Bounds = "crude"
	Sharp Bounds = "sharp"
)

// ParseBounds reads the name of a kind, for rules: "" is the best there is.
func ParseBounds(name string, rules oware.Rules) (Bounds, error) {
	switch b := Bounds(name); {
	case rules != oware.Abapa && (b == "" || b == Exact):
		return Exact, nil
	case rules == oware.Abapa && b == "":
		return Sharp, nil
	case rules == oware.Abapa && (b == Crude || b == Sharp):
		return b, nil
	case rules == oware.Abapa:
		return "", fmt.Errorf("endgame: bounds %q for abapa: expected crude or sharp", name)
	}
	return "", fmt.Errorf("endgame: bounds %q for %s: its values are exact", name, rules)
}

// Table holds what players are sure of, for all positions with up to so many
// seeds in play. All methods but Close may be called from several goroutines at
// a time.
type Table struct {
	rules  oware.Rules
	bounds Bounds
	seeds  int
	// Bounds of levels up to this one have been searched for values.
	settled int
	made    string // by what
	// data has a position after the other: for exact values the lead of the
	// mover as an int8, for bounds the seeds that the mover is sure of and those
	// that the other is.
	data   []byte
	mapped *mapfile.File // nil for one in memory
}

// Rules are those that the table is for.
func (t *Table) Rules() oware.Rules { return t.rules }

// Bounds is the kind of the values.
func (t *Table) Bounds() Bounds { return t.bounds }

// Seeds is the most seeds in play of the positions in the table.
func (t *Table) Seeds() int { return t.seeds }

// Settled is the level up to which bounds have been narrowed to values by
// search, where that did not take too long.
func (t *Table) Settled() int { return t.settled }

// Made says what made the table.
func (t *Table) Made() string { return t.made }

// width is the number of bytes a position takes.
func (b Bounds) width() int {
	if b == Exact {
		return 1
	}
	return 2
}

// base is the number of positions with fewer seeds.
func base(n int) int { return int(binomials[houses-1][n]) }

// size is the number of bytes of a table.
func (b Bounds) size(seeds int) int { return base(seeds+1) * b.width() }

// Probe looks up a position: the seeds in play will make a difference of at
// least low and at most high for the player to move, if he and his opponent
// play for it. It is false for positions that are not in the table. See the
// package comment for when a bound may be used.
func (t *Table) Probe(p oware.Position) (low, high int, ok bool) {
	own, opp := p.SideSeeds()
	n := own + opp
	if n > t.seeds || p.Rules() != t.rules {
		return 0, 0, false
	}
	low, high = t.at(n, int(within(p.Words())))
	return low, high, true
}

// at is the value of the i-th position of a level.
func (t *Table) at(n, i int) (low, high int) {
	i += base(n)
	if t.bounds == Exact {
		v := int(int8(t.data[i]))
		return v, v
	}
	return 2*int(t.data[2*i]) - n, n - 2*int(t.data[2*i+1])
}

// Final looks up a position and adds what is in the stores: bounds of the final
// difference for the player to move. The game is decided if both are on one
// side of zero.
func (t *Table) Final(p oware.Position) (low, high int, ok bool) {
	low, high, ok = t.Probe(p)
	stores := p.Store() - p.OpponentStore()
	return stores + low, stores + high, ok
}

// Close unmaps the table.
func (t *Table) Close() error {
	t.data = nil
	if err := t.mapped.Close(); err != nil {
		return fmt.Errorf("endgame: %w", err)
	}
	return nil
}

// store puts the values of a level into the data.
func (t *Table) store(n int, v levelValues) {
	to := t.data[base(n)*t.bounds.width():]
	for i := range v[mover] {
		if t.bounds == Exact {
			to[i] = v[mover][i] - v[other][i]
			continue
		}
		to[2*i], to[2*i+1] = v[mover][i], v[other][i]
	}
}

// load is the inverse of store.
func (t *Table) load(n int) levelValues {
	v := levelValues{make([]uint8, Positions(n)), make([]uint8, Positions(n))}
	from := t.data[base(n)*t.bounds.width():]
	for i := range v[mover] {
		if t.bounds == Exact {
			lead := int8(from[i])
			v[mover][i], v[other][i] = uint8(max(0, lead)), uint8(max(0, -lead))
			continue
		}
		v[mover][i], v[other][i] = from[2*i], from[2*i+1]
	}
	return v
}
