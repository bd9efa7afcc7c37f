package oware

import "math"

// gridUnit is the step of pattern weights on the grid, in points: the last binary
// place that an entry of an evaluator's pattern tables can have.
const gridUnit = 1.0 / (1 << maxPlaces) / centi

// ToGrid rounds the weights of the families of patterns, one a column of the set, to
// whole multiples of a sixteenth of a centi-seed. A position has up to 138 of them, which
// together are then off by a fifth of a centi-seed (root mean square), less than a value
// is rounded by anyway. Entries of an [Evaluator]'s tables are sums of such weights. On the grid the
// sums need no rounding of their own, as long as the largest fits, and what depends on a
// few houses stays the same number all over a table: a compiled file is up to four times
// smaller.
func (s *Set) ToGrid(weights []float32) {
	for _, t := range s.parts {
		if t.patterns == nil {
			continue
		}
		w := weights[t.from:][:t.columns()]
		for i, x := range w {
			w[i] = float32(math.Round(float64(x)/gridUnit) * gridUnit)
		}
	}
}
