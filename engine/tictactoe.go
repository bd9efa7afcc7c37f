package engine

import (
	"fmt"

	"kroo/engine/search"
	"kroo/games/tictactoe"
)

// TicTacToe is the kit of tic-tac-toe. Its one evaluation, "level", calls every
// position even: the search sees the end of the game.
func TicTacToe() Kit[tictactoe.Position] {
	return Kit[tictactoe.Position]{
		Game: tictactoe.Descriptor(),
		Evaluation: func(name, _ string) (Evaluation[tictactoe.Position], error) {
			if name != "" && name != "level" {
				return Evaluation[tictactoe.Position]{}, fmt.Errorf("tictactoe: unknown evaluation %q: expected level", name)
			}
			level := search.EvaluatorFunc[tictactoe.Position](func(tictactoe.Position) int { return 0 })
			return Evaluation[tictactoe.Position]{Evaluator: level, Name: "level"}, nil
		},
	}
}
