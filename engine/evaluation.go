package engine

import (
	"fmt"

	"kroo/engine/search"
	"kroo/features"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// Evaluation is an evaluation for the engine with the name that files record:
// "captures", or the hash of the weights it was built from.
type Evaluation struct {
	search.Evaluator[oware.Position]
	Name    string
	weights *features.Weights // nil for captures
	file    string            // the weights came from, "" if from none
}

// Captures evaluates by the difference of captured seeds alone.
func Captures() Evaluation { return Evaluation{Evaluator: evaluations.Captures{}, Name: "captures"} }

// LoadEvaluation builds the evaluator that a command line names: "captures" or
// the path of a weights file.
func LoadEvaluation(name string) (Evaluation, error) {
	if name == "captures" || name == "" {
		return Captures(), nil
	}
	w, err := features.LoadWeights(name)
	if err != nil {
		return Evaluation{}, err
	}
	e, err := NewEvaluation(w)
	e.file = name
	return e, err
}

// NewEvaluation builds the evaluator of fitted weights.
func NewEvaluation(w *features.Weights) (Evaluation, error) {
	e, err := features.NewEvaluator(w)
	if err != nil {
		return Evaluation{}, err
	}
	return Evaluation{Evaluator: e, Name: "weights " + w.Hash(), weights: w}, nil
}

// CheckRules refuses weights that were fitted under other rules.
func (e Evaluation) CheckRules(r oware.Rules) error {
	if e.weights == nil {
		return nil
	}
	err := e.weights.CheckRules(r)
	if err != nil && e.file != "" {
		return fmt.Errorf("%s: %w", e.file, err)
	}
	return err
}
