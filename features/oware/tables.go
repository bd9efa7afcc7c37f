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

// unitPoints is the worth of a unit of the tables of stores and houses, in points.
const unitPoints = 1.0 / (1 << smallPlaces) / centi

// Curves are what each number of seeds in each house is worth by itself, in points for
// the side to move, at the stage of the game of a position. The houses are A…F a…f, those
// of the side to move first. Patterns are not part of it.
func (e *Evaluator) Curves(p oware.Position) (points [houses][counts]float64) {
	stage := e.stageAt(p)
	for h := range houses {
		for n := range counts {
			points[h][n] = unitPoints * float64(e.house(stage, h, n))
		}
	}
	return points
}

// Slice is what the patterns are worth, in points for the side to move, if the seeds of
// two houses of a position change and those of the others stay: by the bucket of house g,
// then of house h, which are numbered as in Curves. It is nil where the evaluator has no
// patterns. [BucketNames] names the buckets.
func (e *Evaluator) Slice(p oware.Position, g, h int) [][]float64 {
	t := e.patterns[e.stageAt(p)]
	if t == nil {
		return nil
	}
	points := make([][]float64, buckets)
	b := bucketsOf(p)
	for i := range points {
		points[i] = make([]float64, buckets)
		for j := range points[i] {
			b[g], b[h] = uint8(i), uint8(j)
			for pair, six := range sixes() {
				points[i][j] += t.points(pair, int(six.column(&b)))
			}
		}
	}
	return points
}

// BucketNames are the numbers of seeds that patterns tell apart.
func BucketNames() []string { return append([]string(nil), bucketNames[:]...) }

// stageAt is the stage of the game that a position's stores tell.
func (e *Evaluator) stageAt(p oware.Position) int {
	return int(e.stores[p.Store()<<6|p.OpponentStore()].stage)
}
