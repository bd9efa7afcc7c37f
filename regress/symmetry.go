package regress

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/checksum"
)

// asymmetry counts the pairs of rows in which a column violates a symmetry.
type asymmetry struct {
	pairs, bad int
	first      string
}

// maxPairs is the approximate number of rows compared; larger tables are sampled by situation.
const maxPairs = 1 << 17

// checkSymmetry returns an error if a column of another program is visibly not a difference between
// the side to move and the other side: with the other side to move the value must change its sign,
// and with the sides exchanged it must stay the same.
func (s *tableSamples[P]) checkSymmetry(ctx context.Context) error {
	columns := s.table.Meta.Columns
	if s.game.Exchange == nil || columns == nil {
		return nil
	}
	sample := 1 + uint64(s.table.Rows)/maxPairs // keeps one situation in this many
	values := map[P][]float64{}
	err := s.positions(ctx, columns, func(positions []P, b *datasets.Batch) {
		for i, p := range positions {
			if sample > 1 && checksum.Mix(uint64(datasets.GroupOf(s.game, 0, p, 0)))%sample != 0 {
				continue
			}
			row := make([]float64, len(columns))
			for c := range row {
				row[c] = b.Numbers(c + 1)[i]
			}
			values[p] = row
		}
	})
	if err != nil {
		return err
	}
	for c, f := range asymmetries(s.game, values, len(columns)) {
		if f.bad > 0 && slices.Contains(s.names, columns[c]) {
			return fmt.Errorf("%s: column %s is not a difference, mover minus opponent, in %d of %d pairs of rows: %s; convert it, or name its view (adopt --columns-view)",
				s.table.Path(), columns[c], f.bad, f.pairs, f.first)
		}
	}
	return nil
}

// asymmetries compares the columns' values on boards with those on their images.
func asymmetries[P games.Position[P]](g *games.Game[P], values map[P][]float64, columns int) []asymmetry {
	found := make([]asymmetry, columns)
	for p, own := range values {
		for _, want := range []struct {
			position P
			sign     float64
			how      string
		}{{g.Pass(p), -1, "with the other side to move"}, {g.Exchange(p), 1, "with the sides exchanged"}} {
			other, ok := values[want.position]
			if !ok || want.position == p {
				continue
			}
			for c := range found {
				found[c].add(own[c], other[c], want.sign, func() string {
					return fmt.Sprintf("%g on %s and, %s, %g", own[c], g.Print(p), want.how, other[c])
				})
			}
		}
	}
	return found
}

// add compares two values; other should equal v times sign.
func (a *asymmetry) add(v, other, sign float64, pair func() string) {
	const tolerance = 1e-6 // values are rounded to seven digits or more
	a.pairs++
	if math.Abs(v*sign-other) > tolerance*max(1, math.Abs(v), math.Abs(other)) {
		a.bad++
		if text := pair(); a.first == "" || text < a.first { // independent of the order
			a.first = text
		}
	}
}
