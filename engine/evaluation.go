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

// Evaluation is an evaluation for the search with the name that files record:
// that of a built-in one, or the hash of the weights it was built from.
type Evaluation[P any] struct {
	search.Evaluator[P]
	LastPly search.LastPly[P] // nil for none; agrees with the evaluator
	Name    string
	Rules   string // that its weights were fitted for; "" serves all
	Also    string // other rules that they serve
	// Known is the name of the kit's that the evaluation was opened by, and File the path
	// of the weights file: one of them opens it again. Neither is there of one that was
	// made in another way.
	Known, File string
	// Calibration says what scores with the evaluation are worth; nil if it is not known.
	Calibration *features.Calibration
	// Antisymmetric says that passing the turn only changes the sign.
	Antisymmetric bool
	Tuning        search.Tuning // suits the search to the evaluator
	// InCheck reports whether the side to move may not stand pat; nil for never.
	InCheck func(P) bool
}

// CheckRules refuses weights that were fitted under other rules.
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

// Knowledge is what a searcher knows of the game with the evaluation alone.
func (e Evaluation[P]) Knowledge() search.Knowledge[P] {
	return search.Knowledge[P]{Eval: e.Evaluator, LastPly: e.LastPly, Tuning: e.Tuning, InCheck: e.InCheck}
}

// DefaultName represents the best evaluation that the program has for the rules, and for
// its own book, instead of one.
const DefaultName = "default"

// evaluations are how those of a game are found: the program's own by name, others by the
// path of a weights file.
type evaluations[P any] struct {
	names []string                                        // of the program's own, the default first
	own   func(name, rules string) (Evaluation[P], error) // makes one of those
	load  func(path string) (Evaluation[P], error)
}

// find finds an evaluation, as [Kit] says.
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

// ofSets loads weights files of antisymmetric sets. compile makes their evaluator.
func ofSets[P games.Position[P], E search.Evaluator[P]](s features.Sets[P], compile func(*features.Model[P]) E) func(path string) (Evaluation[P], error) {
	return func(path string) (Evaluation[P], error) {
		m, err := s.Load(path)
		if err != nil {
			return Evaluation[P]{}, err
		}
		return fitted(m, compile(m)), nil
	}
}

// levelName is the name of the evaluation that calls every position even.
const levelName = "level"

// NewKit is the kit of a game with antisymmetric feature sets, of which there may be none.
// Its evaluations are "level", which calls every position even, and files of weights that
// were fitted to the sets.
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

// fitted is the evaluation of a model of an antisymmetric set.
func fitted[P games.Position[P]](m *features.Model[P], e search.Evaluator[P]) Evaluation[P] {
	return Evaluation[P]{Evaluator: e, Name: "weights " + m.Hash(), Rules: m.Rules, Calibration: m.Calibration, Antisymmetric: true}
}
