package othello

import "kroo/games/othello"

// Figure3 are the published weights of the classes of the 8×8 board, in the order of
// [ClassNames]: a1 9, b1 3, c1 5, d1 5, b2 0, c2 2, d2 1, c3 4, d3 3. The squares in the
// middle have none. (MCmicrocomputer, the article on Othello, figure 3.)
var Figure3 = [maxClasses]float64{9, 3, 5, 5, 0, 2, 1, 4, 3}

// figure3Worth is what 1 of the published table is worth in hundredths of a disc.
// Play does not depend on it. All squares together are 204, so 25 keeps scores within
// those of a search (and 51 discs).
const figure3Worth = 25

// Figure3Squares is the evaluator of the published weights.
func Figure3Squares() *Squares { return squaresOf(othello.Large, Figure3[:], figure3Worth) }

// Discs evaluates by the difference of discs. Searched one ply deep it is the greedy
// player of the source: it turns most discs.
type Discs struct{}

// Evaluate is the difference for the side to move in hundredths of a disc.
func (Discs) Evaluate(p othello.Position) int { return 100 * p.Difference() }

// Dynamic evaluates by the published weights as long as many squares are empty, and
// turns to counting discs: from TurnFrom empty squares on, the weights move in
// equal steps to one disc each, which they are when the board is full. The source
// proposes such weights and gives no figures; TurnFrom is ours.
type Dynamic struct{ figure3 *Squares }

// TurnFrom is the number of empty squares from which Dynamic turns to counting discs.
const TurnFrom = 20

// NewDynamic makes the evaluator.
func NewDynamic() Dynamic { return Dynamic{Figure3Squares()} }

// Evaluate is the value for the side to move in hundredths of a disc.
func (d Dynamic) Evaluate(p othello.Position) int {
	empty := min(p.Empty(), TurnFrom)
	return (empty*d.figure3.Evaluate(p) + (TurnFrom-empty)*Discs{}.Evaluate(p)) / TurnFrom
}
