package oware

import (
	"fmt"
	"slices"

	"kroo/games/oware"
)

// whole are the families that hold what an evaluator's tables hold, entry by entry.
var whole = []string{"storephase", "houses", "sixes"}

// Decompile makes a model of a set with the function of an evaluator: weights that only
// their compiled file has kept serve as the prior of another fit. The set needs the
// families storephase, houses and sixes, which get all there is; the weights of other
// families are 0. Neither the set nor the evaluator may have stages.
func Decompile(e *Evaluator, s *Set) (*Model, error) {
	weights := make([]float32, s.Len())
	found := 0
	for _, t := range s.parts {
		if !slices.Contains(whole, t.name) {
			continue
		}
		found++
		if t.stages > 1 || e.stages > 1 {
			return nil, fmt.Errorf("features/oware: decompile: stages of the game: expected weights and a set without")
		}
		w := weights[t.from:][:t.size]
		switch {
		case t.ofStores:
			e.storeWeights(w)
		case t.exact:
			e.houseWeights(w)
		default:
			e.patternWeights(w, t.patterns)
		}
	}
	if found < len(whole) {
		return nil, fmt.Errorf("features/oware: decompile: set %s: expected one with the families storephase, houses and sixes, which hold all weights there are", s)
	}
	r, err := oware.ParseRules(e.header.Rules)
	if err != nil {
		return nil, err
	}
	return New(r, s, weights, e.header.Provenance)
}

// storeWeights are those of storephase.
func (e *Evaluator) storeWeights(w []float32) {
	for own := range oware.Seeds + 1 {
		for other := range oware.Seeds + 1 - own {
			w[storePair(own, other)] = inPoints(int64(e.stores[own<<6|other].value), smallPlaces)
		}
	}
}

// houseWeights are those of houses.
func (e *Evaluator) houseWeights(w []float32) {
	for h := range houses {
		for n := range exactCap + 1 {
			w[exactColumn(h, n)] = inPoints(int64(e.house(0, h, n)), smallPlaces)
		}
	}
}

// patternWeights are those of sixes: each of its patterns is a table.
func (e *Evaluator) patternWeights(w []float32, patterns []pattern) {
	for _, t := range patterns {
		if pair, _, ok := t.slot(); ok && e.patterns[0] != nil {
			for i, v := range e.patterns[0][pair] {
				w[i] = inPoints(int64(v), e.places())
			}
		}
		w = w[t.size():]
	}
}

// inPoints is an entry with so many binary places in centi-seeds, in points.
func inPoints(v int64, places uint) float32 {
	return float32(float64(v) / float64(int(1)<<places) / centi)
}
