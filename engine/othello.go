package engine

import (
	"fmt"

	squares "kroo/features/othello"
	"kroo/features/weightsfile"
	"kroo/games"
	"kroo/games/othello"
)

// Names of Othello's built-in evaluations.
const (
	GreedyName  = "greedy"  // the difference of discs
	Figure3Name = "figure3" // the published weights of squares, for 8x8
	DynamicName = "dynamic" // figure3 that turns to counting discs near the end
)

// Othello is the kit of Othello. Searched to the depth N at full width, greedy and
// figure3 are the source's players of the level N: at level 1 the first of the moves
// that turn most discs, or weigh most, in a scan of the board from its last square to
// its first. Unlike the source's, they see the end of the game: they take a won one
// even if another move turns more.
func Othello() Kit[othello.Position] {
	return Kit[othello.Position]{Game: othello.Descriptor(), Evaluation: othelloEvaluation}
}

// othelloEvaluations are the built-in evaluations for rules; the first is the default.
func othelloEvaluations(rules string) (names []string) {
	if rules == othello.Large.String() {
		names = append(names, DynamicName, Figure3Name)
	}
	return append(names, GreedyName)
}

// Greedy evaluates Othello by the difference of discs, on both boards.
func Greedy() Evaluation[othello.Position] {
	return Evaluation[othello.Position]{Evaluator: squares.Discs{}, Name: GreedyName, Antisymmetric: true}
}

// othelloEvaluation finds a built-in evaluation, or loads a weights file: of patterns or
// of squares.
func othelloEvaluation(name, rules string) (e Evaluation[othello.Position], err error) {
	if _, err := othello.ParseRules(rules); err != nil {
		return e, err
	}
	known := othelloEvaluations(rules)
	if name == "" || name == DefaultName {
		name = known[0]
	}
	e = Evaluation[othello.Position]{Name: name, Antisymmetric: true}
	switch name {
	case GreedyName:
		return Greedy(), nil
	case Figure3Name:
		e.Evaluator, e.Rules = squares.Figure3Squares(), othello.Large.String()
		return e, nil
	case DynamicName:
		e.Evaluator, e.Rules = squares.NewDynamic(), othello.Large.String()
		return e, nil
	}
	binary, err := startsWith(name, weightsfile.Magic)
	if err != nil {
		return e, fmt.Errorf("%w; the evaluations known by name are %s", err, games.OrList(known))
	}
	e.File = name
	if binary {
		m, err := squares.LoadModel(name)
		if err != nil {
			return e, err
		}
		p := squares.Compile(m)
		e.Evaluator, e.Name, e.Rules, e.Antisymmetric = p, "weights "+p.Hash(), p.Rules().String(), false
		return e, nil
	}
	w, err := squares.Sets.Load(name)
	if err != nil {
		return e, err
	}
	e.Name, e.Rules = "weights "+w.Hash(), w.Rules
	e.Evaluator, err = squares.NewSquares(w)
	return e, err
}
