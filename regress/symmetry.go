package regress

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/internal/checksum"
)

// maxPairs is the approximate number of rows compared; larger tables are sampled by situation.
const maxPairs = 1 << 17

// checkSymmetry returns an error if a column of another program is visibly not a difference between
// the side to move and the other side: with the other side to move the value must change its sign,
// and with the sides exchanged it must stay the same.
func (s *tableSamples[P]) checkSymmetry(ctx context.Context) error {
	columns := slices.DeleteFunc(slices.Clone(s.table.Meta.Columns), func(c string) bool { return !slices.Contains(s.names, c) })
	if s.game.Exchange == nil || len(columns) == 0 {
		return nil
	}
	sample := 1 + uint64(s.table.Rows)/maxPairs // keeps one situation in this many
	values := map[P][]float64{}
	err := s.positions(ctx, columns, func(positions []P, b *datasets.Batch) {
		for i, p := range positions {
			if sample > 1 && checksum.Mix(uint64(datasets.GroupOf(s.game, 0, p, 0)))%sample != 0 {
				continue
			}
			for c := range columns {
				values[p] = append(values[p][:c:c], b.Numbers(c + 1)[i])
			}
		}
	})
	for c := 0; c < len(columns) && err == nil; c++ {
		if pairs, bad, first := s.asymmetries(values, c); bad > 0 {
			err = fmt.Errorf("%s: column %s is not a difference, mover minus opponent, in %d of %d pairs of rows: %s; convert it, or name its view (adopt --columns-view)",
				s.table.Path(), columns[c], bad, pairs, first)
		}
	}
	return err
}

// asymmetries compares a column's values on boards with those on their images. It describes one of
// the pairs that differ.
func (s *tableSamples[P]) asymmetries(values map[P][]float64, c int) (pairs, bad int, first string) {
	const tolerance = 1e-6 // values are rounded to seven digits or more
	for p, own := range values {
		for _, want := range []struct {
			position P
			sign     float64
			how      string
		}{{s.game.Pass(p), -1, "with the other side to move"}, {s.game.Exchange(p), 1, "with the sides exchanged"}} {
			other, ok := values[want.position]
			if !ok || want.position == p {
				continue
			}
			pairs++
			if math.Abs(own[c]*want.sign-other[c]) <= tolerance*max(1, math.Abs(own[c]), math.Abs(other[c])) {
				continue
			}
			bad++
			if text := fmt.Sprintf("%g on %s and, %s, %g", own[c], s.game.Print(p), want.how, other[c]); first == "" || text < first { // independent of the order
				first = text
			}
		}
	}
	return pairs, bad, first
}
