package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"kroo/engine/search"
	"kroo/features"
	"kroo/games"
)

// Evaluation is an evaluation for the search with its name in files: that of a built-in one, or the
// hash of its weights.
type Evaluation[P any] struct {
	search.Evaluator[P]
	LastPly search.LastPly[P] // may be nil; agrees with the evaluator
	Name    string
	Rules   string // rules its weights were fitted for; "" serves all
	Also    string // other rules it serves
	// Known is the kit's name for the evaluation, and File the path of its weights file: one of them
	// reopens it. Both are empty for an evaluation made in another way.
	Known, File string
	// Calibration converts scores to results and margins; nil if unknown.
	Calibration *features.Calibration
	// Antisymmetric is true if passing the turn only changes the sign.
	Antisymmetric bool
	Tuning        search.Tuning // suits the search to the evaluator
	// InCheck reports whether the side to move may not stand pat; nil means never.
	InCheck func(P) bool
}

// CheckRules returns an error for weights that were fitted under other rules.
func (e Evaluation[P]) CheckRules(rules string) error {
	if e.Rules == "" || e.Rules == rules || e.Also == rules {
		return nil
	}
	what := e.Name
	if e.File != "" {
		what = e.File
	}
	return fmt.Errorf("%s: weights fitted for %s: expected %s", what, e.Rules, rules)
}

// Knowledge returns a searcher's knowledge with the evaluation alone.
func (e Evaluation[P]) Knowledge() search.Knowledge[P] {
	return search.Knowledge[P]{Eval: e.Evaluator, LastPly: e.LastPly, Tuning: e.Tuning, InCheck: e.InCheck}
}

// DefaultName names the best built-in evaluation for the rules and, as a book, the built-in book.
const DefaultName = "default"

// evaluations finds the evaluations of a game: built-in ones by name, others by the path of a
// weights file.
type evaluations[P any] struct {
	names []string                                        // of the built-in ones, the default first
	own   func(name, rules string) (Evaluation[P], error) // makes a built-in one
	load  func(path string) (Evaluation[P], error)
}

// find finds an evaluation, as documented at [Kit].
func (s evaluations[P]) find(name, rules string) (e Evaluation[P], err error) {
	if name == "" || name == DefaultName {
		name = s.names[0]
	}
	if slices.Contains(s.names, name) {
		e, err = s.own(name, rules)
		e.Known = name
		return e, err
	}
	e, err = s.load(name)
	e.File = name
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; the evaluations known by name are %s", err, games.OrList(s.names))
	}
	return e, err
}

// ofSets loads weights files of antisymmetric sets; compile makes their evaluator.
func ofSets[P games.Position[P], E search.Evaluator[P]](s features.Sets[P], compile func(*features.Model[P]) E) func(path string) (Evaluation[P], error) {
	return func(path string) (Evaluation[P], error) {
		m, err := s.Load(path)
		if err != nil {
			return Evaluation[P]{}, err
		}
		return fitted(m, compile(m)), nil
	}
}

// levelName is the name of the evaluation that values every position as even.
const levelName = "level"

// NewKit returns the kit of a game with antisymmetric feature sets, which may be empty. Its
// evaluations are "level", which values every position as even, and files of weights fitted to the
// sets.
func NewKit[P search.Position[P]](game *games.Game[P], sets features.Sets[P]) Kit[P] {
	sets.Game = game
	all := evaluations[P]{
		names: []string{levelName},
		own: func(string, string) (Evaluation[P], error) {
			level := search.EvaluatorFunc[P](func(P) int { return 0 })
			return Evaluation[P]{Evaluator: level, Name: levelName, Antisymmetric: true}, nil
		},
		load: ofSets(sets, func(m *features.Model[P]) features.Direct[P] { return features.NewDirect(game, m) }),
	}
	return Kit[P]{Game: game, Sets: sets, Names: all.names, Plain: levelName, Evaluation: all.find}
}

// fitted returns the evaluation of a model of an antisymmetric set.
func fitted[P games.Position[P]](m *features.Model[P], e search.Evaluator[P]) Evaluation[P] {
	return Evaluation[P]{Evaluator: e, Name: "weights " + m.Hash(), Rules: m.Rules, Calibration: m.Calibration, Antisymmetric: true}
}
