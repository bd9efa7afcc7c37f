package oware

import "math"

const (
	maxPlaces = 4 // binary places of the entries of patterns in a file: as many as let the largest fit
	minPlaces = 1
)

// fineTable is a pattern table as a file keeps it, in centi-seeds with some binary places:
// so a weight of few houses adds the same number to many entries, and a file is small.
type fineTable [patternSize]int16

// fineTables are those of a stage.
type fineTables [triplePairs]fineTable

// mostEntry is the largest entry of a table for play.
const mostEntry = 127

// set makes the table of a pair: each entry is the nearest number of units, halves up. The
// unit is the least with which all entries are at most mostEntry either way.
func (t *patternTables) set(pair int, from *fineTable, shift uint) {
	most := 0
	for _, v := range from {
		if x := int(v); uint(x+most) > uint(2*most) { // outside ±most, which is rare: no time is lost by guessing wrong
			most = max(x, -x)
		}
	}
	step := max((most+mostEntry-1)/mostEntry, 1) // in the file's last place
	t.units[pair] = int32(step << shift)
	// (2v + step) / 2step rounded down, by a multiplication: exact, as what is divided is
	// below 2^18, and above 0 by mostEntry+1 steps more.
	const places = 40
	more, inverse := (2*mostEntry+3)*step, (1<<places-1)/(2*step)+1
	to := &t.entries[pair]
	for i, v := range from {
		to[i] = int8((2*int(v)+more)*inverse>>places - mostEntry - 1)
	}
}

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
