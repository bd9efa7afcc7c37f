package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/outline"
)

// LabelMap is a map of label (Y) against prediction (X), both in one unit: the number of positions in
// each cell.
type LabelMap struct {
	Points []Point
	Title  string // names the positions
	Unit   string // such as "seeds"
	Note   string // at the end of the caption; may be ""
}

// mapCells is about the number of cells on either side of zero.
const mapCells = 25

// Draw implements [outline.Drawing].
func (m LabelMap) Draw() (outline.Figure, error) {
	f := outline.Figure{Name: "predicted-vs-label"}
	m.Title = clean(m.Title)
	if err := checkPoints(f.Name, m.Points, "prediction", "label"); err != nil {
		return outline.Figure{}, err
	}
	if len(m.Points) == 0 {
		return noData(f, square, square, m.Title, "no positions")
	}
	sums := summarize(m.Points)
	stats := sums.Stats()
	line := fmt.Sprintf("R %s, mean error %s %s", Number(stats.R, 3), Number(stats.MAE, 2), m.Unit)
	c := countCells(m.Points, mapCells)
	lowest := shades(slices.Max(c.counts))
	f.Alt = fmt.Sprintf("%s. Map of label against prediction: %s.", m.Title, line)
	f.Caption = "The stronger the colour of a cell, the more positions. On the line the prediction is exact; a wide band means large errors."
	if c.outside > 0 {
		f.Caption += fmt.Sprintf(" Outside the frame: %s.", Plural(c.outside, "point"))
	}
	f.Caption += m.Note
	return paint(f, size{square, square + keyHeight + lineHeight}, size{phone, phone + keyHeight + 3*lineHeight},
		func(dc draw.Canvas) {
			dc = heading(dc, m.Title, line)
			marks := []mark{{label: "positions per cell:", draw: func(draw.Canvas, vg.Point) {}}}
			for i, n := range lowest {
				marks = append(marks, boxMark(shadeInk(i, len(lowest)), "≥ "+Integer(n)))
			}
			dc = key(dc, marks...)
			p, edge := newPlot("prediction, "+m.Unit, "label, "+m.Unit), c.edge()
			setRange(&p.X, -edge, edge)
			setRange(&p.Y, -edge, edge)
			p.X.Tick.Marker, p.Y.Tick.Marker = ticksFor(dc, 9), ticksFor(dc, 9)
			p.Add(c.painter(lowest), paintOn(func(dc draw.Canvas, x, y func(float64) vg.Length) {
				dc.StrokeLine2(stroke(orange, 1), x(-edge), y(-edge), x(edge), y(edge))
			}))
			free := p.DataCanvas(dc).Rectangle.Size() // one scale for both axes
			side := min(free.X, free.Y)
			dc.Max.X -= free.X - side
			dc.Min.Y += free.Y - side
			p.Draw(dc)
		})
}

// cells counts points in square cells around zero. Cells are centred on whole multiples of their
// size, which is a round number: most labels are whole seeds, and cells of another size
// would have one of them or two, and show stripes that are not in the data.
type cells struct {
	half    int // cells on either side of the central one
	size    float64
	counts  []int // rows from the bottom, each from the left
	outside int
}

// countCells counts points in cells, about half to either side of zero.
func countCells(points []Point, half int) *cells {
	var sizes []float64
	for _, p := range points {
		sizes = append(sizes, math.Abs(p.X), math.Abs(p.Y))
	}
	reach := reach(sizes)
	c := &cells{size: evenStep(reach / float64(half))}
	c.half = int(math.Ceil(reach/c.size - 1e-6))
	c.counts = make([]int, c.width()*c.width())
	for _, p := range points {
		column, row := int(math.Round(p.X/c.size)), int(math.Round(p.Y/c.size))
		if max(column, -column, row, -row) > c.half {
			c.outside++
			continue
		}
		c.counts[(row+c.half)*c.width()+column+c.half]++
	}
	return c
}

// width is the number of cells in a row.
func (c *cells) width() int { return 2*c.half + 1 }

// edge is where the outermost cells end.
func (c *cells) edge() float64 { return (float64(c.half) + 0.5) * c.size }

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

// painter fills the cells, one path a shade, cells of one row and shade joined. Rectangles are a hair
// larger than the cells, so that no paper shows between shades.
func (c *cells) painter(lowest []int) paintOn {
	const hair = 0.2
	return func(dc draw.Canvas, x, y func(float64) vg.Length) {
		at := func(column, row int, hair vg.Length) vg.Point {
			return vg.Point{
				X: x((float64(column-c.half)-0.5)*c.size) + hair,
				Y: y((float64(row-c.half)-0.5)*c.size) + hair,
			}
		}
		for shade := range lowest {
			var path vg.Path
			for row := range c.width() {
				for start := 0; start < c.width(); start++ {
					end := start
					for end < c.width() && shadeOf(c.counts[row*c.width()+end], lowest) == shade {
						end++
					}
					if end > start {
						path = append(path, vg.Rectangle{Min: at(start, row, -hair), Max: at(end, row+1, hair)}.Path()...)
						start = end
					}
				}
			}
			dc.SetColor(shadeInk(shade, len(lowest)))
			dc.Fill(path)
		}
	}
}

// shadeOf is -1 for an empty cell.
func shadeOf(n int, lowest []int) int {
	above, _ := slices.BinarySearch(lowest, n+1)
	return above - 1
}
