// Package tictactoe implements the rules of tic-tac-toe, a game so small that every value is
// known. It shows that the rest of the program works for games other than oware. Get a position
// from [Start] or [ParseBoard], and make moves with [Position.Play]. [Descriptor] describes the
// game to code that works for any game.
//
// The text of a board is its nine squares in reading order, each "X", "O" or ".". X moves first,
// so the number of stones determines the side to move. A square is named by its column a, b, c
// from the left and its row 1, 2, 3 from the top.
//
// Caveat: Play does not check its argument. AppendMoves does not check whether the game is over;
// [Position.Terminal] does.
package tictactoe
