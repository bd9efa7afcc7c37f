// Package othello has Othello's features and evaluators: the disc difference, published square
// weights, and linear functions fitted to labels. Programs that also import the rules import it
// under another name, such as squares.
//
// [Sets] has antisymmetric feature sets (see package features): a side's discs by class of square.
// Squares that symmetries of the board map onto each other form a class: ten on the board of 8×8,
// six on 6×6. The class of the four central squares, occupied from the start, is left out, as in
// the published table, so nine and five remain.
//
// [Figure3] is a table of weights of the nine classes, printed in an article of the magazine
// MCmicrocomputer for a programmable calculator and a home computer. [Discs] counts discs,
// [Dynamic] changes gradually from the table to counting discs.
package othello

import (
	"fmt"
	"math"
	"math/bits"

	"kroo/features"
	"kroo/games/othello"
)

// smallSet is the set of the small board.
const smallSet = "squares6"

// Sets are Othello's antisymmetric feature sets, one per board. They are shared: do not modify
// them.
var Sets = features.Sets[othello.Position]{
	Game:       othello.Descriptor(),
	DefaultSet: "squares", DefaultByRules: map[string]string{othello.Small.String(): smallSet},
	All: []*features.Set[othello.Position]{
		newSet("squares", othello.Large, "discs by the nine classes of squares of the 8x8 board outside the middle"),
		newSet(smallSet, othello.Small, "discs by the five classes of squares of the 6x6 board outside the middle"),
	},
}

func newSet(name string, r othello.Rules, about string) *features.Set[othello.Position] {
	all := classes[r]
	d := features.Definition[othello.Position]{
		Name:  name,
		About: about,
		Text:  func() string { return fmt.Sprintf("othello 1 %v", all) },
	}
	for _, c := range all {
		d.Features = append(d.Features, features.Feature[othello.Position]{
			Name: c.name, Meaning: "discs on " + c.name + " and the squares like it",
			Count: func(p othello.Position) (own, opp int) {
				mine, theirs := p.Discs()
				return bits.OnesCount64(mine & c.squares), bits.OnesCount64(theirs & c.squares)
			},
		})
	}
	return features.NewSet(d)
}

// maxClasses is the number of classes of the larger board.
const maxClasses = 9

// Squares evaluates by a weight per class of squares. It is immutable and safe for concurrent use.
// Passing the turn changes only the sign.
type Squares struct {
	masks   [maxClasses]uint64
	weights [maxClasses]float64 // hundredths of a disc
}

// NewSquares returns the evaluator of a model of one of the [Sets].
func NewSquares(m *Model) *Squares {
	r := othello.Large
	if m.Set.String() == smallSet {
		r = othello.Small
	}
	return squaresOf(r, m.Weights, 100/Sets.Game.PointsPerUnit())
}

// squaresOf returns the evaluator of a weight per class, each in units of worth hundredths of a
// disc.
func squaresOf(r othello.Rules, weights []float64, worth float64) *Squares {
	e := new(Squares)
	for i, c := range classes[r] {
		e.masks[i], e.weights[i] = c.squares, weights[i]*worth
	}
	return e
}

// Evaluate returns the value for the side to move in hundredths of a disc, rounded to the nearest,
// not clamped.
func (e *Squares) Evaluate(p othello.Position) int {
	own, opp := p.Discs()
	sum := 0.0
	for i, mask := range e.masks {
		sum += e.weights[i] * float64(bits.OnesCount64(own&mask)-bits.OnesCount64(opp&mask))
	}
	return int(math.Round(sum))
}

// Model is a function fitted to one of the [Sets].
type Model = features.Model[othello.Position]

// class is a set of squares that symmetries of the board map onto each other.
type class struct {
	name    string // the name of its first square from the corner
	squares uint64
}

// classesOf returns the classes of a board without the four central squares, in the order of their
// first squares, row by row: a1 b1 c1 d1 b2 c2 d2 c3 d3.
func classesOf(r othello.Rules) (all []class) {
	seen := othello.Symmetry(0, 1<<27|1<<28|1<<35|1<<36) // the central squares
	for squares := r.Squares(); squares != 0; squares &= squares - 1 {
		at := othello.Move(bits.TrailingZeros64(squares))
		if seen>>at&1 != 0 {
			continue
		}
		c := class{name: othello.MoveName(r, at)}
		for k := range othello.Symmetries {
			c.squares |= othello.Symmetry(k, 1<<at)
		}
		seen |= c.squares
		all = append(all, c)
	}
	return all
}

// classes are the classes of each board.
var classes = [...][]class{othello.Large: classesOf(othello.Large), othello.Small: classesOf(othello.Small)}

// ClassNames returns the names of a board's classes: those of their first squares.
func ClassNames(r othello.Rules) (names []string) {
	for _, c := range classes[r] {
		names = append(names, c.name)
	}
	return names
}

// ClassOf returns the index in ClassNames of a square's class, -1 for a central square.
func ClassOf(r othello.Rules, square othello.Move) int {
	for i, c := range classes[r] {
		if c.squares>>square&1 != 0 {
			return i
		}
	}
	return -1
}

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
