package chess

import (
	"math"
	"math/bits"
	"slices"

	"kroo/features"
	"kroo/games/chess"
)

// Table is the value of pieces by kind and square, in hundredths of a pawn. Squares are as the
// piece's owner sees them; for White a8 is the first.
type Table [chess.Kinds][chess.Squares]float64

// Evaluator sums the values of a table. It is immutable and safe for concurrent use.
type Evaluator struct{ bySide [2]Table }

func newEvaluator(t Table) *Evaluator {
	e := &Evaluator{[2]Table{chess.White: t}}
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
func NewEvaluator(m *Model) *Evaluator { return newEvaluator(TableOf(m, m.Weights)) }

// TableOf converts weights, or other numbers in points, one per column of the model's set.
func TableOf(m *Model, points []float64) (t Table) {
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
