package oware

import (
	"fmt"

	"kroo/features/weightsfile"
	"kroo/games/oware"
)

// centi is what a point is worth in centi-seeds.
const centi = oware.CentiSeedsPerPoint

// Model is a function fitted to the columns of a set, and its origin.
type Model struct {
	Set        *Set
	Weights    []float32 // points for the player to move, one a column
	Rules      string    // oware.Rules.String of the positions it was fitted to
	Provenance Provenance

	Calibration *weightsfile.Calibration // nil if nobody has measured it
}

// Provenance says what a model was made of and how.
type Provenance = weightsfile.Provenance

// New makes a model of a set and a weight for each of its columns, which it
// keeps. It refuses weights that are no numbers or exceed [weightsfile.MaxWeight].
func New(r oware.Rules, s *Set, weights []float32, from Provenance) (*Model, error) {
	m := &Model{Set: s, Weights: weights, Rules: r.String(), Provenance: from}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return m, nil
}

// check says what is wrong with the model.
func (m *Model) check() error {
	if m.Set == nil {
		return fmt.Errorf("it has no feature set")
	}
	if _, err := oware.ParseRules(m.Rules); err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	return weightsfile.CheckWeights(m.Set, m.Weights)
}

// CheckRules returns an error unless the model was fitted under these rules.
func (m *Model) CheckRules(r oware.Rules) error { return checkRules(m.Rules, r) }

func checkRules(fitted string, r oware.Rules) error {
	if fitted != r.String() {
		return fmt.Errorf("weights were fitted under %s rules: expected %s", fitted, r)
	}
	return nil
}

// Exact is the fitted function of a position: points for the player to move.
// It is the slow twin of [Evaluator.Evaluate].
func (m *Model) Exact(p oware.Position) float64 {
	ones, vals := m.Set.row(p)
	var sum float64
	for _, i := range ones {
		sum += float64(m.Weights[i])
	}
	for _, v := range vals {
		sum += float64(m.Weights[v.Index]) * float64(v.Value)
	}
	return sum
}

// Hash identifies what matters for play, the rules, the definition of the
// features and the weights, in 16 hexadecimal digits.
func (m *Model) Hash() string {
	return weightsfile.HashOf(m.Rules, m.Set.Hash(), m.Weights)
}
