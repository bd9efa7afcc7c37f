package engine

import (
	"kroo/engine/search"
	lines "kroo/features/tictactoe"
	"kroo/games/tictactoe"
)

// levelName is the name of tic-tac-toe's built-in evaluation.
const levelName = "level"

// TicTacToe is the kit of tic-tac-toe. Its built-in evaluation, "level", calls
// every position even: the search sees the end of the game.
func TicTacToe() Kit[tictactoe.Position] {
	return Kit[tictactoe.Position]{
		Game: tictactoe.Descriptor(), FullWidth: true,
		Names: ticTacToeEvaluations.names, Plain: levelName, Evaluation: ticTacToeEvaluations.find,
	}
}

var ticTacToeEvaluations = evaluations[tictactoe.Position]{
	names: []string{levelName},
	own: func(string, string) (Evaluation[tictactoe.Position], error) {
		level := search.EvaluatorFunc[tictactoe.Position](func(tictactoe.Position) int { return 0 })
		return Evaluation[tictactoe.Position]{Evaluator: level, Name: levelName, Antisymmetric: true}, nil
	},
	load: ofSets(lines.Sets, lines.NewEvaluator),
}
