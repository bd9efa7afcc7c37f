// Package chess holds chess's features and the evaluators that add up what each piece
// is worth on its square: fitted ones, and that of LaMoSca v0.06 as far as it can be
// reconstructed.
//
// [Sets] has two feature sets, antisymmetric as package features describes: "pieces"
// counts pawns, knights, bishops, rooks and queens; "squares" counts them and kings by
// square, those of files e to h with their mirror images: 24 squares of pawns, 32 of
// each other piece, and of kings 8 and all others in one.
//
// [LaMoSca] is the evaluation of LaMoSca, [NewEvaluator] that of fitted weights. Both
// are tables of values by piece and square ([Table]).
//
// Caveat: in "squares" every piece stands on one of its squares and every side has one
// king, so the columns of kings add up to 0: a fit needs a small ridge, such as 0.001.
package chess
