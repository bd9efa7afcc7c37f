package engine

import (
	lines "kroo/features/tictactoe"
	"kroo/games/tictactoe"
)

// TicTacToe is the kit of tic-tac-toe. Without weights every position is even: the search
// sees the end of the game.
func TicTacToe() Kit[tictactoe.Position] {
	k := NewKit(tictactoe.Descriptor(), lines.Sets)
	k.FullWidth = true
	return k
}
