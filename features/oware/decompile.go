package oware

import (
	"fmt"
	"slices"

	"kroo/games/oware"
)

// tableFamilies are the families with the same content as an evaluator's tables, entry by entry.
var tableFamilies = []string{"storephase", "houses", "sixes"}

// decompile makes a model with the function of a compiled file, so that a fit can use compiled
// weights as its prior without their model. The set s needs the families storephase, houses and
// sixes, which get all the weights; other families get 0. If the evaluator has no stages, a family
// with stages gets the same weights in each. An evaluator with stages needs a set with as many.
func decompile(e compilation, s *Set) (*Model, error) {
	weights := make([]float64, s.Len())
	found := 0
	for _, t := range s.parts {
		if !slices.Contains(tableFamilies, t.name) {
			continue
		}
		found++
		if e.stages > 1 && !t.ofStores && t.stages != e.stages {
			return nil, fmt.Errorf("decompile: weights with %d stages of the game: expected a set with houses/%[1]d and sixes/%[1]d", e.stages)
		}
		for stage := range t.stages {
			w := weights[t.from+stage*t.size:][:t.size]
			from := min(stage, e.stages-1)
			switch {
			case t.ofStores:
				e.storeWeights(w)
			case t.exact:
				e.houseWeights(from, w)
			default:
				e.patternWeights(from, w, t.patterns)
			}
		}
	}
	if found < len(tableFamilies) {
		return nil, fmt.Errorf("decompile: set %s: expected one with the families storephase, houses and sixes, which the tables consist of", s)
	}
	m, err := PatternSets.NewModel(e.header.Rules, s, weights, e.header.Provenance)
	if err == nil {
		m.Calibration = e.header.Calibration
	}
	return m, err
}

// storeWeights sets the weights of storephase.
func (e *Evaluator) storeWeights(w []float64) {
	for own := range oware.Seeds + 1 {
		for other := range oware.Seeds + 1 - own {
			w[storePair(own, other)] = inPoints(int(e.stores[own<<6|other].value))
		}
	}
}

// houseWeights sets the weights of houses at a stage.
func (e *Evaluator) houseWeights(stage int, w []float64) {
	for h := range houses {
		for n := range exactCap + 1 {
			w[exactColumn(h, n)] = inPoints(int(e.house(stage, h, n)))
		}
	}
}

// patternWeights sets the weights of sixes at a stage: each of its patterns is a table.
func (c compilation) patternWeights(stage int, w []float64, patterns []pattern) {
	fine := c.fine[min(stage, max(c.lots()-1, 0))]
	for _, t := range patterns {
		if pair, _, ok := t.slot(); ok && fine != nil {
			for i, v := range fine[pair] {
				w[i] = inPoints(int(v) << c.shift)
			}
		}
		w = w[t.size():]
	}
}

// inPoints converts 2^-smallPlaces centi-seeds to points.
func inPoints(v int) float64 { return float64(v) / (1 << smallPlaces) / centi }
