package oware

import (
	"fmt"

	"kroo/features"
	"kroo/games/oware"
)

// points returns the value of a pattern table's entry.
func (t *patternTables) points(pair, i int) float64 { return unitPoints * float64(t.worth(pair, i)) }

// unitPoints is the unit of the tables of stores and houses, in points.
const unitPoints = 1.0 / (1 << smallPlaces) / centi

// stageAt returns the stage of the game, which follows from the stores.
func (e *Evaluator) stageAt(p oware.Position) int {
	return int(e.stores[p.Store()<<6|p.OpponentStore()].stage)
}

// Places implements features.placedSet.
func (s *Set) Places(p oware.Position) []features.Place { return houseBoard.Places(p) }

// Share implements features.placedSet: the houses of a column share it equally.
func (s *Set) Share(column int, places []features.Place) []float64 {
	t, local, _ := s.Find(column)
	return shareOf(t.Of.touches(local), len(places), 1)
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
