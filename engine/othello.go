package engine

import (
	"kroo/features"
	squares "kroo/features/othello"
	"kroo/games/othello"
)

// Names of Othello's built-in evaluations.
const (
	greedyName  = "greedy"  // the difference of discs
	figure3Name = "figure3" // the published weights of squares, for 8x8
	dynamicName = "dynamic" // figure3 that turns to counting discs near the end
)

// Othello returns the kit of Othello. Searched to the depth N at full width, greedy and figure3 are
// the source's players of level N: at level 1 the first of the moves that turn most discs, or weigh
// most, in a scan of the board from its last square to its first. Unlike the source's, they search
// to the end of the game: they take a win even if another move turns more.
func Othello() Kit[othello.Position] {
	return Kit[othello.Position]{
		Game: othello.Descriptor(), Sets: squares.Sets, Patterns: squares.PatternSets,
		Names: othelloEvaluations.names, Plain: greedyName, Evaluation: othelloEvaluation,
	}
}

// greedy evaluates Othello by the difference of discs, on both boards.
func greedy() Evaluation[othello.Position] {
	return Evaluation[othello.Position]{Evaluator: squares.Discs{}, Name: greedyName, Known: greedyName, Antisymmetric: true}
}

// othelloEvaluation finds a built-in evaluation, or loads a weights file of patterns or squares. The
// default of the small board is greedy.
func othelloEvaluation(name, rules string) (e Evaluation[othello.Position], err error) {
	r, err := othello.ParseRules(rules)
	if err != nil {
		return e, err
	}
	if r == othello.Small && (name == "" || name == DefaultName) {
		name = greedyName
	}
	return othelloEvaluations.find(name, rules)
}

var othelloEvaluations = evaluations[othello.Position]{
	names: []string{dynamicName, figure3Name, greedyName},
	own: func(name, _ string) (Evaluation[othello.Position], error) {
		e := Evaluation[othello.Position]{Evaluator: squares.Figure3Squares(), Name: name, Rules: othello.Large.String(), Antisymmetric: true}
		switch name {
		case greedyName:
			return greedy(), nil
		case dynamicName:
			e.Evaluator = squares.NewDynamic()
		}
		return e, nil
	},
	load: func(path string) (e Evaluation[othello.Position], err error) {
		data, err := features.ReadFile(path)
		if err != nil {
			return e, err
		}
		o, err := features.Open(squares.Sets, squares.PatternSets, data, path)
		if err != nil {
			return e, err
		}
		m, err := o.Function()
		if err != nil {
			return e, err
		}
		if m.Named != nil {
			s, err := squares.NewSquares(m)
			return fitted(m, s), err
		}
		p := squares.Compile(m)
		return Evaluation[othello.Position]{Evaluator: p, Name: "weights " + p.Hash(), Rules: p.Rules().String(), Calibration: m.Calibration}, nil
	},
}
