// Package chess has chess's features and piece-square evaluators: fitted ones, and that of LaMoSca
// v0.06 as far as it can be reconstructed.
//
// [Sets] has two antisymmetric feature sets (see package features). "pieces" counts pawns, knights,
// bishops, rooks and queens. "squares" counts them and kings by square, with files e to h mirrored
// onto d to a. That gives 24 squares for pawns, 32 for each other piece, and for the king 8 on its
// first two rows and one for all others.
//
// [LaMoSca] is LaMoSca's evaluation, [NewEvaluator] that of fitted weights. Both are tables of
// values by piece and square.
//
// Caveat: each side has one king, so in "squares" the kings' columns add up to 0. A fit therefore
// needs a small ridge, such as 0.001.
package chess
