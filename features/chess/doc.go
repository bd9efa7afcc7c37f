// Package chess has chess's features and the evaluators that add up what each piece
// is worth on its square: fitted ones, and that of LaMoSca v0.06 as far as it can be
// reconstructed.
//
// [Sets] has two feature sets, antisymmetric as package features describes. "pieces"
// counts pawns, knights, bishops, rooks and queens. "squares" counts them and kings by
// square, where a square of files e to h is the same as its mirror image. That makes 24
// squares of pawns, 32 of each other piece, 8 of kings on their first two rows, and one
// for a king anywhere else.
//
// [LaMoSca] is the evaluation of LaMoSca, [NewEvaluator] that of fitted weights. Both
// are tables of values by piece and square ([Table]).
//
// Caveat: each side has one king, so in "squares" the columns of kings, as differences of
// the sides, add up to 0. A fit therefore needs a small ridge, such as 0.001.
package chess
