package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/doc"
)

// Correlations is a map of correlations: a cell for each pair of names, blue for those above
// zero, orange for those below, darker for stronger ones.
type Correlations struct {
	Name, Title string
	Line        string // below the title
	Names       []string
	Values      [][]float64 // −1 to 1, a row for each name
}

// correlationSteps are the sizes from which each shade is, and its inks above and below zero.
var correlationSteps = []struct {
	from         float64
	above, below ink
}{{0.1, density[0], warm[0]}, {0.3, density[2], warm[1]}, {0.5, density[4], warm[2]}, {0.7, density[6], warm[3]}, {0.9, density[8], warm[4]}}

// Draw draws the map with the names to the left, and their numbers above.
func (c Correlations) Draw() (doc.Figure, error) {
	f := doc.Figure{Name: c.Name, Alt: fmt.Sprintf("%s: a map of %d by %d cells.", c.Title, len(c.Names), len(c.Names))}
	for i, row := range c.Values {
		if len(c.Values) != len(c.Names) || len(row) != len(c.Names) {
			return doc.Figure{}, fmt.Errorf("correlations %s: row %d has %d values in %d rows: expected %d of each", c.Name, i, len(row), len(c.Values), len(c.Names))
		}
		for _, v := range row {
			if !(math.Abs(v) <= 1) {
				return doc.Figure{}, fmt.Errorf("correlations %s: row %d has %v: expected -1 to 1", c.Name, i, v)
			}
		}
	}
	f.Caption = "Blue: one grows with the other; orange: one falls as the other grows. Strong colours off the diagonal are features that say nearly the same. Columns have the numbers of the rows."
	height := func(width vg.Length) vg.Length {
		cell, _ := c.cell(width - 2*margin)
		return vg.Length(len(c.Names)+1)*cell + titleHeight + keyHeight + 2*margin
	}
	below := vg.Length(0) // the title
	if c.Line != "" {
		below = lineHeight
	}
	return paint(f, size{wide, height(wide) + below}, size{phone, height(phone) + 2*below + 2*keyRow + lineHeight}, c.paint)
}

// cell is the size of a cell, and the width of the names, in a drawing of a width.
func (c Correlations) cell(width vg.Length) (cell, names vg.Length) {
	sty := style(9, text, draw.XLeft, draw.YCenter)
	for i, name := range c.Names {
		names = max(names, sty.Width(c.rowName(i, name)))
	}
	names = min(names, width*0.35) + 6
	return min(34, (width-names)/vg.Length(len(c.Names))), names
}

func (c Correlations) rowName(i int, name string) string {
	return fmt.Sprintf("%d  %s", i+1, clean(name))
}

func (c Correlations) paint(dc draw.Canvas) {
	dc = correlationKey(heading(dc, c.Title, c.Line))
	cell, names := c.cell(dc.Max.X - dc.Min.X)
	left, top := dc.Min.X+names, dc.Max.Y-cell
	label := style(min(9, cell*0.9), text, draw.XLeft, draw.YCenter)
	number := style(min(8.5, cell/2.4), text, draw.XCenter, draw.YCenter)
	head := style(min(8.5, cell/1.6), muted, draw.XCenter, draw.YCenter)
	for i, row := range c.Values {
		y := top - (vg.Length(i)+0.5)*cell
		write(dc, label, vg.Point{X: dc.Min.X, Y: y}, fit(c.rowName(i, c.Names[i]), label, names-4))
		write(dc, head, vg.Point{X: left + (vg.Length(i)+0.5)*cell, Y: dc.Max.Y - cell/2}, fmt.Sprint(i+1))
		for j, v := range row {
			x := left + vg.Length(j)*cell
			in, dark := correlationInk(v)
			box(dc, in, x+0.4, y-cell/2+0.4, x+cell-0.4, y+cell/2-0.4)
			if cell >= 17 {
				number.Color = text
				if dark {
					number.Color = paper
				}
				write(dc, number, vg.Point{X: x + cell/2, Y: y}, Number(100*v, 0))
			}
		}
	}
}

// correlationInk is the ink of a cell, and whether it is so dark that paper shows on it.
func correlationInk(v float64) (in ink, dark bool) {
	in = grid
	for i, s := range correlationSteps {
		if math.Abs(v) < s.from {
			break
		}
		if in, dark = s.above, i >= 2; v < 0 {
			in = s.below
		}
	}
	return in, dark
}

// correlationKey draws the scale, and returns the rest of the canvas.
func correlationKey(dc draw.Canvas) draw.Canvas {
	var marks []mark
	for i := len(correlationSteps) - 1; i >= 0; i-- {
		marks = append(marks, boxMark(correlationSteps[i].below, "≤ "+Number(-correlationSteps[i].from, 1)))
	}
	marks = append(marks, boxMark(grid, "near 0"))
	for _, s := range correlationSteps {
		marks = append(marks, boxMark(s.above, "≥ "+Number(s.from, 1)))
	}
	return key(dc, marks...)
}
