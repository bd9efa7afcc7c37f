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

// newTally returns a tally that keeps about the given number of bytes in memory.
func newTally(room int) tally {
	return tally{others: map[float64]int{}, most: room / 64, counts: newSorter(2, room/2)}
}

func (t *tally) add(v float64) {
	if v != v {
		t.missing++
		return
	}
	t.rows++
	if i := int(v); float64(i) == v && i < listed && i >= -listed {
		if t.small == nil {
			t.small = make([]int, 2*listed)
		}
		t.small[i+listed]++
		return
	}
	if t.others[v]++; len(t.others) == t.most {
		t.move()
	}
}

func (t *tally) addAll(values []float64) {
	for _, v := range values {
		t.add(v)
	}
}

// move moves the counts to the sorter.
func (t *tally) move() {
	for i, n := range t.small {
		if n > 0 {
			t.others[float64(i-listed)] = n
		}
	}
	clear(t.small)
	for v, n := range t.others {
		t.counts.Add(bitsOf(v), uint64(n))
	}
	clear(t.others)
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

// all yields the values in ascending order, each with its number of rows.
func (t *tally) all(ctx context.Context) iter.Seq2[float64, int] {
	return func(yield func(float64, int) bool) {
		t.move()
		value, rows := 0.0, 0
		for r := range t.counts.all(ctx) {
			next := numberOf(r[0])
			if rows > 0 && next != value {
				if !yield(value, rows) {
					return
				}
				rows = 0
			}
			value, rows = next, rows+int(r[1])
		}
		if rows > 0 {
			yield(value, rows)
		}
	}
}

// describe returns the number of distinct values and their spread, nil without values.
func (t *tally) describe(ctx context.Context) (distinct int, s *doc.Spread) {
	s = &doc.Spread{}
	quartiles := [3]*float64{&s.Q1, &s.Median, &s.Q3}
	squares, seen := 0.0, 0
	for v, n := range t.all(ctx) {
		if distinct++; distinct == 1 {
			s.Min, s.Mean = v, v
		}
		s.Max = v
		for i, at := range quartiles {
			if rank := max(1, (t.rows*(i+1)+3)/4); seen < rank && rank <= seen+n {
				*at = v
			}
		}
		// West's update of mean and squares (1979).
		seen += n
		off := v - s.Mean
		s.Mean += off * float64(n) / float64(seen)
		squares += float64(n) * off * (v - s.Mean)
	}
	if distinct == 0 {
		return 0, nil
	}
	s.SD = math.Sqrt(squares / float64(t.rows))
	return distinct, s
}
