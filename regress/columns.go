package regress

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/checksum"
)

// equalColumns finds columns of another program that are the same as another feature in every row.
type equalColumns struct {
	names, columns []string
	pairs          [][2]int // that have been equal so far: of another program, and any
}

func newEqualColumns(names, columns []string) *equalColumns {
	e := &equalColumns{names: names, columns: columns}
	for j, name := range names {
		for k, other := range names {
			if slices.Contains(columns, name) && (k < j || k > j && !slices.Contains(columns, other)) {
				e.pairs = append(e.pairs, [2]int{j, k})
			}
		}
	}
	return e
}

func (e *equalColumns) tally() tally { return &equalTally{e, slices.Clone(e.pairs)} }

type equalTally struct {
	to    *equalColumns
	pairs [][2]int
}

func (t *equalTally) add(b *block) error {
	rows, _ := b.x.Dims()
	for i := 0; i < rows && len(t.pairs) > 0; i++ {
		row := b.x.RawRowView(i)
		t.pairs = slices.DeleteFunc(t.pairs, func(p [2]int) bool { return row[p[0]] != row[p[1]] })
	}
	return nil
}

func (t *equalTally) end() error {
	t.to.pairs = slices.DeleteFunc(t.to.pairs, func(p [2]int) bool { return !slices.Contains(t.pairs, p) })
	return nil
}

// check refuses columns of another program that are the same in every row, or the
// same as another feature. It describes all of them.
func (e *equalColumns) check(spreads []spread) error {
	var bad []string
	for j, name := range e.names {
		same := slices.IndexFunc(e.pairs, func(p [2]int) bool { return p[0] == j })
		switch {
		case !slices.Contains(e.columns, name) || len(spreads) == 0:
		case !spreads[j].varies:
			bad = append(bad, fmt.Sprintf("column %s is %g in every row", name, spreads[j].first))
		case same >= 0:
			bad = append(bad, fmt.Sprintf("column %s is the same as %s in every row", name, e.names[e.pairs[same][1]]))
		}
	}
	if bad == nil {
		return nil
	}
	return errors.New(strings.Join(bad, "; ") + ": leave out such columns (--columns)")
}

// asymmetry counts pairs of rows in which a column is not what symmetry calls for.
type asymmetry struct {
	pairs, bad int
	first      string
}

// pairs are rows by their position, to compare columns of another program in the rows of a
// situation: with the other side to move the same board has the value with the other sign, and
// with the sides exchanged the same value.
type pairs[P games.Position[P]] struct {
	game    *games.Game[P]
	columns []string
	sample  uint64 // one situation in this number is kept
	values  map[P][]float64
}

// maxPairs is about how many rows are compared, of a larger table a sample of its situations.
const maxPairs = 1 << 17

func newPairs[P games.Position[P]](g *games.Game[P], m datasets.Meta, rows int64) *pairs[P] {
	return &pairs[P]{g, m.Columns, 1 + uint64(rows)/maxPairs, map[P][]float64{}}
}

// needed reports whether there is anything to compare.
func (s *pairs[P]) needed() bool { return s.game.Exchange != nil && s.columns != nil }

// add adds a row.
func (s *pairs[P]) add(p P, values []float64) {
	if !s.needed() || len(values) != len(s.columns) {
		return
	}
	if s.sample == 1 || checksum.Mix(uint64(datasets.GroupOf(s.game, 0, p, 0)))%s.sample == 0 {
		s.values[p] = slices.Clone(values)
	}
}

// check refuses columns that are not the side's to move less the other's, as far as the rows show it.
func (s *pairs[P]) check(names []string) error {
	found := make([]asymmetry, len(s.columns))
	for p, values := range s.values {
		for _, want := range []struct {
			position P
			sign     float64
			how      string
		}{{s.game.Pass(p), -1, "with the other side to move"}, {s.game.Exchange(p), 1, "with the sides exchanged"}} {
			other, ok := s.values[want.position]
			if !ok || want.position == p {
				continue
			}
			for c := range s.columns {
				found[c].add(values[c], other[c], want.sign, func() string {
					return fmt.Sprintf("%g on %s and, %s, %g", values[c], s.game.Print(p), want.how, other[c])
				})
			}
		}
	}
	for c, f := range found {
		if f.bad > 0 && slices.Contains(names, s.columns[c]) {
			return fmt.Errorf("column %s is not the side's to move less the other's in %d of %d pairs of rows: %s; give it so, or say whose it is (adopt --columns-view)",
				s.columns[c], f.bad, f.pairs, f.first)
		}
	}
	return nil
}

// add compares two values, the second of which should be the first times the sign.
func (a *asymmetry) add(v, other, sign float64, pair func() string) {
	const tolerance = 1e-6 // of what has been rounded to seven digits or more
	a.pairs++
	if math.Abs(v*sign-other) > tolerance*max(1, math.Abs(v), math.Abs(other)) {
		a.bad++
		if text := pair(); a.first == "" || text < a.first { // whatever the order
			a.first = text
		}
	}
}
