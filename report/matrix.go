package report

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/doc"
)

// Matrix is a table of numbers as a map: a cell for each row and column, blue above zero, orange
// below, stronger for larger ones.
type Matrix struct {
	Name, Title   string
	Line          string // below the title
	Caption       string
	Rows, Columns []string    // nil columns are the rows, and have their numbers
	Values        [][]float64 // within ±Most, a row for each name
	Most          float64     // 0 is 1, that of correlations, which are in percent
}

// matrixSteps are the shades: the least share of the maximum, and the inks above and below zero.
var matrixSteps = []struct {
	from         float64
	above, below ink
}{{0.1, density[0], warm[0]}, {0.3, density[2], warm[1]}, {0.5, density[4], warm[2]}, {0.7, density[6], warm[3]}, {0.9, density[8], warm[4]}}

// Draw draws the map with the names to the left, and those of the columns above.
func (c Matrix) Draw() (doc.Figure, error) {
	columns := len(c.head())
	f := doc.Figure{Name: c.Name, Alt: fmt.Sprintf("%s: a map of %d by %d cells.", c.Title, len(c.Rows), columns), Caption: c.Caption, Values: doc.NewTable(append([]string{""}, c.head()...)...)}
	for i, row := range c.Values {
		if len(c.Values) != len(c.Rows) || len(row) != columns {
			return doc.Figure{}, fmt.Errorf("matrix %s: row %d has %d values in %d rows: expected %d in %d", c.Name, i, len(row), len(c.Values), columns, len(c.Rows))
		}
		cells := []any{c.rowName(i)}
		for _, v := range row {
			if !(math.Abs(v) <= c.most()) {
				return doc.Figure{}, fmt.Errorf("matrix %s: row %d has %v: expected %v to %v", c.Name, i, v, -c.most(), c.most())
			}
			cells = append(cells, c.number(v))
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

func (c Matrix) most() float64 { return cmp.Or(c.Most, 1) }

// number formats the value of a cell.
func (c Matrix) number(v float64) string {
	if c.Most == 0 {
		return Number(100*v, 0)
	}
	return Signed(v, 1)
}

// head returns the names above the columns.
func (c Matrix) head() []string {
	if c.Columns != nil {
		return c.Columns
	}
	var all []string
	for i := range c.Rows {
		all = append(all, fmt.Sprint(i+1))
	}
	return all
}

// cell returns the size of a cell, and the width of the names, in a drawing of a width.
func (c Matrix) cell(width vg.Length) (cell, names vg.Length) {
	sty := style(9, text, draw.XLeft, draw.YCenter)
	for i := range c.Rows {
		names = max(names, sty.Width(c.rowName(i)))
	}
	names = min(names, width*0.35) + 6
	return min(34, (width-names)/vg.Length(len(c.head()))), names
}

func (c Matrix) rowName(i int) string {
	if c.Columns != nil {
		return clean(c.Rows[i])
	}
	return fmt.Sprintf("%d  %s", i+1, clean(c.Rows[i]))
}

func (c Matrix) paint(dc draw.Canvas) {
	dc = c.key(heading(dc, c.Title, c.Line))
	cell, names := c.cell(dc.Max.X - dc.Min.X)
	left, top := dc.Min.X+names, dc.Max.Y-cell
	label := style(min(9, cell*0.9), text, draw.XLeft, draw.YCenter)
	number := style(min(8.5, cell/2.4), text, draw.XCenter, draw.YCenter)
	head := style(min(8.5, cell/1.6), muted, draw.XCenter, draw.YCenter)
	for j, name := range c.head() {
		write(dc, head, vg.Point{X: left + (vg.Length(j)+0.5)*cell, Y: dc.Max.Y - cell/2}, name)
	}
	for i, row := range c.Values {
		y := top - (vg.Length(i)+0.5)*cell
		write(dc, label, vg.Point{X: dc.Min.X, Y: y}, fit(c.rowName(i), label, names-4))
		for j, v := range row {
			x := left + vg.Length(j)*cell
			in, dark := matrixInk(v / c.most())
			box(dc, in, x+0.4, y-cell/2+0.4, x+cell-0.4, y+cell/2-0.4)
			if cell >= 17 {
				number.Color = text
				if dark {
					number.Color = paper
				}
				write(dc, number, vg.Point{X: x + cell/2, Y: y}, c.number(v))
			}
		}
	}
}

// matrixInk returns the ink of a share of the maximum, and whether text on it is to be light.
func matrixInk(v float64) (in ink, dark bool) {
	in = grid
	for i, s := range matrixSteps {
		if math.Abs(v) < s.from {
			break
		}
		if in, dark = s.above, i >= 2; v < 0 {
			in = s.below
		}
	}
	return in, dark
}

// key draws the scale, and returns the rest of the canvas.
func (c Matrix) key(dc draw.Canvas) draw.Canvas {
	var marks []mark
	for i := len(matrixSteps) - 1; i >= 0; i-- {
		marks = append(marks, boxMark(matrixSteps[i].below, "≤ "+Number(-matrixSteps[i].from*c.most(), 1)))
	}
	marks = append(marks, boxMark(grid, "near 0"))
	for _, s := range matrixSteps {
		marks = append(marks, boxMark(s.above, "≥ "+Number(s.from*c.most(), 1)))
	}
	return key(dc, marks...)
}
