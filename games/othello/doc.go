// Package othello has the rules of Othello (Reversi) on boards of 8×8 and of 6×6
// squares, which are its rule sets "8x8" and "6x6": positions, notation, perft.
// Start with [Start] or [ParseBoard], and make moves with [Position.Play].
// [Descriptor] describes the game to code that works for any game.
//
// Dark (X) moves first. A move puts a disc on an empty square and turns all rows of
// the other side's discs between it and another disc of one's own. It must turn at
// least one. A side without such a move passes: its only move is then [Pass]. The game
// is over when neither side can put a disc. The difference counts the discs on the
// board: empty squares belong to nobody.
//
// The text of a board is its squares in reading order, each X, O or a dot, then a
// dash and the side to move: ...-X. The name of a square is its column a, b, c …
// from the left and its row 1, 2, 3 … from the top.
//
// Both boards are 64-bit masks, a bit a square in reading order. The small board is
// the middle of the large one: the border around it is never occupied, so that the
// same masks and shifts serve both, and the symmetries of one are those of the other.
//
// Caveats: Play does not check its argument. Board texts need not be reachable from
// the start. AppendMoves lists moves from the last square of the board to the first.
// The source of the built-in players scans the board in this order: of equal moves it
// takes the first, and so does a search (engine.Othello).
package othello
