// Package tictactoe has tic-tac-toe's features, as an example of training for another game; the
// search needs no evaluation to play tic-tac-toe.
//
// [Sets] has two antisymmetric feature sets (see package features). "lines" counts the lines in
// which a side has one stone, or two, and the other none. "squares" adds the stones in the centre
// and in the corners.
package tictactoe

import (
	"fmt"
	"math/bits"

	"kroo/features"
	"kroo/games/tictactoe"
)

// The squares as bits, in reading order.
const (
	centreSquare  = 1 << 4
	cornerSquares = 1<<0 | 1<<2 | 1<<6 | 1<<8
)

var lines = [...]uint16{0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124}

// The features.
var (
	openOne = feature("open_one", "lines with one stone and none of the other side",
		func(own, opp uint16) int { return open(own, opp, 1) })
	openTwo = feature("open_two", "lines with two stones and none of the other side",
		func(own, opp uint16) int { return open(own, opp, 2) })
	centre = feature("centre", "a stone in the centre",
		func(own, _ uint16) int { return bits.OnesCount16(own & centreSquare) })
	corners = feature("corners", "stones in the corners",
		func(own, _ uint16) int { return bits.OnesCount16(own & cornerSquares) })
)

func feature(name, meaning string, count func(own, opp uint16) int) features.Feature[tictactoe.Position] {
	return features.Feature[tictactoe.Position]{Name: name, Meaning: meaning, Count: func(p tictactoe.Position) (int, int) {
		own, opp := p.Masks()
		return count(own, opp), count(opp, own)
	}}
}

// Sets are tic-tac-toe's feature sets. They are shared: do not modify them.
var Sets = features.Sets[tictactoe.Position]{
	Game:       tictactoe.Descriptor(),
	DefaultSet: "squares",
	All: []*features.Set[tictactoe.Position]{
		newSet("lines", "lines open to a side, with one stone and with two", openOne, openTwo),
		newSet("squares", "open lines, and stones in the centre and in the corners", openOne, openTwo, centre, corners),
	},
}

func newSet(name, about string, all ...features.Feature[tictactoe.Position]) *features.Set[tictactoe.Position] {
	var names []string
	for _, f := range all {
		names = append(names, f.Name)
	}
	return features.NewSet(features.Definition[tictactoe.Position]{
		Name:     name,
		About:    about,
		Features: all,
		Text:     func() string { return fmt.Sprintf("tictactoe 1 %q", names) },
	})
}

// open counts the lines with the given number of own stones and none of the other side.
func open(own, opp uint16, stones int) (n int) {
	for _, l := range lines {
		if opp&l == 0 && bits.OnesCount16(own&l) == stones {
			n++
		}
	}
	return n
}
