package oware

import "slices"

// firstLarge is the first bucket of seed counts in which one seed more or less hardly
// matters. In the buckets below every count differs: one or two seeds can be captured
// by one more, none and three cannot.
const firstLarge = 4

// Coarser gives, for each column, the column that stands in for it where too few rows
// have it, or -1. The stand-in is one step nearer to what is common: the fullest house
// of a pattern has one bucket less, down to the bucket of 4–5 seeds; an exact count of
// seeds is one less, down to 4; a pair of stores is nearer to equal, with as many seeds
// in play.
func (s *Set) Coarser() []int32 {
	to := make([]int32, s.size)
	for i := range to {
		to[i] = -1
	}
	for _, t := range s.parts {
		for stage := range t.stages {
			from := t.from + stage*t.size
			t.coarser(func(column, into int) { to[from+column] = int32(from + into) })
		}
	}
	return to
}

// coarser calls set for each column of the family that has a coarser one.
func (f *family) coarser(set func(column, into int)) {
	switch {
	case f.patterns != nil:
		from := 0
		for _, t := range f.patterns {
			for column := range t.size() {
				if into, ok := t.coarser(column); ok {
					set(from+column, from+into)
				}
			}
			from += t.size()
		}
	case f.exact:
		for h := range houses {
			for n := bucketFrom[firstLarge] + 1; n <= exactCap; n++ {
				set(exactColumn(h, n), exactColumn(h, n-1))
			}
		}
	case f.name == "storephase":
		for own := range counts {
			for other := range own - 1 { // the difference shrinks by two
				if i := storePair(own, other); i < f.size && own+other <= 48 {
					set(i, storePair(own-1, other+1))
					set(storePair(other, own), storePair(other+1, own-1))
				}
			}
		}
	}
}

// coarser is the cell with the fullest house, the first of several, a bucket
// lower; false if no house has more than the first large bucket.
func (t pattern) coarser(column int) (int, bool) {
	b := make([]int, len(t))
	for k := range t {
		b[k] = column >> (bucketBits * k) % buckets
	}
	most := slices.Max(b)
	if most <= firstLarge {
		return 0, false
	}
	return column - 1<<(bucketBits*slices.Index(b, most)), true
}
