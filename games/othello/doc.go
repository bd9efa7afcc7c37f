// Package othello implements the rules of Othello (Reversi) on boards of 8×8 and 6×6 squares,
// which are its rule sets "8x8" and "6x6": positions, notation, perft. Get a position from
// [Start] or [ParseBoard], and make moves with [Position.Play]. [Descriptor] describes the game
// to code that works for any game.
//
// Dark (X) moves first. A move puts a disc on an empty square and turns every row of opponent's
// discs between it and another disc of the mover. It must turn at least one disc. A side without
// such a move passes: its only move is then [Pass]. The game is over when neither side can put a
// disc. The difference counts the discs on the board; empty squares belong to neither side.
//
// The text of a board is its squares in reading order, each X, O or a dot, then a dash and the
// side to move: ...-X. A square is named by its column a, b, c … from the left and its row 1, 2,
// 3 … from the top.
//
// Both boards are 64-bit masks, one bit per square in reading order. The small board is the
// middle of the large one, with a border that is always empty, so both use the same masks and
// shifts, and the symmetries of one are those of the other.
//
// Caveats: Play does not check its argument. Board texts need not be reachable from the start.
// AppendMoves lists moves from the last square of the board to the first: the source of the
// built-in players scans the board in this order, and of equal moves both they and a search take
// the first (engine.Othello).
package othello
