package oware

import "slices"

// firstLarge is the first bucket of houses in which a seed more or less is
// hardly seen. Fewer seeds can be captured, or just not yet: those cells mean
// something each.
const firstLarge = 4

// Coarser gives for each column the one that can stand for it where rows are
// too few, with one bucket or count closer to what is common; -1 for none.
// Following it, a cell of a pattern loses seeds of its fullest house down to 4–5
// seeds, an exact count of seeds goes down to 4, and a pair of stores towards
// equal ones with as many seeds in play.
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
