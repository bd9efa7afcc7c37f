package chess

import (
	"fmt"
	"math/bits"

	"kroo/features"
	"kroo/games/chess"
)

// kindNames are the names of the kinds of pieces, in order.
var kindNames = [chess.Kinds]string{"pawn", "knight", "bishop", "rook", "queen", "king"}

// Names of the feature sets.
const (
	pieces   = "pieces"
	squareOf = "squares"
)

// Sets are chess's feature sets. They are shared: do not modify them.
var Sets = features.Sets[chess.Position]{
	Game:       chess.Descriptor(),
	DefaultSet: pieces,
	All: []*features.Set[chess.Position]{
		newSet(pieces, "pawns, knights, bishops, rooks and queens", classOfKind),
		newSet(squareOf, "pieces by square, files e to h as d to a; kings beyond the second row are one", classOfSquare),
	},
}

// classOfKind returns the name of the feature that a piece counts for, "" if it counts for none.
func classOfKind(kind, _ int) string {
	if kind == chess.King {
		return ""
	}
	return kindNames[kind]
}

// kingOut is a king beyond its first two rows: with many pieces on the board, each of these squares
// alone is too rare.
const kingOut = "king_out"

// classOfSquare is classOfKind for features of squares, as the piece's owner sees them.
func classOfSquare(kind, square int) string {
	switch row := square >> 3; {
	case kind == chess.Pawn && (row == 0 || row == 7):
		return ""
	case kind == chess.King && row < 6:
		return kingOut
	}
	return kindNames[kind] + "_" + chess.SquareName(folded(square))
}

// folded mirrors squares of files e to h onto files a to d.
func folded(square int) int {
	if square&7 > 3 {
		return square ^ 7
	}
	return square
}

// none is the index for no feature.
const none = -1

// newSet makes the set of the features that class names: by kind of piece, then by square from a1
// to h1, a2 to h2, and so on.
func newSet(name, about string, class func(kind, square int) string) *features.Set[chess.Position] {
	var names []string
	var index [chess.Kinds][chess.Squares]int
	known := map[string]int{"": none}
	for kind := range chess.Kinds {
		for row := 7; row >= 0; row-- {
			for file := range 8 {
				square := 8*row + file
				c := class(kind, square)
				if _, there := known[c]; !there {
					known[c] = len(names)
					names = append(names, c)
				}
				index[kind][square] = known[c]
			}
		}
	}
	return features.NewSet(features.Definition[chess.Position]{
		Name: name, About: about, Features: features.Named[chess.Position](names),
		Text: func() string { return fmt.Sprintf("chess 1 %q %v", names, index) },
		Count: func(p chess.Position, own, opp []int) {
			clear(own)
			clear(opp)
			count(p, &index, own, opp)
		},
	})
}

// count counts the pieces of both sides by feature.
func count(p chess.Position, index *[chess.Kinds][chess.Squares]int, own, opp []int) {
	kinds, mine := p.Masks()
	flip := [2]int{chess.White: 0, chess.Black: 56}[p.SideToMove()]
	for kind, squares := range kinds {
		for ; squares != 0; squares &= squares - 1 {
			square := bits.TrailingZeros64(squares)
			to, seen := own, square^flip
			if mine>>square&1 == 0 {
				to, seen = opp, seen^56
			}
			if i := index[kind][seen]; i != none {
				to[i]++
			}
		}
	}
}
