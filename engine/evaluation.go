package engine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"kroo/engine/search"
	"kroo/features"
	"kroo/games"
	"kroo/internal/wording"
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
	// Calibration converts scores to results and margins; nil if unknown. See [Kit.CalibrationOf].
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
	name = cmp.Or(name, DefaultName)
	if name == DefaultName || slices.Contains(s.names, name) {
		e, err = s.own(name, rules)
		e.Known = cmp.Or(e.Known, name)
		return e, err
	}
	e, err = s.load(name)
	e.File = name
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %s, or a weights file", err, wording.Expect(name, s.names))
	}
	return e, err
}

// NewKit returns the kit of a game with antisymmetric feature sets, perhaps none. Its evaluations are
// "level", which values every position as even, and files of weights fitted to the sets.
func NewKit[P search.Position[P]](game *games.Game[P], sets features.Sets[P]) Kit[P] {
	sets.Game = game
	level := Evaluation[P]{Evaluator: search.EvaluatorFunc[P](func(P) int { return 0 }), Name: "level"}
	return kitOf(game, sets, func(m *features.Model[P]) features.Direct[P] { return features.NewDirect(game, m) }, level)
}

// kitOf returns the kit of a game with built-in antisymmetric evaluations, of which the first one for
// the rules is the default and the last one the simplest. compile makes the evaluator of fitted
// weights, which have the tuning and the check of the first.
func kitOf[P search.Position[P], E search.Evaluator[P]](
	game *games.Game[P], sets features.Sets[P], compile func(*features.Model[P]) E, builtIn ...Evaluation[P],
) Kit[P] {
	all := evaluations[P]{
		own: func(name, rules string) (Evaluation[P], error) {
			i := slices.IndexFunc(builtIn, func(e Evaluation[P]) bool {
				return e.Name == name || name == DefaultName && e.CheckRules(rules) == nil
			})
			return builtIn[i], nil
		},
		load: func(path string) (Evaluation[P], error) {
			m, err := sets.Load(path)
			if err != nil {
				return Evaluation[P]{}, err
			}
			e := evaluationOf(m, compile(m))
			e.Tuning, e.InCheck = builtIn[0].Tuning, builtIn[0].InCheck
			return e, nil
		},
	}
	for i, e := range builtIn {
		builtIn[i].Known, builtIn[i].Antisymmetric = e.Name, true
		all.names = append(all.names, e.Name)
	}
	return Kit[P]{Game: game, Sets: sets, Names: all.names, Plain: all.names[len(all.names)-1], Evaluation: all.find}
}

// evaluationOf returns the evaluation of a model of an antisymmetric set.
func evaluationOf[P games.Position[P]](m *features.Model[P], e search.Evaluator[P]) Evaluation[P] {
	return Evaluation[P]{
		Evaluator:     e,
		Name:          "weights " + m.Hash(),
		Rules:         m.Rules,
		Calibration:   m.Calibration,
		Antisymmetric: true,
	}
}

// Prospects is the forecast that a score implies for the side to move.
type Prospects struct {
	Win, Draw, Loss int     // permille, sum 1000
	Margin          float64 // expected final difference, in the game's units
}

// ExpectedResult returns the expected result in percent: the chance of a win plus half that of a draw.
func (s Prospects) ExpectedResult() float64 { return (float64(s.Win) + float64(s.Draw)/2) / 10 }

// BorrowedNote says where the chances come from if [Kit.CalibrationOf] borrows the calibration.
const BorrowedNote = "these weights have no calibration, so chances are those of the program's own weights at the same score"

// CalibrationOf returns the calibration of an evaluation, nil if unknown. Fitted weights without one borrow
// the one of the program's own weights for their rules: all scores are in the same unit.
func (k Kit[P]) CalibrationOf(e Evaluation[P]) (c *features.Calibration, borrowed bool) {
	isFitted := e.Rules != ""
	if e.Calibration != nil || !isFitted || k.Calibration == nil {
		return e.Calibration, false
	}
	c = k.Calibration(e.Rules)
	return c, c != nil
}

// Prospects returns the chances and the expected margin of a position with a score by an evaluation,
// from its calibration ([Kit.CalibrationOf]); ok is false without one. A proven score gives a certain result.
func (k Kit[P]) Prospects(e Evaluation[P], p P, score int) (s Prospects, ok bool) {
	c, _ := k.CalibrationOf(e)
	g := k.Game
	if c == nil {
		return s, false
	}
	part := float64(g.Phase(p)) / float64(g.MaxPhase)
	units := float64(score) / 100
	most := float64(g.MaxPhase)
	s.Margin = c.ExpectedMargin(units, part, most)
	switch {
	case search.Proven(score) && score > 0:
		s.Win = 1000
	case search.Proven(score):
		s.Loss = 1000
	default:
		win, _, loss := c.Chances(units, part)
		s.Win, s.Loss = int(math.Round(1000*win)), int(math.Round(1000*loss))
		s.Draw = 1000 - s.Win - s.Loss
	}
	return s, true
}

// Points converts a score of the search to points, the scale of labels, books and weights: ±1000 for
// a proven win or loss, or else the score's value in the game, rounded half away from zero and
// clamped to ±1000. In oware 1000/24 points are a seed (Sala Soler 2014).
func Points(info games.Info, score int) int {
	if score < 0 {
		return -Points(info, -score)
	}
	if search.Proven(score) {
		return games.MaxPoints
	}
	return min(info.Points(float64(score)), games.MaxPoints)
}
