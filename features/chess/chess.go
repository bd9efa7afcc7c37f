// Package chess has chess's features and piece-square evaluators: fitted ones, and LaMoSca
// v0.06's as far as it can be reconstructed.
//
// [Sets] has two antisymmetric feature sets (see package features). "pieces" counts pawns, knights,
// bishops, rooks and queens. "squares" counts them and kings by square, with files e to h mirrored
// onto d to a. That gives 24 squares for pawns, 32 for each other piece, and for the king 8 on its
// first two rows and one for all others.
//
// [LaMoSca] is LaMoSca's evaluation, [NewEvaluator] makes one of fitted weights. Both are tables of
// values by piece and square.
//
// Caveat: each side has one king, so in "squares" the kings' columns add up to 0. A fit therefore
// needs a small ridge, such as 0.001.
package chess

import (
	"fmt"
	"math"
	"math/bits"

	"kroo/features"
	"kroo/games/chess"
)

// kindNames are the names of the kinds of pieces, in order.
var kindNames = [chess.Kinds]string{"pawn", "knight", "bishop", "rook", "queen", "king"}

// Names of the feature sets.
const (
	pieces  = "pieces"
	squares = "squares"
)

// Sets are chess's feature sets. They are shared: do not modify them.
var Sets = features.Sets[chess.Position]{
	Game:       chess.Descriptor(),
	DefaultSet: pieces,
	All: []*features.Set[chess.Position]{
		newSet(pieces, "pawns, knights, bishops, rooks and queens"),
		newSet(squares, "pieces by square, files e to h as d to a; kings beyond the second row are one"),
	},
}

// class is a feature: pieces of a kind on some squares, as their owner sees them.
type class struct {
	name    string
	kind    int
	squares uint64
}

// classes are the features of each set: by kind of piece, then by square from a1 to h1, a2 to h2,
// and so on.
var classes = map[string][]class{pieces: classesOf(kindOf), squares: classesOf(squareOf)}

// classesOf returns the features that name gives to a piece, "" if it counts for none.
func classesOf(name func(kind, square int) string) (all []class) {
	known := map[string]int{}
	for kind := range chess.Kinds {
		for row := 7; row >= 0; row-- {
			for square := 8 * row; square < 8*row+8; square++ {
				c := name(kind, square)
				if c == "" {
					continue
				}
				if _, there := known[c]; !there {
					known[c] = len(all)
					all = append(all, class{name: c, kind: kind})
				}
				all[known[c]].squares |= 1 << square
			}
		}
	}
	return all
}

func kindOf(kind, _ int) string {
	if kind == chess.King {
		return ""
	}
	return kindNames[kind]
}

// squareOf names a piece's square. Kings beyond their first two rows are one feature: with many
// pieces on the board, each of these squares alone is too rare.
func squareOf(kind, square int) string {
	switch row := square >> 3; {
	case kind == chess.Pawn && (row == 0 || row == 7):
		return ""
	case kind == chess.King && row < 6:
		return "king_out"
	}
	return kindNames[kind] + "_" + chess.SquareName(foldSquare(square))
}

// foldSquare mirrors squares of files e to h onto files a to d.
func foldSquare(square int) int {
	if square&7 > 3 {
		return square ^ 7
	}
	return square
}

func newSet(name, about string) *features.Set[chess.Position] {
	d := features.Definition[chess.Position]{Name: name, About: about, Text: func() string { return digestText(classes[name]) }}
	for _, c := range classes[name] {
		d.Features = append(d.Features,
			features.Feature[chess.Position]{Name: c.name, Meaning: "pieces of the class " + c.name, Count: c.count})
	}
	return features.NewSet(d)
}

// digestText is what hashes of sets are made of, so that weights files stay readable.
func digestText(all []class) string {
	var names []string
	var index [chess.Kinds][chess.Squares]int
	for kind := range index {
		for square := range index[kind] {
			index[kind][square] = -1
		}
	}
	for i, c := range all {
		names = append(names, c.name)
		for s := c.squares; s != 0; s &= s - 1 {
			index[c.kind][bits.TrailingZeros64(s)] = i
		}
	}
	return fmt.Sprintf("chess 1 %q %v", names, index)
}

func (c class) count(p chess.Position) (own, opp int) {
	kinds, mine := p.Masks()
	ours, theirs := c.squares, bits.ReverseBytes64(c.squares)
	if p.SideToMove() == chess.Black {
		ours, theirs = theirs, ours
	}
	return bits.OnesCount64(kinds[c.kind] & mine & ours), bits.OnesCount64(kinds[c.kind] &^ mine & theirs)
}

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
func NewEvaluator(m *Model) *Evaluator {
	var t table
	for i, c := range classes[m.Set.String()] {
		for s := c.squares; s != 0; s &= s - 1 {
			t[c.kind][bits.TrailingZeros64(s)] = m.Weights[i] * 100 / Sets.Game.PointsPerUnit()
		}
	}
	return newEvaluator(t)
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
			t[kind][square] = pieceValues[kind] + squareValues[kind][chess.SquareName(foldSquare(square))]
		}
	}
	return t
}
