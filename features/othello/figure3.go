package othello

import "kroo/games/othello"

// Figure3 are the published weights of the classes of the 8×8 board, in the order of [ClassNames]:
// a1, b1, c1, d1, b2, c2, d2, c3, d3. The central squares have no weight. Source: MCmicrocomputer,
// the article on Othello, figure 3.
var Figure3 = [maxClasses]float64{9, 3, 5, 5, 0, 2, 1, 4, 3}

// figure3Worth is the value of a weight of 1 in the published table, in hundredths of a disc. It
// does not affect play. All weights sum to 204, so with 25 scores stay within 51 discs, and within
// the search's limits.
const figure3Worth = 25

// Figure3Squares returns the evaluator of the published weights.
func Figure3Squares() *Squares { return squaresOf(othello.Large, Figure3[:], figure3Worth) }

// Discs evaluates by the disc difference. With a search of one ply it is the source's greedy
// player, which makes the move that flips most discs.
type Discs struct{}

// Evaluate returns the disc difference for the side to move in hundredths of a disc.
func (Discs) Evaluate(p othello.Position) int { return 100 * p.Difference() }

// Dynamic evaluates by the published weights while 20 squares or more are empty, then changes in
// equal steps to counting discs on the full board. The source proposes such weights without
// numbers; the 20 is ours.
type Dynamic struct{ figure3 *Squares }

// turnFrom is the number of empty squares at which Dynamic begins to count discs.
const turnFrom = 20

// NewDynamic returns the evaluator.
func NewDynamic() Dynamic { return Dynamic{Figure3Squares()} }

// Evaluate returns the value for the side to move in hundredths of a disc.
func (d Dynamic) Evaluate(p othello.Position) int {
	empty := min(p.Empty(), turnFrom)
	return (empty*d.figure3.Evaluate(p) + (turnFrom-empty)*Discs{}.Evaluate(p)) / turnFrom
}
