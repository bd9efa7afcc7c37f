package oware

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
