// Package tictactoe holds tic-tac-toe's features and the evaluator of weights
// fitted to them. It shows that training works for a game that is not oware;
// the search needs no evaluation to play tic-tac-toe.
//
// [Sets] has two feature sets, antisymmetric as package features describes.
// "lines" counts the lines in which a side has one stone, or two, and the other
// has none. "squares" has these and counts stones in the centre and in the corners.
package tictactoe

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

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

var names = [...]string{openOne, openTwo, centre, corners}

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

// Evaluator computes fitted weights. It is immutable, and safe for concurrent
// use.
type Evaluator struct{ weights [len(names)]float64 } // points, in the order of names

// NewEvaluator makes an evaluator of weights of one of the Sets.
func NewEvaluator(w *features.Weights) (*Evaluator, error) {
	if _, err := Sets.Check(w); err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	e := new(Evaluator)
	for i, name := range names {
		if k := slices.Index(w.Features, name); k >= 0 {
			e.weights[i] = w.Points[k]
		}
	}
	return e, nil
}

// Evaluate is the value of the position for the side to move in hundredths of
// a win, rounded to the nearest, not clamped. It is antisymmetric.
func (e *Evaluator) Evaluate(p tictactoe.Position) int {
	own, opp := p.Masks()
	points := 0.0
	for i, name := range names {
		points += e.weights[i] * float64(value(name, own, opp)-value(name, opp, own))
	}
	return int(math.Round(points * 100 / Sets.Game.PointsPerUnit()))
}
