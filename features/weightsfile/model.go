package weightsfile

import (
	"errors"
	"fmt"
	"math"
)

// MaxWeight is the largest weight, in points, that a model may have.
const MaxWeight = 1e5

// Set is the feature set of a model, as [kroo/features.Columns] has it.
type Set interface {
	String() string // the canonical spec
	Hash() string   // of the definition
	Len() int
	ColumnName(column int) string
}

// CheckWeights refuses weights that are not one for each column of a set, are no
// numbers, or exceed [MaxWeight].
func CheckWeights(s Set, weights []float32) error {
	if len(weights) != s.Len() {
		return fmt.Errorf("%d weights: expected %d, one for each column of %s", len(weights), s.Len(), s)
	}
	for i, w := range weights {
		if !(math.Abs(float64(w)) <= MaxWeight) {
			return fmt.Errorf("weight of column %d (%s) is %g: expected at most %g points either way", i, s.ColumnName(i), w, float64(MaxWeight))
		}
	}
	return nil
}

// ModelHeader describes the weights of a set. game is "" for oware.
func ModelHeader(game, rules string, s Set, weights []float32, from Provenance, c *Calibration) Header {
	return Header{
		Calibration: c,
		Game:        game, Rules: rules, Set: s.String(), SetHash: s.Hash(), Columns: s.Len(),
		Weights: HashOf(rules, s.Hash(), weights), Provenance: from,
	}
}

// Weights reads the weights of a model, and checks them. s is the set that the header
// names. The error says that it is another set than that of the file, or what is damaged.
func (f File) Weights(s Set) ([]float32, error) {
	h := f.Header
	if f.Kind != KindModel {
		return nil, fmt.Errorf("it holds a %s evaluator: expected a model, which has a weight for each column", f.Kind)
	}
	if s.Hash() != h.SetHash || s.Len() != h.Columns {
		return nil, fmt.Errorf("header: set %s has hash %.20q and %d columns: expected %s and %d, as this program has it; fit the weights again", s, h.SetHash, h.Columns, s.Hash(), s.Len())
	}
	if n := f.Sections(); n != 1 {
		return nil, fmt.Errorf("%d sections: expected 1 in a model", n)
	}
	body, err := f.Unpack(0, 4*s.Len())
	if err != nil {
		return nil, err
	}
	weights := parseFloats(body)
	if err := CheckWeights(s, weights); err != nil {
		return nil, err
	}
	if HashOf(h.Rules, s.Hash(), weights) != h.Weights {
		return nil, errors.New("header: the hash is not that of the weights: the file was not written by this program, fit the weights again")
	}
	return weights, nil
}
