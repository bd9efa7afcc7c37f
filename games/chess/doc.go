// Package chess implements the rules of chess, with two rule sets. [Full] is chess (FIDE Laws of
// Chess, 2023). [LaMoSca] is the rules of LaMoSca v0.06, a small minimax program for WinBoard:
// pieces move as in chess, but there is no castling, no promotion, no en passant and no draw.
//
// Get a position from [Start] or [ParseBoard], and make moves with [Position.Play]. [Descriptor]
// describes the game to code that works for any game.
//
// Boards are written in Forsyth-Edwards notation (FEN), moves as the squares of origin and
// destination, with the letter of the new piece for a promotion: e2e4, e7e8q, and e1g1 for
// castling.
//
// Where the source of LaMoSca is silent, Kroo decides: there is no rule of check, the game ends
// when a king is captured, a side without a move loses, and a pawn that reaches the last row
// stays there.
//
// Under full rules a game is drawn by stalemate, by the third appearance of a position, by fifty
// moves of each side without a capture or pawn move, and if no sequence of moves can checkmate
// for lack of material: king against king, with at most one knight or any bishops on squares of
// one colour.
//
// Caveats: a [Position] has no clocks. The two numbers at the end of a FEN are checked and
// discarded, so fifty moves are counted from the position that was read. Play does not check its
// argument.
package chess
