package profile

import (
	"cmp"
	"context"
	"iter"
	"math"

	"kroo/internal/doc"
)

// tally counts the values of a column: small whole numbers in slices, others in a sorter, so that
// memory is limited. NaN counts as missing.
type tally struct {
	rows, missing int
	below, above  []int   // counts of −1, −2, … and of 0, 1, …
	others        *sorter // all other numbers, in the order of bitsOf; nil without any
	room          int     // memory of the sorter in bytes
}

// listed is the limit of the slices on either side of 0.
const listed = 1 << 12

// tallyRoom is the memory shared by the tallies of a file, followed by the least and most of each.
const (
	tallyRoom  = 16 << 20
	leastRoom  = 1 << 16
	enoughRoom = 1 << 20
)

// newTallies returns n tallies.
func newTallies(n int) []tally {
	all := make([]tally, n)
	for i := range all {
		all[i].room = min(enoughRoom, max(leastRoom, tallyRoom/n))
	}
	return all
}

func (t *tally) add(v float64) error {
	if v != v {
		t.missing++
		return nil
	}
	t.rows++
	if i := int(v); float64(i) == v && i < listed && i >= -listed {
		count(&t.below, &t.above, i)
		return nil
	}
	if t.others == nil {
		t.others = newCounts(t.room)
	}
	return t.others.Add(bitsOf(v), 1)
}

// count increments element i of two slices that extend on either side of zero.
func count(below, above *[]int, i int) {
	list := above
	if i < 0 {
		list, i = below, -1-i
	}
	for len(*list) <= i {
		*list = append(*list, 0)
	}
	(*list)[i]++
}

func (t *tally) close() error {
	if t.others == nil {
		return nil
	}
	return t.others.Close()
}

// bitsOf maps numbers to integers of the same order. −0 is the same as 0.
func bitsOf(v float64) uint64 {
	bits := math.Float64bits(v + 0)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

// numberOf is the inverse of bitsOf.
func numberOf(bits uint64) float64 {
	if bits>>63 == 1 {
		return math.Float64frombits(bits &^ (1 << 63))
	}
	return math.Float64frombits(^bits)
}

// counted is a value with its number of rows.
type counted struct {
	value float64
	rows  int
}

// all yields the values in ascending order.
func (t *tally) all(ctx context.Context) iter.Seq2[counted, error] {
	return func(yield func(counted, error) bool) {
		next := -len(t.below)
		upTo := func(v float64) bool { // yields the small ones below v
			for ; next < len(t.above) && float64(next) < v; next++ {
				n := 0
				if next < 0 {
					n = t.below[-1-next]
				} else {
					n = t.above[next]
				}
				if n > 0 && !yield(counted{float64(next), n}, nil) {
					return false
				}
			}
			return true
		}
		if t.others != nil {
			for r, err := range t.others.all(ctx) {
				if err != nil {
					yield(counted{}, err)
					return
				}
				v := numberOf(r[0])
				if !upTo(v) || !yield(counted{v, int(r[1])}, nil) {
					return
				}
			}
		}
		upTo(math.Inf(1))
	}
}

// describe returns the number of distinct values and their spread, nil without values.
func (t *tally) describe(ctx context.Context) (distinct int, _ *doc.Spread, err error) {
	var s doc.Spread
	rank := func(share float64) int { return max(1, int(math.Ceil(share*float64(t.rows)))) }
	squares, before := 0.0, 0
	for c, err := range t.all(ctx) {
		if err != nil {
			return 0, nil, err
		}
		if distinct++; distinct == 1 {
			s.Min, s.Mean = c.value, c.value
		}
		s.Max = c.value
		seen := before + c.rows
		for _, q := range []struct {
			at *float64
			of int
		}{{&s.Q1, rank(0.25)}, {&s.Median, rank(0.5)}, {&s.Q3, rank(0.75)}} {
			if before < q.of && q.of <= seen {
				*q.at = c.value
			}
		}
		// West's update of mean and squares (1979).
		off := c.value - s.Mean
		s.Mean += off * float64(c.rows) / float64(seen)
		squares += float64(c.rows) * off * (c.value - s.Mean)
		before = seen
	}
	if distinct == 0 {
		return 0, nil, nil
	}
	s.SD = math.Sqrt(squares / float64(t.rows))
	return distinct, &s, nil
}

// closeAll closes tallies.
func closeAll(all []tally) (err error) {
	for i := range all {
		err = cmp.Or(err, all[i].close())
	}
	return err
}
