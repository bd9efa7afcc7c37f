package oware

import "math"

// How the weights of patterns become small integers, in three steps:
//
//	float32  a weight in points, as fitted
//	 grid    a weight as a multiple of 1/16 centi-seed (gridUnit), in the model
//	int16    an entry of a table in the file (fineTable), a sum of weights in centi-seeds with 1 to 4 binary
//	         places (minPlaces, maxPlaces): as many as let the largest entry fit
//	int8     an entry of a table for play, in units of its table (patternTables.units): as small as lets the
//	         largest entry of that table fit
//
// Entries of stores and houses have Evaluator.shift more binary places than those of the file.

// gridUnit is the step of pattern weights on the grid, in points: the last binary place that an
// entry of an evaluator's pattern tables can have.
const gridUnit = 1.0 / (1 << maxPlaces) / centi

// ToGrid rounds weights, one per column of the set, in place: those of pattern families become
// multiples of a sixteenth of a centi-seed. At most 138 of them count in a position, so its value
// changes by a fifth of a centi-seed (root mean square), less than an [Evaluator]'s own rounding.
// Table entries are sums of such weights and, as long as the largest fits, need no rounding of
// their own. So the weight of a small pattern adds the same number to many entries of a table, and
// a compiled file is up to four times smaller.
func (s *PatternSet) ToGrid(weights []float64) {
	for _, t := range s.parts {
		if t.of.patterns == nil {
			continue
		}
		w := weights[t.From:t.To]
		for i, x := range w {
			w[i] = float64(float32(math.Round(x/gridUnit) * gridUnit))
		}
	}
}

const (
	maxPlaces = 4 // binary places of the entries of patterns in a file: as many as let the largest fit
	minPlaces = 1
)

// fineTable is a pattern table as stored in a file, in centi-seeds with some binary places: a
// weight of few houses then adds the same number to many entries, so the file is small.
type fineTable [patternSize]int16

// fineTables are the tables of a stage.
type fineTables [triplePairs]fineTable

// placesThatFit returns the largest number of binary places with which all entries of the pattern
// tables fit, or the minimum.
func placesThatFit(exact [][triplePairs][]float64) uint {
	var largest float64
	for _, tables := range exact {
		for _, table := range tables {
			for _, x := range table {
				largest = max(largest, math.Abs(x))
			}
		}
	}
	places := uint(maxPlaces)
	for places > minPlaces && largest*float64(int(1)<<places) > math.MaxInt16 {
		places--
	}
	return places
}

// roundToInt16 makes the table of a pair in the file from exact entries in centi-seeds; unit is a centi-seed in
// the file's last place.
func (t *fineTable) roundToInt16(exact []float64, unit float64) error {
	for i, x := range exact {
		v := math.Round(x * unit)
		if math.Abs(v) > math.MaxInt16 {
			return tooLarge(x, math.MaxInt16/unit)
		}
		t[i] = int16(v)
	}
	return nil
}

// maxEntry is the largest entry of a table for play.
const maxEntry = 127

// roundToInt8 makes the table of a pair for play: each entry is the nearest number of units, halves up. The unit is
// the smallest with which all entries are within ±maxEntry.
func (t *patternTables) roundToInt8(pair int, from *fineTable, shift uint) {
	most := 0
	for _, v := range from {
		if x := int(v); uint(x+most) > uint(2*most) { // outside ±most; the branch is rare, so well predicted
			most = max(x, -x)
		}
	}
	step := max((most+maxEntry-1)/maxEntry, 1) // in the file's last place
	t.units[pair] = int32(step << shift)
	// (2v + step) / 2step rounded down, by a multiplication. It is exact, since the dividend is
	// below 2^18 and made positive by maxEntry+1 steps.
	const places = 40
	more := int64(2*maxEntry+3) * int64(step)
	inverse := (1<<places-1)/(2*int64(step)) + 1
	to := &t.entries[pair]
	for i, v := range from {
		to[i] = int8((2*int64(v)+more)*inverse>>places - maxEntry - 1)
	}
}
