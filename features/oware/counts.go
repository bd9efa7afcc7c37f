package oware

import (
	"fmt"
	"math"
	"strings"

	"kroo/features"
	"kroo/games/oware"
)

const (
	fraction   = 20     // binary places of a table entry
	placeSeeds = 1 << 6 // a house or store has at most 48 seeds
	halfUnit   = 1 << (fraction - 1)
)

// maxRounding is the maximum difference between [Counts.Evaluate] and the fitted function, in
// centi-seeds: half for the integer result, and half a unit of the last binary place for each of
// the 14 table entries.
const maxRounding = 0.5 + 14*0.5/(1<<fraction)*1.01

// Counts computes a function fitted to one of the [Sets] from tables; features that are not sums
// over places are counted one by one. It is immutable and safe for concurrent use.
type Counts struct {
	// table is the value of a place by its seeds, in centi-seeds times 2^fraction; the other side's
	// places are subtracted.
	table [store + 1][placeSeeds]int64
	rest  []counted
}

// counted is a feature that tables cannot represent.
type counted struct {
	count func(oware.Position) (own, opp int)
	worth int64 // in centi-seeds times 2^fraction
}

// places is the value of each place of a side by its seeds, in points: houses 0…5 from the owner's
// left, then the store.
type places [store + 1][oware.Seeds + 1]float64

// byPlace makes a table of a model of one of the Sets, and lists the columns with nonzero weight
// whose features are not sums over places.
func byPlace(m *Model) (t *places, rest []int) {
	t = new(places)
	for i, f := range m.Set.(*features.Set[oware.Position]).Definitions() {
		switch {
		case f.Place == nil && m.Weights[i] != 0:
			rest = append(rest, i)
		case f.Place != nil:
			for place := range t {
				for seeds := range t[place] {
					t[place][seeds] += m.Weights[i] * float64(f.Place(place, seeds))
				}
			}
		}
	}
	return t, rest
}

// NewCounts returns the evaluator of a model of one of the Sets.
func NewCounts(m *Model) *Counts {
	fixed := func(points float64) int64 { return int64(math.Round(points * centi * (1 << fraction))) }
	t, rest := byPlace(m)
	e := new(Counts)
	for place := range t {
		for seeds, points := range t[place] {
			e.table[place][seeds] = fixed(points)
		}
	}
	for _, i := range rest {
		e.rest = append(e.rest, counted{m.Set.(*features.Set[oware.Position]).Definitions()[i].Count, fixed(m.Weights[i])})
	}
	return e
}

// Evaluate returns the value for the player to move in centi-seeds: the fitted function within
// [maxRounding], not clamped. The value of p.Swap() is exactly the negative.
func (e *Counts) Evaluate(p oware.Position) int {
	own, opp := p.Words()
	t := &e.table
	v := t[0][own&63] - t[0][opp&63] +
		t[1][own>>8&63] - t[1][opp>>8&63] +
		t[2][own>>16&63] - t[2][opp>>16&63] +
		t[3][own>>24&63] - t[3][opp>>24&63] +
		t[4][own>>32&63] - t[4][opp>>32&63] +
		t[5][own>>40&63] - t[5][opp>>40&63] +
		t[6][own>>48&63] - t[6][opp>>48&63]
	for _, f := range e.rest {
		ours, theirs := f.count(p)
		v += f.worth * int64(ours-theirs)
	}
	sign := v >> 63 // round half away from zero, so that the result is antisymmetric
	return int(((v^sign-sign)+halfUnit)>>fraction ^ sign - sign)
}

// asPatterns converts an antisymmetric function to a model of the set store+houses, which tables
// can represent. It refuses features that are not sums over places.
func asPatterns(m *Model) (*Model, error) {
	t, rest := byPlace(m)
	if rest != nil {
		var names []string
		for _, i := range rest {
			names = append(names, m.Set.ColumnName(i))
		}
		return nil, fmt.Errorf("no table of houses has the feature %s: evaluate with the weights themselves, or "+
			"fit without it", strings.Join(names, ", "))
	}
	set, err := Parse("store+houses")
	if err != nil {
		return nil, err
	}
	points := make([]float64, set.Len())
	points[0] = t[store][1] // captures are linear
	for h := range houses {
		for seeds := range exactCap + 1 { // the last includes larger ones, which no feature distinguishes
			x := t[h%oware.Houses][seeds]
			if h >= oware.Houses {
				x = -x
			}
			points[1+exactColumn(h, seeds)] = x
		}
	}
	return Sets.NewModel(m.Rules, set, points, features.Provenance{Name: m.Set.String() + " " + m.Hash()})
}
