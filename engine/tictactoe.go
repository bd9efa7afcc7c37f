package engine

import (
	lines "kroo/features/tictactoe"
	"kroo/games/tictactoe"
)

// TicTacToe returns the kit of tic-tac-toe. Without weights every position is even: the search
// reaches the end of the game.
func TicTacToe() Kit[tictactoe.Position] {
	k := NewKit(tictactoe.Descriptor(), lines.Sets)
	k.FullWidth = true
	return k
}
