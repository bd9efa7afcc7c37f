package profile

import (
	"context"
	"iter"
	"math"

	"kroo/internal/doc"
)

// tally counts the values of a column: small whole numbers in a slice, others in a map, which moves
// to a sorter when it is full, so that memory is limited. NaN counts as missing.
type tally struct {
	rows, missing int
	small         []int // counts of −listed, …, listed−1
	others        map[float64]int
	most          int     // greatest length of others
	counts        *sorter // the counts of both so far: values as bitsOf, and rows
}

// listed is the limit of small numbers on either side of 0.
const listed = 1 << 11

// tallyRoom is the memory in bytes shared by the tallies of a file, followed by the least and most
// of each.
const (
	tallyRoom  = 16 << 20
	leastRoom  = 1 << 16
	enoughRoom = 1 << 20
)

// newTallies returns n tallies.
func newTallies(n int) []tally {
	all := make([]tally, n)
	for i := range all {
		all[i] = newTally(min(enoughRoom, max(leastRoom, tallyRoom/n)))
	}
	return all
}

func newTally(room int) tally {
	return tally{others: map[float64]int{}, most: room / 64, counts: newSorter(2, room/2)}
}

func (t *tally) add(v float64) error {
	if v != v {
		t.missing++
		return nil
	}
	t.rows++
	if i := int(v); float64(i) == v && i < listed && i >= -listed {
		if t.small == nil {
			t.small = make([]int, 2*listed)
		}
		t.small[i+listed]++
		return nil
	}
	t.others[v]++
	if len(t.others) < t.most {
		return nil
	}
	return t.move()
}

// move moves the counts to the sorter.
func (t *tally) move() error {
	for i, n := range t.small {
		if n > 0 {
			t.others[float64(i-listed)] = n
		}
	}
	clear(t.small)
	for v, n := range t.others {
		if err := t.counts.Add(bitsOf(v), uint64(n)); err != nil {
			return err
		}
	}
	clear(t.others)
	return nil
}

// bitsOf maps numbers to integers of the same order.
func bitsOf(v float64) uint64 {
	bits := math.Float64bits(v)
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

// counted is the number of rows with a value.
type counted struct {
	value float64
	rows  int
}

// all yields the values in ascending order.
func (t *tally) all(ctx context.Context) iter.Seq2[counted, error] {
	return func(yield func(counted, error) bool) {
		if err := t.move(); err != nil {
			yield(counted{}, err)
			return
		}
		var last counted
		for r, err := range t.counts.all(ctx) {
			if err != nil {
				yield(counted{}, err)
				return
			}
			next := counted{numberOf(r[0]), int(r[1])}
			if last.rows > 0 && last.value == next.value {
				next.rows += last.rows
			} else if last.rows > 0 && !yield(last, nil) {
				return
			}
			last = next
		}
		if last.rows > 0 {
			yield(last, nil)
		}
	}
}

// describe returns the number of distinct values and their spread, nil without values.
func (t *tally) describe(ctx context.Context) (distinct int, _ *doc.Spread, err error) {
	var s doc.Spread
	quartiles := [3]*float64{&s.Q1, &s.Median, &s.Q3}
	squares, seen := 0.0, 0
	for c, err := range t.all(ctx) {
		if err != nil {
			return 0, nil, err
		}
		if distinct++; distinct == 1 {
			s.Min, s.Mean = c.value, c.value
		}
		s.Max = c.value
		for i, at := range quartiles {
			if rank := max(1, (t.rows*(i+1)+3)/4); seen < rank && rank <= seen+c.rows {
				*at = c.value
			}
		}
		// West's update of mean and squares (1979).
		seen += c.rows
		off := c.value - s.Mean
		s.Mean += off * float64(c.rows) / float64(seen)
		squares += float64(c.rows) * off * (c.value - s.Mean)
	}
	if distinct == 0 {
		return 0, nil, nil
	}
	s.SD = math.Sqrt(squares / float64(t.rows))
	return distinct, &s, nil
}
