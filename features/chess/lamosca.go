package chess

import (
	"kroo/games/chess"
)

// LaMoSca is the evaluation of LaMoSca v0.06, reconstructed: its source prints two sessions with
// values, but no table. With these numbers, sums over pieces and squares reproduce all printed
// values of level 2, and those of level 4 that a page of the source names. Where [Determined]
// returns false, the sessions do not determine the square's value, and it is 0. Knights, bishops,
// rooks and queens count 3, 3, 5 and 10 pawns, according to a page about version 0.05; kings count
// nothing.
func LaMoSca() *Evaluator { return newEvaluator(LaMoScaTable()) }

// pieceValues are in hundredths of a pawn.
var pieceValues = [chess.Kinds]float64{
	chess.Pawn: 100, chess.Knight: 300, chess.Bishop: 300, chess.Rook: 500, chess.Queen: 1000, chess.King: 0,
}

// squareValues are determined by the sessions, in hundredths of a pawn added to the piece's value,
// for files a to d as the piece's owner sees them; the other files mirror them. The knight's d5 is
// Black's on d4, at the end of the printed line.
var squareValues = [chess.Kinds]map[string]float64{
	chess.Pawn: {
		"a2": 1, "b2": 1, "c2": 1, "d2": -3,
		"a3": 1, "b3": 2, "c3": 3, "d3": 4,
		"a4": 2, "b4": 4, "c4": 6, "d4": 8,
		"d5": 11,
	},
	chess.Knight: {"b1": 0, "a3": 4, "c3": 9, "d5": 13},
}

// LaMoScaTable returns the table of [LaMoSca].
func LaMoScaTable() (t Table) {
	for kind := range t {
		for square := range t[kind] {
			t[kind][square] = pieceValues[kind] + squareValues[kind][chess.SquareName(folded(square))]
		}
	}
	return t
}

// Determined reports whether the published sessions determine the value that LaMoSca adds to a
// piece on a square, as the piece's owner sees it.
func Determined(kind, square int) bool {
	_, there := squareValues[kind][chess.SquareName(folded(square))]
	return there
}
