// Package tictactoe has tic-tac-toe's features. It shows that training works for a game that is not oware;
// the search needs no evaluation to play tic-tac-toe.
//
// [Sets] has two feature sets, antisymmetric as package features describes.
// "lines" counts the lines in which a side has one stone, or two, and the other
// has none. "squares" has these and counts stones in the centre and in the corners.
package tictactoe

import (
	"fmt"
	"math/bits"

	"kroo/features"
	"kroo/games/tictactoe"
)

// Names of the features.
const (
	openOne = "open_one"
	openTwo = "open_two"
	centre  = "centre"
	corners = "corners"
)

// The squares as bits, in reading order.
const (
	centreSquare  = 1 << 4
	cornerSquares = 1<<0 | 1<<2 | 1<<6 | 1<<8
)

var lines = [...]uint16{0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124}

// Sets are tic-tac-toe's feature sets. They are shared: do not change them.
var Sets = features.Sets[tictactoe.Position]{
	Game:  tictactoe.Descriptor(),
	Usual: "squares",
	All: []*features.Set[tictactoe.Position]{
		newSet("lines", "lines open to a side, with one stone and with two", openOne, openTwo),
		newSet("squares", "open lines, and stones in the centre and in the corners", openOne, openTwo, centre, corners),
	},
}

func newSet(name, about string, names ...string) *features.Set[tictactoe.Position] {
	return features.NewSet(name, about, names, func() string { return fmt.Sprintf("tictactoe 1 %q", names) }, func(p tictactoe.Position, own, opp []int) {
		mine, theirs := p.Masks()
		for i, name := range names {
			own[i], opp[i] = value(name, mine, theirs), value(name, theirs, mine)
		}
	})
}

// value is a feature of the side with the stones own.
func value(name string, own, opp uint16) int {
	switch name {
	case openOne:
		return open(own, opp, 1)
	case openTwo:
		return open(own, opp, 2)
	case centre:
		return bits.OnesCount16(own & centreSquare)
	}
	return bits.OnesCount16(own & cornerSquares)
}

// open counts the lines with so many own stones and none of the other side.
func open(own, opp uint16, stones int) (n int) {
	for _, l := range lines {
		if opp&l == 0 && bits.OnesCount16(own&l) == stones {
			n++
		}
	}
	return n
}
