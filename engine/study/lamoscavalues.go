package study

import (
	"fmt"
	"math"
	"strings"

	values "kroo/features/chess"
	"kroo/games/chess"
	"kroo/internal/doc"
)

// FittedValues compares the values of pieces by square in two evaluations.
type FittedValues struct {
	Name   string       `json:"name"` // of the fitted weights
	Pieces []PieceValue `json:"pieces"`
}

// PieceValue is the value of a piece, in hundredths of a pawn of the evaluation.
type PieceValue struct {
	Piece string `json:"piece"`
	// Fitted is the mean over its squares, weighted by their certainty.
	Fitted  float64 `json:"fitted"`
	LaMoSca float64 `json:"lamosca"` // without values of squares
	// Squares are the values that squares of files a to d add, from row 8 down: fitted, null if the
	// standard error is above 20. Reconstructed are LaMoSca's, null where its sessions leave them
	// open.
	Squares       [8][4]*float64 `json:"squares"`
	Reconstructed [8][4]*float64 `json:"reconstructed"`
}

// maxStdErr is the standard error, in hundredths of a pawn, above which the value of a square is
// left out: a piece was hardly ever there.
const maxStdErr = 20

// CompareWithLaMoSca compares fitted weights of chess, called name, with the reconstructed values.
// It returns an error for weights that omit features of their set.
func CompareWithLaMoSca(name string, m *values.Model) (*FittedValues, error) {
	if err := m.CheckComplete(); err != nil {
		return nil, err
	}
	fitted, stdErr := values.TableOf(m, m.Weights), values.TableOf(m, m.StdErr())
	theirs := values.LaMoScaTable()
	f := &FittedValues{Name: name}
	for kind := range fitted {
		v := PieceValue{Piece: values.KindName(kind), Fitted: meanValue(kind, &fitted, &stdErr)}
		v.LaMoSca = theirs[kind][chess.Squares-1] // a corner, which the sessions do not determine
		for row := range 8 {
			for file := range 4 {
				square := 8*row + file
				if onBoard(kind, square) && stdErr[kind][square] <= maxStdErr {
					x := fitted[kind][square] - v.Fitted
					v.Squares[row][file] = &x
				}
				if values.Determined(kind, square) {
					x := theirs[kind][square] - v.LaMoSca
					v.Reconstructed[row][file] = &x
				}
			}
		}
		f.Pieces = append(f.Pieces, v)
	}
	return f, nil
}

// onBoard reports whether a piece can be on a square under full rules.
func onBoard(kind, square int) bool {
	row := square >> 3
	return kind != chess.Pawn || row > 0 && row < 7
}

// meanValue returns the mean of a piece's squares, weighted by the inverse squares of their standard
// errors.
func meanValue(kind int, fitted, stdErr *values.Table) float64 {
	sum, all := 0.0, 0.0
	for square := range chess.Squares {
		if !onBoard(kind, square) {
			continue
		}
		e := max(stdErr[kind][square], 1)
		sum += fitted[kind][square] / (e * e)
		all += 1 / (e * e)
	}
	return sum / all
}

// section has the tables, piece by piece: the fitted values of squares a to d and, after a bar,
// those of LaMoSca.
func (f *FittedValues) section() doc.Section {
	var b strings.Builder
	for _, v := range f.Pieces {
		fmt.Fprintf(&b, "\n%s %.0f | %.0f\n", v.Piece, v.Fitted, v.LaMoSca)
		for row := range 8 {
			fmt.Fprintf(&b, "%d %s  | %s\n", 8-row, rowText(v.Squares[row]), rowText(v.Reconstructed[row]))
		}
	}
	b.WriteString("     a    b    c    d  |    a    b    c    d\n")
	return doc.Section{Plain: b.String(), Text: []string{
		fmt.Sprintf("Values of pieces by square, in hundredths of a pawn: %s | LaMoSca as reconstructed.", f.Name),
		fmt.Sprintf("Squares show what they add to the piece's value; files e to h mirror d to a. A dot: the standard error is above %d, or LaMoSca's sessions do not determine the value.", maxStdErr),
	}}
}

func rowText(row [4]*float64) string {
	text := ""
	for _, x := range row {
		if x == nil {
			text += "    ·"
			continue
		}
		text += fmt.Sprintf(" %+4.0f", math.Round(*x)+0) // no -0
	}
	return text
}
