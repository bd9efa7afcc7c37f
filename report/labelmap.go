package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/agreement"
	"kroo/internal/doc"
)

// PredictedVsLabel draws a map of label (Y) against prediction (X), both given in points: the
// number of positions in each cell. Both axes have the same scale, in the unit. The title names
// the positions.
func PredictedVsLabel(points []Point, title string, unit Unit) (doc.Figure, error) {
	f := doc.Figure{Name: "predicted-vs-label"}
	title = clean(title)
	if err := checkPoints(f.Name, points, "prediction", "label"); err != nil {
		return doc.Figure{}, err
	}
	if len(points) == 0 {
		return noData(f, square, square, title, "no positions")
	}
	points = unit.of(points)
	s := summarize(points)
	shape := newFrame(points)
	c := countCells(points, shape, 25)
	lowest := shades(c.most())
	f.Alt = fmt.Sprintf("%s. Map of label against prediction: %s.", title, unit.fitLine(s))
	f.Caption = "The stronger the colour of a cell, the more positions. On the line the prediction is exact; a wide band means large errors." + outsideNote(c.outside)
	width := square
	if shape.y < shape.x {
		width = wide
	}
	height := func(width vg.Length) vg.Length { return mapHeight(width-2*margin, shape) }
	return paint(f, size{width, height(width)}, size{phone, height(phone) + 2*lineHeight}, func(dc draw.Canvas) {
		dc = heading(dc, title, unit.fitLine(s))
		marks := []mark{{label: "positions per cell:", draw: func(draw.Canvas, vg.Point) {}}}
		for i, n := range lowest {
			marks = append(marks, boxMark(shadeInk(i, len(lowest)), "≥ "+Count(n)))
		}
		dc = key(dc, marks...)
		panel(dc, densityPlot(c, lowest, ticksFor(dc, 9), unit), "", true)
	})
}

func densityPlot(c *cells, lowest []int, ticks roundTicks, unit Unit) *plot.Plot {
	p := newPlot("prediction, "+unit.name, "label, "+unit.name)
	right, top := c.edges()
	setRange(&p.X, -right, right)
	setRange(&p.Y, -top, top)
	// One step for both axes, of the wider one.
	p.X.Tick.Marker = ticks
	p.Y.Tick.Marker = roundTicks{max(2, int(float64(ticks.n)*top/right+0.5))}
	p.Add(c.painter(lowest), paintOn(func(dc draw.Canvas, x, y func(float64) vg.Length) {
		e := min(right, top)
		dc.StrokeLine2(stroke(orange, 1), x(-e), y(-e), x(e), y(e))
	}))
	return p
}

func (u Unit) fitLine(s agreement.Sums) string {
	all := s.Stats()
	return fmt.Sprintf("R %s, mean error %s", Number(all.R, 3), u.mean(all.MAE))
}

// mapHeight returns the height of a figure whose map fills a width, with axes, title, key and
// line.
func mapHeight(width vg.Length, shape frame) vg.Length {
	const left, below = 58, 40
	return (width-left)*vg.Length(shape.y/shape.x) + below + titleHeight + lineHeight + keyHeight + 2*margin
}

func outsideNote(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " One point lies outside the frame."
	}
	return fmt.Sprintf(" %s points lie outside the frame.", Count(n))
}

// A frame is the range of a map around zero, X to either side and Y above and
// below, with one scale for both. It is never higher than wide.
type frame struct{ x, y float64 }

// newFrame returns a frame for points.
func newFrame(points []Point) frame {
	var xs, ys []float64
	for _, p := range points {
		xs, ys = append(xs, math.Abs(p.X)), append(ys, math.Abs(p.Y))
	}
	f := frame{reach(xs), reach(ys)}
	return frame{max(f.x, f.y), max(f.y, 0.4*f.x)}
}

// cells counts points in square cells. Cells are centred on whole multiples of their
// size, which is a round number: most labels are whole seeds, and cells of another size
// would have one of them or two, and show stripes that are not in the data.
type cells struct {
	columns, rows int // on either side of the central one
	size          float64
	counts        []int // rows from the bottom, each from the left
	outside       int
}

// countCells counts points in cells, about half cells to either side of zero.
func countCells(points []Point, f frame, half int) *cells {
	c := &cells{size: evenStep(f.x / float64(half))}
	c.rows, c.columns = int(math.Ceil(f.y/c.size-1e-6)), int(math.Ceil(f.x/c.size-1e-6))
	c.counts = make([]int, c.width()*(2*c.rows+1))
	for _, p := range points {
		column, row := int(math.Round(p.X/c.size)), int(math.Round(p.Y/c.size))
		if max(column, -column) > c.columns || max(row, -row) > c.rows {
			c.outside++
			continue
		}
		c.counts[(row+c.rows)*c.width()+column+c.columns]++
	}
	return c
}

// width is the number of cells in a row.
func (c *cells) width() int { return 2*c.columns + 1 }

// edges are where the outermost cells end.
func (c *cells) edges() (x, y float64) {
	return (float64(c.columns) + 0.5) * c.size, (float64(c.rows) + 0.5) * c.size
}

func (c *cells) most() int { return slices.Max(c.counts) }

// shades gives the lowest count of each shade: steps of equal ratio, since ties
// put a hundred times more points in some cells than in others.
func shades(most int) []int {
	var lowest []int
	for _, steps := range [][]int{{1, 2, 5}, {1, 3}, {1}} {
		lowest = lowest[:0]
		for power := 1; power <= most; power *= 10 {
			for _, s := range steps {
				if s*power <= most {
					lowest = append(lowest, s*power)
				}
			}
		}
		if len(lowest) <= len(density) {
			break
		}
	}
	return lowest
}

// shadeInk spreads n shades over the whole of the palette.
func shadeInk(i, n int) ink {
	if n < 2 {
		return density[len(density)/2]
	}
	return density[i*(len(density)-1)/(n-1)]
}

// painter fills the cells, one path a shade, cells of one row and shade joined.
func (c *cells) painter(lowest []int) paintOn {
	return func(dc draw.Canvas, x, y func(float64) vg.Length) {
		at := func(column, row int) vg.Point {
			return vg.Point{
				X: x((float64(column-c.columns) - 0.5) * c.size),
				Y: y((float64(row-c.rows) - 0.5) * c.size),
			}
		}
		for shade := range lowest {
			var path vg.Path
			for row := range 2*c.rows + 1 {
				for start := 0; start < c.width(); start++ {
					end := start
					for end < c.width() && shadeOf(c.counts[row*c.width()+end], lowest) == shade {
						end++
					}
					if end > start {
						path = block(path, at(start, row), at(end, row+1))
						start = end
					}
				}
			}
			dc.SetColor(shadeInk(shade, len(lowest)))
			dc.Fill(path)
		}
	}
}

// block appends a rectangle a hair larger than the cells, so that shades overlap and no
// paper shows between them.
func block(path vg.Path, low, high vg.Point) vg.Path {
	const hair = 0.2
	path.Move(vg.Point{X: low.X - hair, Y: low.Y - hair})
	path.Line(vg.Point{X: high.X + hair, Y: low.Y - hair})
	path.Line(vg.Point{X: high.X + hair, Y: high.Y + hair})
	path.Line(vg.Point{X: low.X - hair, Y: high.Y + hair})
	path.Close()
	return path
}

// shadeOf is -1 for an empty cell.
func shadeOf(n int, lowest []int) int {
	shade := -1
	for shade+1 < len(lowest) && n >= lowest[shade+1] {
		shade++
	}
	return shade
}
