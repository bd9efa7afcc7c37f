package othello

import "kroo/games/othello"

// Figure3 are the published weights of the classes of the 8×8 board, in the order of
// [ClassNames]: a1, b1, c1, d1, b2, c2, d2, c3, d3. The squares in the middle have none.
// (MCmicrocomputer, the article on Othello, figure 3.)
var Figure3 = [maxClasses]float64{9, 3, 5, 5, 0, 2, 1, 4, 3}

// figure3Worth is what a weight of 1 in the published table is worth, in hundredths of a
// disc. Play does not depend on it. The weights of all squares together are 204, so with
// 25 scores stay within 51 discs, and within what a search takes.
const figure3Worth = 25

// Figure3Squares is the evaluator of the published weights.
func Figure3Squares() *Squares { return squaresOf(othello.Large, Figure3[:], figure3Worth) }

// Discs evaluates by the difference of discs. A search of one ply with it is the greedy
// player of the source, which takes the move that turns most discs.
type Discs struct{}

// Evaluate is the difference for the side to move in hundredths of a disc.
func (Discs) Evaluate(p othello.Position) int { return 100 * p.Difference() }

// Dynamic evaluates by the published weights as long as 20 squares or more are empty.
// From there to the full board it goes over to counting discs, in equal steps. The
// source proposes such weights and gives no figures; the 20 are ours.
type Dynamic struct{ figure3 *Squares }

// turnFrom is the number of empty squares from which Dynamic turns to counting discs.
const turnFrom = 20

// NewDynamic makes the evaluator.
func NewDynamic() Dynamic { return Dynamic{Figure3Squares()} }

// Evaluate is the value for the side to move in hundredths of a disc.
func (d Dynamic) Evaluate(p othello.Position) int {
	empty := min(p.Empty(), turnFrom)
	return (empty*d.figure3.Evaluate(p) + (turnFrom-empty)*Discs{}.Evaluate(p)) / turnFrom
}
