package oware

import (
	"fmt"

	"kroo/features"
	"kroo/games/oware"
)

// Table describes a pattern table: six houses in two triples, at a stage of the game.
type Table struct {
	Houses string `json:"houses"` // the side to move's in capitals
	From   int    `json:"from"`   // minimum number of seeds in play
	To     int    `json:"to"`     // maximum
	Low    Cell   `json:"low"`    // the smallest entry
	High   Cell   `json:"high"`

	stage, pair int
}

// Cell is an entry of a table.
type Cell struct {
	Name   string  `json:"name"` // the houses with their seeds
	Points float64 `json:"points"`
}

// Tables lists all pattern tables, those of the beginning of the game first. It is empty if the
// evaluator has no patterns.
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

// points returns the value of a pattern table's entry.
func (t *patternTables) points(pair, i int) float64 { return unitPoints * float64(t.worth(pair, i)) }

// unitPoints is the unit of the tables of stores and houses, in points.
const unitPoints = 1.0 / (1 << smallPlaces) / centi

// Curves returns the value of each number of seeds in each house by itself, in points for the side
// to move, at the stage of the position. The houses are A…F a…f, those of the side to move first.
// Patterns are not included.
func (e *Evaluator) Curves(p oware.Position) (points [houses][counts]float64) {
	stage := e.stageAt(p)
	for h := range houses {
		for n := range counts {
			points[h][n] = unitPoints * float64(e.house(stage, h, n))
		}
	}
	return points
}

// Slice returns the value of the patterns, in points for the side to move, if the seeds of two
// houses of a position change and the others stay: by the bucket of house g, then of house h,
// numbered as in Curves. It is nil if the evaluator has no patterns. [BucketNames] names the
// buckets.
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

// BucketNames returns the ranges of seeds that patterns distinguish.
func BucketNames() []string { return append([]string(nil), bucketNames[:]...) }

// stageAt returns the stage of the game, which follows from the stores.
func (e *Evaluator) stageAt(p oware.Position) int {
	return int(e.stores[p.Store()<<6|p.OpponentStore()].stage)
}

// Places implements features.placedSet.
func (s *Set) Places(p oware.Position) []features.Place { return houseBoard.Places(p) }

// Share implements features.placedSet: the houses of a column share it equally.
func (s *Set) Share(column int, places []features.Place) []float64 {
	t, local, _ := s.find(column)
	return shareOf(t.touches(local), len(places), 1)
}

// shareOf divides a number equally among houses; nil without houses.
func shareOf(at []uint8, places int, of float64) []float64 {
	if at == nil {
		return nil
	}
	shares := make([]float64, places)
	for _, h := range at {
		shares[placeOf(int(h))] = of / float64(len(at))
	}
	return shares
}

// Places implements features.placedSet.
func (e *Evaluator) Places(p oware.Position) []features.Place { return houseBoard.Places(p) }

// Share implements features.placedSet.
func (e *Evaluator) Share(int, []features.Place) []float64 { return nil } // Parts sets the shares

// Parts breaks down a position's value as far as the tables allow: stores, each house by itself,
// and each pair of triples, whose value the houses share equally. Points differ from the model's by
// rounding; columns are numbered consecutively.
func (e *Evaluator) Parts(p oware.Position) (all []features.Part) {
	add := func(family, name string, at []uint8, points float64) {
		all = append(all, features.Part{Column: len(all), Name: name, Value: 1, Points: points, Family: family, Shares: shareOf(at, 2*houseBoard.Side, points)})
	}
	own, other := p.Store(), p.OpponentStore()
	add("stores", fmt.Sprintf("stores %d-%d", own, other), nil, unitPoints*float64(e.stores[own<<6|other].value))
	stage := e.stageAt(p)
	for h, n := range seedsOf(p) {
		add("houses", fmt.Sprintf("house %c%d", houseNames[h], n), []uint8{uint8(h)}, unitPoints*float64(e.house(stage, h, int(n))))
	}
	if t := e.patterns[stage]; t != nil {
		b := bucketsOf(p)
		for pair, six := range sixes() {
			column := six.column(&b)
			add("patterns", six.label(column), six, t.points(pair, column))
		}
	}
	return all
}
