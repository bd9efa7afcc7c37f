// Package chess has the rules of chess, under two rule sets. [Full] are the rules
// of the game as it is played (FIDE Laws of Chess, 2023). [LaMoSca] are those of
// LaMoSca v0.06, a small minimax program for WinBoard: pieces move as in chess, but
// there is no castling, no promotion, no en passant and no draw.
//
// Start with [Start] or [ParseBoard], make moves with [Position.Play]. [Descriptor]
// describes the game to code that works for any game.
//
// Boards are written in Forsyth-Edwards notation (FEN), moves by the squares they go
// from and to, with the letter of the new piece for a promotion: e2e4, e7e8q, and
// e1g1 for castling.
//
// What the source of LaMoSca does not say is decided here: there is no rule of check,
// the game ends when a king is captured, and a side without a move loses. A pawn that
// reaches the last row stays there for good.
//
// Under full rules a game is drawn by stalemate, by the third appearance of a
// position, by fifty moves of each side without a capture and without a move of a
// pawn, and when no sequence of moves can checkmate for lack of material: king
// against king, with at most one knight or any bishops on squares of one colour.
//
// Caveats: a [Position] has no clocks. The two numbers at the end of a FEN are checked
// and then forgotten, so fifty moves are counted from the position that was read.
// Play does not check its argument.
package chess
