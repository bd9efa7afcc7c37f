package oware

import "kroo/games/oware"

// TableSide is how many ways there are to fill three houses, as patterns distinguish them:
// a table of patterns has as many rows and columns.
const TableSide = 1 << tripleBits

// Table is what the patterns of six houses, two triples, are worth at a stage of the game.
type Table struct {
	Houses string `json:"houses"` // the side to move's in capitals
	From   int    `json:"from"`   // seeds in play at its stage, at least
	To     int    `json:"to"`     // and at most
	Low    Cell   `json:"low"`    // the least
	High   Cell   `json:"high"`

	stage, pair int
}

// Cell is an entry of a table.
type Cell struct {
	Name   string  `json:"name"` // the houses with their seeds
	Points float64 `json:"points"`
}

// Tables are all tables of patterns, those of the beginning of the game first. There are
// none where the evaluator has no patterns.
func (e *Evaluator) Tables() (all []Table) {
	for stage := e.stages - 1; stage >= 0; stage-- {
		if e.patterns[stage] == nil {
			continue
		}
		for pair, six := range sixes() {
			t := Table{Houses: six.String(), stage: stage, pair: pair}
			for n := oware.Seeds; n >= 0; n-- {
				if stageOf(e.stages, n) == stage {
					t.From, t.To = n, max(t.To, n)
				}
			}
			low, high := 0, 0
			entries := &e.patterns[stage].entries[pair]
			for i, v := range entries {
				if v < entries[low] {
					low = i
				}
				if v > entries[high] {
					high = i
				}
			}
			of := e.patterns[stage]
			t.Low, t.High = Cell{six.label(low), of.points(pair, low)}, Cell{six.label(high), of.points(pair, high)}
			all = append(all, t)
		}
	}
	return all
}

// Points are the entries of a table of Tables, in points for the side to move: rows by the
// last three houses, in each row columns by the first three. The first house of three
// changes fastest.
func (e *Evaluator) Points(t Table) []float64 {
	points := make([]float64, patternSize)
	for i := range points {
		points[i] = e.patterns[t.stage].points(t.pair, i)
	}
	return points
}

// points is what an entry of the tables of patterns is worth.
func (t *patternTables) points(pair, i int) float64 { return unitPoints * float64(t.worth(pair, i)) }
