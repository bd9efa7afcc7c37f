package endgame

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"kroo/games/oware"
	"kroo/internal/mapfile"
)

// Bounds is the kind of values in a table.
type Bounds string

// The kinds of bounds. Awari and simple tables are Exact, abapa tables Crude or Sharp.
const (
	Exact Bounds = "exact"
	Crude Bounds = "crude"
	Sharp Bounds = "sharp"
)

// Serves reports whether the rules can have tables. Under [oware.Arena] the value of a
// position depends on the remaining plies of the game.
func Serves(rules oware.Rules) bool { return rules != oware.Arena }

// ParseBounds parses a kind of bounds for the given rules. "" means the tightest kind.
func ParseBounds(name string, rules oware.Rules) (Bounds, error) {
	if !Serves(rules) {
		return "", fmt.Errorf("rules %s have no endgame tables: values depend on the plies left", rules)
	}
	switch b := Bounds(name); {
	case rules != oware.Abapa && (b == "" || b == Exact):
		return Exact, nil
	case rules == oware.Abapa && b == "":
		return Sharp, nil
	case rules == oware.Abapa && (b == Crude || b == Sharp):
		return b, nil
	case rules == oware.Abapa:
		return "", fmt.Errorf("bounds %.40q for abapa: expected crude or sharp", name)
	}
	return "", fmt.Errorf("bounds %.40q for %s: expected exact", name, rules)
}

// Table has the values of all positions with up to [Table.Seeds] seeds in play. Its
// methods are safe for concurrent use, except Close.
type Table struct {
	rules  oware.Rules
	bounds Bounds
	seeds  int
	// resolved is the level up to which a search has narrowed bounds to values.
	resolved int
	made     string
	sums     []uint32 // CRC-32C of each level, from the file; nil for a table built in memory
	// data has the positions in order. An exact value is the mover's lead as an int8.
	// Bounds are two bytes: the seeds that the mover and the other player are sure of.
	data   []byte
	file   *mapfile.File // nil for a table built in memory
	mapped bool          // file is mapped
}

// Rules returns the rules that the table is for.
func (t *Table) Rules() oware.Rules { return t.rules }

// Bounds returns the kind of values.
func (t *Table) Bounds() Bounds { return t.bounds }

// Seeds returns the highest level of the table.
func (t *Table) Seeds() int { return t.seeds }

// ResolvedLevel returns the level up to which a search has narrowed bounds to exact values,
// within its budget.
func (t *Table) ResolvedLevel() int { return t.resolved }

// Made returns the line that describes the table's origin.
func (t *Table) Made() string { return t.made }

// Name returns the name under which records identify the table among those for the same
// rules: its kind, its size and a checksum of all values.
func (t *Table) Name() string {
	sums := t.sums
	if sums == nil {
		sums = t.levelSums()
	}
	var all []byte
	for _, sum := range sums {
		all = binary.BigEndian.AppendUint32(all, sum)
	}
	return fmt.Sprintf("%s of %d seeds %08x", t.bounds, t.seeds, crc32.Checksum(all, castagnoli))
}

// width returns the bytes per position.
func (b Bounds) width() int {
	if b == Exact {
		return 1
	}
	return 2
}

// base returns the number of positions with fewer than n seeds.
func base(n int) int { return int(binomials[houses-1][n]) }

// size returns the size of a table in bytes, without the header.
func (b Bounds) size(seeds int) int { return base(seeds+1) * b.width() }

// Probe looks up a position. The seeds in play are worth between low and high to the
// player to move, as a difference in seeds. ok is false for positions that are not in the
// table. See the package comment for when a bound may be used.
func (t *Table) Probe(p oware.Position) (low, high int, ok bool) {
	own, opp := p.SideSeeds()
	n := own + opp
	if n > t.seeds || p.Rules() != t.rules {
		return 0, 0, false
	}
	i := int(within(p.Words()))
	if !t.mapped {
		low, high = t.at(n, i)
		return low, high, true
	}
	return t.probeMapped(n, i)
}

// probeMapped is Probe for a mapped file, which may be truncated at any time.
func (t *Table) probeMapped(n, i int) (low, high int, ok bool) {
	err := t.file.Guard(func() { low, high = t.at(n, i) })
	return low, high, err == nil
}

// Err returns an error if the table's file has been modified or truncated since it was
// opened. Probes may then have missed positions or returned wrong bounds.
func (t *Table) Err() error { return t.file.Err() }

// read calls f, which reads the data. If it returns an error, as Err does, the data that f
// has read is invalid.
func (t *Table) read(f func()) error {
	t.file.Guard(f) // see Err
	return t.Err()
}

// at returns the value of position i of level n.
func (t *Table) at(n, i int) (low, high int) {
	i += base(n)
	if t.bounds == Exact {
		v := int(int8(t.data[i]))
		return v, v
	}
	return 2*int(t.data[2*i]) - n, n - 2*int(t.data[2*i+1])
}

// Final is Probe with the stores added: low and high bound the final difference in seeds
// for the player to move. The game is decided if both are on the same side of zero.
func (t *Table) Final(p oware.Position) (low, high int, ok bool) {
	low, high, ok = t.Probe(p)
	stores := p.Store() - p.OpponentStore()
	return stores + low, stores + high, ok
}

// Close unmaps the table.
func (t *Table) Close() error {
	t.data = nil
	return t.file.Close()
}

// store encodes the values of level n into the data.
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
