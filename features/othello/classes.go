package othello

import (
	"math/bits"

	"kroo/games/othello"
)

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
