package chess

import (
	"math"
	"math/bits"
	"slices"

	"kroo/features"
	"kroo/games/chess"
)

// table is the value of pieces by kind and square, in hundredths of a pawn. Squares are as the
// piece's owner sees them; for White a8 is the first.
type table [chess.Kinds][chess.Squares]float64

// Evaluator sums the values of a table. It is immutable and safe for concurrent use.
type Evaluator struct{ bySide [2]table }

func newEvaluator(t table) *Evaluator {
	e := &Evaluator{[2]table{chess.White: t}}
	for kind := range t {
		for square, value := range t[kind] {
			e.bySide[chess.Black][kind][square^56] = value
		}
	}
	return e
}

// Model is a function fitted to one of the [Sets].
type Model = features.Model[chess.Position]

// NewEvaluator returns the evaluator of a model of one of the [Sets].
func NewEvaluator(m *Model) *Evaluator { return newEvaluator(tableOf(m, m.Weights)) }

// tableOf converts weights in points, one per column of the model's set.
func tableOf(m *Model, points []float64) (t table) {
	class, set := classOfSquare, m.Set.(*features.Set[chess.Position])
	if set.Name == pieces {
		class = classOfKind
	}
	for kind := range t {
		for square := range t[kind] {
			if i := slices.Index(set.Features, class(kind, square)); i >= 0 {
				t[kind][square] = points[i] * 100 / Sets.Game.PointsPerUnit()
			}
		}
	}
	return t
}

// Evaluate returns the value for the side to move in hundredths of a pawn, rounded to the nearest,
// not clamped. It is antisymmetric.
func (e *Evaluator) Evaluate(p chess.Position) int {
	kinds, own := p.Masks()
	mine := &e.bySide[p.SideToMove()]
	theirs := &e.bySide[1-p.SideToMove()]
	sum := 0.0
	for kind := range kinds {
		for squares := kinds[kind] & own; squares != 0; squares &= squares - 1 {
			sum += mine[kind][bits.TrailingZeros64(squares)]
		}
		for squares := kinds[kind] &^ own; squares != 0; squares &= squares - 1 {
			sum -= theirs[kind][bits.TrailingZeros64(squares)]
		}
	}
	return int(math.Round(sum))
}

// LaMoSca is the evaluation of LaMoSca v0.06, reconstructed: its source prints two sessions with
// values, but no table. With these numbers, sums over pieces and squares reproduce all printed
// values of level 2, and those of level 4 that a page of the source names. The value of a square that
// the sessions do not determine is 0. Knights, bishops, rooks and queens count 3, 3, 5 and 10 pawns, according to a page about version 0.05; kings count
// nothing.
func LaMoSca() *Evaluator { return newEvaluator(laMoScaTable()) }

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

// laMoScaTable returns the table of [LaMoSca].
func laMoScaTable() (t table) {
	for kind := range t {
		for square := range t[kind] {
			t[kind][square] = pieceValues[kind] + squareValues[kind][chess.SquareName(folded(square))]
		}
	}
	return t
}
