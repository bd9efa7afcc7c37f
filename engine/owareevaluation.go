package engine

import (
	"kroo/engine/search"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
)

// CapturesName is the name of the evaluation of oware by captured seeds alone.
const CapturesName = "captures"

// Captures evaluates oware by the difference of captured seeds alone.
func Captures() Evaluation[oware.Position] {
	return Evaluation[oware.Position]{Evaluator: patterns.Captures{}, LastPly: patterns.Captures{}, Name: CapturesName, Known: CapturesName, Antisymmetric: true}
}

var owareEvaluations = evaluations[oware.Position]{
	names: patterns.Names(),
	own:   owareByName,
	load: func(path string) (Evaluation[oware.Position], error) {
		w, err := patterns.Find(path, "")
		if err != nil {
			return Evaluation[oware.Position]{}, err
		}
		return ofWeights(w)
	},
}

// owareByName makes the evaluation of a name of [patterns.Names]; captured seeds alone have a faster
// evaluator of their own.
func owareByName(name, rules string) (e Evaluation[oware.Position], err error) {
	w, err := patterns.Find(name, rules)
	if err != nil {
		return e, err
	}
	if w.Model != nil && w.Model.Provenance.Name == CapturesName {
		return Captures(), nil
	}
	if e, err = ofWeights(w); err != nil {
		return e, err
	}
	switch {
	case w.Tables != nil: // a champion
		e.Name = DefaultName + " " + w.Tables.Hash()
	case name == patterns.PointsName:
		e.Name = name + " " + w.Model.Hash()
	default:
		e.Antisymmetric = true
	}
	return e, nil
}

// ofWeights returns the evaluation of weights of any kind.
func ofWeights(w *patterns.Opened) (e Evaluation[oware.Position], err error) {
	if w.Tables != nil {
		e = patternSets(w.Tables)
	} else {
		m, err := w.Function()
		if err != nil {
			return e, err
		}
		if e, err = ofModel(m); err != nil {
			return e, err
		}
	}
	switch e.Rules { // positions are worth nearly the same
	case oware.Abapa.String():
		e.Also = oware.Arena.String()
	case oware.Arena.String():
		e.Also = oware.Abapa.String()
	}
	return e, nil
}

// fittedTuning suits the search to fitted weights: see docs/experiments.md for the matches, and for
// the tuning that found most values.
var fittedTuning = search.Tuning{
	ReverseFutility: 70, TableDepth: 3, RankDepth: 3, ReduceBelow: 140, UnseenDepth: 4,
	Late: 107, LateDepth: 28, LateFifth: 126, LateBelow: 136,
}

// patternSets returns the evaluation of compiled pattern weights.
func patternSets(e features.Tables[oware.Position]) Evaluation[oware.Position] {
	return Evaluation[oware.Position]{Evaluator: e, Name: "weights " + e.Hash(), Rules: e.Header().Rules, Calibration: e.Header().Calibration, Tuning: fittedTuning}
}

// ofModel returns the evaluation of a model: by tables or, if no tables have its families, by the
// model itself, which is slow. A named model, such as a published one, keeps its name.
func ofModel(m *patterns.Model) (Evaluation[oware.Position], error) {
	if m.Named != nil {
		return fittedBy(m), nil
	}
	if !m.Compiles() {
		return Evaluation[oware.Position]{Evaluator: features.NewDirect(oware.Descriptor(), m), Name: "model " + m.Hash(), Rules: m.Rules, Calibration: m.Calibration}, nil
	}
	c, err := patterns.Compile(m)
	if err != nil {
		return Evaluation[oware.Position]{}, err
	}
	e := patternSets(c)
	if m.Provenance.Name != "" {
		e.Name = m.Provenance.Name + " " + c.Hash()
	}
	return e, nil
}

// fittedBy returns the evaluation of a model of a thesis set.
func fittedBy(m *patterns.Model) Evaluation[oware.Position] {
	e := fitted(m, patterns.NewCounts(m))
	e.Tuning = fittedTuning
	return e
}
