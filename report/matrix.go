package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/outline"
)

// Matrix is a map of correlations: a cell for each pair of names, blue above zero, orange below,
// stronger for larger ones. Columns have the numbers of the rows.
type Matrix struct {
	Name, Title string
	Line        string // below the title
	Caption     string
	Rows        []string
	Values      [][]float64 // a row for each name
}

// matrixSteps are the shades: the least size, and the inks above and below zero.
var matrixSteps = []struct {
	from         float64
	above, below ink
}{{0.1, density[0], warm[0]}, {0.3, density[2], warm[1]}, {0.5, density[4], warm[2]}, {0.7, density[6], warm[3]}, {0.9,
	density[8], warm[4]}}

// Draw draws the map with the names to the left, and those of the columns above.
func (c Matrix) Draw() (outline.Figure, error) {
	f := outline.Figure{
		Name:    c.Name,
		Alt:     fmt.Sprintf("%s: a map of %[2]d by %[2]d cells.", c.Title, len(c.Rows)),
		Caption: c.Caption,
		Values:  outline.NewTable(""),
	}
	for i, row := range c.Values {
		f.Values.Header = append(f.Values.Header, fmt.Sprint(i+1))
		if len(c.Values) != len(c.Rows) || len(row) != len(c.Rows) {
			return outline.Figure{}, fmt.Errorf("matrix %s: row %d has %d values in %d rows: expected %d in each",
				c.Name, i, len(row), len(c.Values), len(c.Rows))
		}
		cells := []any{c.rowName(i)}
		for _, v := range row {
			if !(math.Abs(v) <= 1) {
				return outline.Figure{}, fmt.Errorf("matrix %s: row %d has %v: expected -1 to 1", c.Name, i, v)
			}
			cells = append(cells, Number(100*v, 0))
		}
		f.Values.Add(cells...)
	}
	height := func(width vg.Length) vg.Length {
		cell, _ := c.cell(width - 2*margin)
		return vg.Length(len(c.Rows)+1)*cell + titleHeight + keyHeight + 2*margin
	}
	below := vg.Length(0) // the title
	if c.Line != "" {
		below = lineHeight
	}
	return paint(f, size{wide, height(wide) + below}, size{phone, height(phone) + 2*below + 2*keyRow + lineHeight}, c.paint)
}

// cell returns the size of a cell, and the width of the names, in a drawing of a width.
func (c Matrix) cell(width vg.Length) (cell, names vg.Length) {
	sty := style(9, text, draw.XLeft, draw.YCenter)
	for i := range c.Rows {
		names = max(names, sty.Width(c.rowName(i)))
	}
	names = min(names, width*0.35) + 6
	return min(34, (width-names)/vg.Length(len(c.Rows))), names
}

func (c Matrix) rowName(i int) string { return fmt.Sprintf("%d  %s", i+1, clean(c.Rows[i])) }

func (c Matrix) paint(dc draw.Canvas) {
	var marks []mark
	for i := len(matrixSteps) - 1; i >= 0; i-- {
		marks = append(marks, boxMark(matrixSteps[i].below, "≤ "+Number(-matrixSteps[i].from, 1)))
	}
	marks = append(marks, boxMark(grid, "near 0"))
	for _, s := range matrixSteps {
		marks = append(marks, boxMark(s.above, "≥ "+Number(s.from, 1)))
	}
	dc = key(heading(dc, c.Title, c.Line), marks...)
	cell, names := c.cell(dc.Max.X - dc.Min.X)
	left, top := dc.Min.X+names, dc.Max.Y-cell
	label := style(min(9, cell*0.9), text, draw.XLeft, draw.YCenter)
	number := style(min(9, cell/2.4), text, draw.XCenter, draw.YCenter)
	head := style(min(9, cell/1.6), muted, draw.XCenter, draw.YCenter)
	for i, row := range c.Values {
		write(dc, head, vg.Point{X: left + (vg.Length(i)+0.5)*cell, Y: dc.Max.Y - cell/2}, fmt.Sprint(i+1))
		y := top - (vg.Length(i)+0.5)*cell
		write(dc, label, vg.Point{X: dc.Min.X, Y: y}, fit(c.rowName(i), label, names-4))
		for j, v := range row {
			x := left + vg.Length(j)*cell
			in, dark := matrixInk(v)
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

// matrixInk returns the ink of a correlation, and whether text on it is to be light.
func matrixInk(v float64) (in ink, dark bool) {
	in = grid
	for i, s := range matrixSteps {
		if math.Abs(v) < s.from {
			break
		}
		in, dark = s.above, i >= 2
		if v < 0 {
			in = s.below
		}
	}
	return in, dark
}
