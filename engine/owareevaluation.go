package engine

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"kroo/engine/search"
	"kroo/features"
	evaluations "kroo/features/oware"
	"kroo/features/oware/thesis"
	"kroo/features/weightsfile"
	"kroo/games/oware"
	"kroo/internal/vfs"
)

// Names of evaluations that are no published weights.
const (
	CapturesName = "captures" // oware by captured seeds alone
	DefaultName  = "default"  // the best evaluation that the program has for the rules; its own book, in the place of one
	PointsName   = "points"   // the one that agrees best with labels; slow, not for play
)

// OwareEvaluations lists the names that stand for an evaluation of oware
// wherever a weights file can be given.
func OwareEvaluations() []string {
	return slices.Concat([]string{DefaultName}, evaluations.OtherDefaults(), []string{PointsName}, evaluations.NamedModels())
}

// Captures evaluates oware by the difference of captured seeds alone.
func Captures() Evaluation[oware.Position] {
	return Evaluation[oware.Position]{Evaluator: evaluations.Captures{}, LastPly: evaluations.Captures{}, Name: CapturesName, Antisymmetric: true}
}

// owareEvaluation finds an evaluation by a name of OwareEvaluations, or loads a
// weights file: pattern weights, a model of them or compiled ones, or weights
// of a thesis set.
func owareEvaluation(name, rules string) (Evaluation[oware.Position], error) {
	if its, ok := evaluations.RulesOfOtherDefault(name); ok {
		return owareDefault(its)
	}
	switch {
	case name == CapturesName:
		return Captures(), nil
	case name == DefaultName || name == "":
		return owareDefault(rules)
	case name == PointsName:
		m, err := evaluations.Points()
		if err != nil {
			return Evaluation[oware.Position]{}, err
		}
		e, err := Compiled(m)
		e.Name = PointsName + " " + m.Hash()
		return e, err
	case slices.Contains(evaluations.NamedModels(), name):
		m, _ := evaluations.Named(name)
		e, err := Compiled(m)
		e.Antisymmetric = true
		return e, err
	}
	e, err := loadWeights(name)
	e.File = name
	return e, err
}

// owareDefault is the champion for the rules, or captures where there is none.
func owareDefault(rules string) (Evaluation[oware.Position], error) {
	e, err := evaluations.Default(rules)
	if err != nil {
		return Evaluation[oware.Position]{}, err
	}
	if e == nil {
		return Captures(), nil
	}
	d := Patterns(e)
	d.Name = DefaultName + " " + e.Hash()
	return d, nil
}

// loadWeights tells the formats apart by the first bytes.
func loadWeights(path string) (Evaluation[oware.Position], error) {
	var none Evaluation[oware.Position]
	binary, err := startsWith(path, weightsfile.Magic)
	if err != nil {
		return none, fmt.Errorf("%w; the evaluations known by name are %q", err, OwareEvaluations())
	}
	if binary {
		return loadPatterns(path)
	}
	w, err := thesis.Load(path)
	if err != nil {
		return none, err
	}
	return Fitted(w)
}

// loadPatterns reads compiled weights, or a model.
func loadPatterns(path string) (Evaluation[oware.Position], error) {
	if m, err := evaluations.LoadModel(path); err == nil {
		return Compiled(m)
	}
	e, err := evaluations.LoadEvaluator(path)
	if err != nil {
		return Evaluation[oware.Position]{}, err
	}
	return Patterns(e), nil
}

func startsWith(path, magic string) (bool, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return false, fmt.Errorf("cannot read weights: %w", err)
	}
	defer f.Close()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	if err != nil {
		return false, fmt.Errorf("cannot read weights: %w", err)
	}
	return bytes.Equal(head, []byte(magic)), nil
}

// fittedTuning suits the search to fitted weights: docs/experiments.md has the
// matches.
var fittedTuning = search.Tuning{TableDepth: 3, RankDepth: 3, ReduceBelow: 200, UnseenDepth: 5}

// Patterns is the evaluation of compiled pattern weights.
func Patterns(e *evaluations.Evaluator) Evaluation[oware.Position] {
	return Evaluation[oware.Position]{Evaluator: e, Name: "weights " + e.Hash(), Rules: e.Header().Rules, Tuning: fittedTuning}
}

// Compiled is the evaluation of a model of pattern weights: compiled, or by the
// model itself, which is slow, where no tables hold its families. A model with a
// name, such as a published one, keeps it.
func Compiled(m *evaluations.Model) (Evaluation[oware.Position], error) {
	if !m.Compiles() {
		return Evaluation[oware.Position]{Evaluator: evaluations.Direct{Model: m}, Name: "model " + m.Hash(), Rules: m.Rules}, nil
	}
	c, err := evaluations.Compile(m)
	if err != nil {
		return Evaluation[oware.Position]{}, err
	}
	e := Patterns(c)
	if m.Provenance.Name != "" {
		e.Name = m.Provenance.Name + " " + c.Hash()
	}
	return e, nil
}

// Fitted is the evaluation of weights of a thesis set.
func Fitted(w *features.Weights) (Evaluation[oware.Position], error) {
	e, err := thesis.NewEvaluator(w)
	if err != nil {
		return Evaluation[oware.Position]{}, err
	}
	return Evaluation[oware.Position]{Evaluator: e, Name: "weights " + w.Hash(), Rules: w.Rules, Antisymmetric: true, Tuning: fittedTuning}, nil
}
