package pipeline

import (
	"fmt"
	"runtime/debug"
	"strings"

	"kroo/engine/search"
	"kroo/features"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// Evaluator is an evaluation for the engine with the name that files record:
// "captures", or the hash of the weights it was built from.
type Evaluator struct {
	search.Evaluator[oware.Position]
	Name    string
	weights *features.Weights // nil for captures
	file    string            // the weights came from, "" if from none
}

// Captures evaluates by the difference of captured seeds alone.
func Captures() Evaluator { return Evaluator{Evaluator: evaluations.Captures{}, Name: "captures"} }

// LoadEvaluator builds the evaluator that a command line names: "captures" or
// the path of a weights file.
func LoadEvaluator(name string) (Evaluator, error) {
	if name == "captures" || name == "" {
		return Captures(), nil
	}
	w, err := features.LoadWeights(name)
	if err != nil {
		return Evaluator{}, err
	}
	e, err := NewEvaluator(w)
	e.file = name
	return e, err
}

// NewEvaluator builds the evaluator of fitted weights.
func NewEvaluator(w *features.Weights) (Evaluator, error) {
	e, err := features.NewEvaluator(w)
	if err != nil {
		return Evaluator{}, err
	}
	return Evaluator{Evaluator: e, Name: "weights " + w.Hash(), weights: w}, nil
}

// CheckRules refuses weights that were fitted under other rules.
func (e Evaluator) CheckRules(r oware.Rules) error {
	if e.weights == nil {
		return nil
	}
	err := e.weights.CheckRules(r)
	if err != nil && e.file != "" {
		return fmt.Errorf("%s: %w", e.file, err)
	}
	return err
}

// LimitsText is how artifacts record the limits of their searches.
func LimitsText(c SearchConfig) string {
	var parts []string
	if c.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("nodes %d", c.Nodes))
	}
	if c.Depth > 0 {
		parts = append(parts, fmt.Sprintf("depth %d", c.Depth))
	}
	if c.MoveTime.Duration > 0 {
		parts = append(parts, "movetime "+c.MoveTime.String())
	}
	parts = append(parts, fmt.Sprintf("hash %d MiB", c.HashMB))
	if c.Threads > 1 {
		parts = append(parts, fmt.Sprintf("%d threads", c.Threads))
	}
	switch c.Tables {
	case "":
		parts = append(parts, "default tables")
	case NoTables:
		parts = append(parts, "no tables")
	default:
		parts = append(parts, "tables "+oneLine(c.Tables))
	}
	return strings.Join(parts, ", ")
}

// Revision is the revision of the program, for the provenance of what it
// makes: the commit it was built from, or "unversioned".
func Revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unversioned"
	}
	revision, dirty := "unversioned", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return revision + dirty
}
