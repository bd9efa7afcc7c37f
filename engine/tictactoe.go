package engine

import (
	"fmt"

	"kroo/engine/search"
	lines "kroo/features/tictactoe"
	"kroo/games/tictactoe"
)

// LevelName is the name of tic-tac-toe's built-in evaluation.
const LevelName = "level"

// TicTacToe is the kit of tic-tac-toe. Its built-in evaluation, "level", calls
// every position even: the search sees the end of the game.
func TicTacToe() Kit[tictactoe.Position] {
	return Kit[tictactoe.Position]{Game: tictactoe.Descriptor(),
		FullWidth: true, Evaluation: tictactoeEvaluation}
}

// tictactoeEvaluation is "level", or loads a weights file.
func tictactoeEvaluation(name, _ string) (e Evaluation[tictactoe.Position], err error) {
	if name == "" || name == DefaultName || name == LevelName {
		level := search.EvaluatorFunc[tictactoe.Position](func(tictactoe.Position) int { return 0 })
		return Evaluation[tictactoe.Position]{Evaluator: level, Name: LevelName, Antisymmetric: true}, nil
	}
	w, err := lines.Sets.Load(name)
	if err != nil {
		return e, fmt.Errorf("%w; the evaluation known by name is %s", err, LevelName)
	}
	fitted, err := lines.NewEvaluator(w)
	if err != nil {
		return e, err
	}
	return Evaluation[tictactoe.Position]{Evaluator: fitted, Name: "weights " + w.Hash(), Rules: w.Rules, File: name, Antisymmetric: true}, nil
}
