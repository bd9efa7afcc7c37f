// Package tictactoe is noughts and crosses: the smallest game the searchers can
// play, and small enough that every value is known. Begin with [Start] or
// [ParseBoard], make moves with [Position.Play]. [Descriptor] is the game as
// code that works for any game sees it.
//
// A board is written as its nine squares in reading order, "X", "O" or ".";
// whose move it is follows from the number of stones, X having moved first. A
// square is named by its column a, b, c from the left and its row 1, 2, 3 from
// the top.
//
// Caveat: Play trusts its argument, and AppendMoves does not ask whether the
// game is over; [Position.Terminal] does.
package tictactoe
