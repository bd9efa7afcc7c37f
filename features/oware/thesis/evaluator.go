package thesis

import (
	"fmt"
	"math"
	"slices"

	"kroo/features"
	"kroo/games/oware"
)

const (
	fraction  = 20                       // binary places of a table entry
	centi     = oware.CentiSeedsPerPoint // centi-seeds to a point
	tableSize = 1 << 6                   // a place holds at most 48 seeds
	halfUnit  = 1 << (fraction - 1)
)

// maxRounding is the most by which [Evaluator.Evaluate] differs from the
// fitted function, in centi-seeds: half for the integer result, and for the 14
// table entries half a unit of their last binary place each.
const maxRounding = 0.5 + 14*0.5/(1<<fraction)*1.01

// Evaluator computes a fitted function from tables. It is immutable, and safe
// for concurrent use.
type Evaluator struct {
	// table is the worth of a place by what it holds, in centi-seeds times
	// 2^fraction; the other side's places count the other way.
	table [store + 1][tableSize]int64
}

// Places is what each place of a side is worth to it, in points, by what it
// holds: houses 0…5 from the owner's left, then the store.
type Places [store + 1][oware.Seeds + 1]float64

// PlacesOf makes a table of the given weights. It refuses weights that [Load]
// would refuse.
func PlacesOf(w *features.Weights) (*Places, error) {
	set, err := Sets.Check(w)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	t := new(Places)
	for place := range t {
		for seeds := range t[place] {
			for i, name := range w.Features {
				f := definitions[set.Name][slices.Index(set.Features, name)] // there: checked above
				t[place][seeds] += w.Points[i] * float64(f.value(place, seeds))
			}
		}
	}
	return t, nil
}

// NewEvaluator builds the tables of the given weights. It refuses weights that
// [Load] would refuse.
func NewEvaluator(w *features.Weights) (*Evaluator, error) {
	places, err := PlacesOf(w)
	if err != nil {
		return nil, err
	}
	e := new(Evaluator)
	for place := range places {
		for seeds, points := range places[place] {
			e.table[place][seeds] = int64(math.Round(points * centi * (1 << fraction)))
		}
	}
	return e, nil
}

// Evaluate is the value of the position for the player to move, in
// centi-seeds: the fitted function within [maxRounding], not clamped. The
// value of p.Swap() is exactly the negative.
func (e *Evaluator) Evaluate(p oware.Position) int {
	own, opp := p.Words()
	t := &e.table
	v := t[0][own&63] - t[0][opp&63] +
		t[1][own>>8&63] - t[1][opp>>8&63] +
		t[2][own>>16&63] - t[2][opp>>16&63] +
		t[3][own>>24&63] - t[3][opp>>24&63] +
		t[4][own>>32&63] - t[4][opp>>32&63] +
		t[5][own>>40&63] - t[5][opp>>40&63] +
		t[6][own>>48&63] - t[6][opp>>48&63]
	sign := v >> 63 // round half away from zero, so that the result is antisymmetric
	return int(((v^sign-sign)+halfUnit)>>fraction ^ sign - sign)
}
