package oware

import "math"

// gridUnit is the step of pattern weights on the grid, in points: the last binary
// place that an entry of an evaluator's pattern tables can have.
const gridUnit = 1.0 / (1 << maxPlaces) / centi

// ToGrid rounds weights, one a column of the set, in place: those of families of patterns
// become multiples of a sixteenth of a centi-seed. Up to 138 of them count in a position,
// so its value changes by a fifth of a centi-seed (root mean square), less than an
// [Evaluator] rounds it by anyway. Entries of its tables are sums of such weights. On the
// grid the sums need no rounding of their own, as long as the largest fits. So the weight
// of a small pattern adds the same number to many entries of a table, and a compiled file
// is up to four times smaller.
func (s *Set) ToGrid(weights []float64) {
	for _, t := range s.parts {
		if t.patterns == nil {
			continue
		}
		w := weights[t.from:][:t.columns()]
		for i, x := range w {
			w[i] = float64(float32(math.Round(x/gridUnit) * gridUnit))
		}
	}
}
