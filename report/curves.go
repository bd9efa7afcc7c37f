package report

import (
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/outline"
)

// A Curve is a named list of points in ascending order of X.
type Curve struct {
	Name   string
	Points []Point
}

// Len and XY implement plotter.XYer.
func (c Curve) Len() int                { return len(c.Points) }
func (c Curve) XY(i int) (x, y float64) { return c.Points[i].X, c.Points[i].Y }

// Chart is a drawing of curves with axes, title and key.
type Chart struct {
	Name   string // of the figure's files
	Title  string
	Line   string  // below the title
	X, Y   string  // what the axes show
	Log    bool    // powers of ten upwards; all values must then be above 0
	Curves []Curve // at most maxCurves

	Caption string // below the drawing: what to look for; may be ""
}

// Add adds a point to the curve with a name, or to a new one.
func (c *Chart) Add(name string, x, y float64) {
	i := slices.IndexFunc(c.Curves, func(curve Curve) bool { return curve.Name == name })
	if i < 0 {
		i, c.Curves = len(c.Curves), append(c.Curves, Curve{Name: name})
	}
	c.Curves[i].Points = append(c.Curves[i].Points, Point{X: x, Y: y})
}

// maxCurves is the most curves that a reader can distinguish.
const maxCurves = 12

// curveInks and curveDashes distinguish curves, by colour and by dash.
var (
	curveInks   = []ink{blue, orange, green, purple, gold, sky}
	curveDashes = [][]vg.Length{nil, {5, 3}}
)

func curveStyle(i int) draw.LineStyle {
	return stroke(curveInks[i%len(curveInks)], 1.4, curveDashes[i/len(curveInks)%len(curveDashes)]...)
}

// Draw draws the curves in one panel.
func (c Chart) Draw() (outline.Figure, error) {
	f := outline.Figure{Name: c.Name}
	if len(c.Curves) > maxCurves {
		return outline.Figure{}, fmt.Errorf("chart %s: %d curves, expected at most %d", c.Name, len(c.Curves), maxCurves)
	}
	const height = 400
	p := newPlot(c.X, c.Y)
	marks := []mark(nil)
	found := false
	for i, curve := range c.Curves {
		marks = append(marks, lineMark(curveStyle(i), curve.Name))
		if len(curve.Points) == 0 {
			continue
		}
		found = true
		line, points, err := plotter.NewLinePoints(curve)
		if err != nil {
			return outline.Figure{}, fmt.Errorf("chart %s: %s: %w", c.Name, curve.Name, err)
		}
		line.LineStyle = curveStyle(i)
		points.GlyphStyle = draw.GlyphStyle{Color: line.Color, Radius: 2.4, Shape: draw.CircleGlyph{}}
		p.Add(line, points)
	}
	if !found {
		return noData(f, wide, height, c.Title, "no points")
	}
	if err := c.setRanges(p); err != nil {
		return outline.Figure{}, err
	}
	f.Alt = fmt.Sprintf("%s: %s by %s.", c.Title, c.Y, c.X)
	f.Caption, f.Values = c.Caption, c.values()
	return paint(f, size{wide, height}, size{phone, height}, func(dc draw.Canvas) {
		p.X.Tick.Marker = wholeTicks(dc, 12)
		p.Draw(key(heading(dc, c.Title, c.Line), marks...))
	})
}

// setRanges makes the axes a little longer than the range of the points.
func (c Chart) setRanges(p *plot.Plot) error {
	side := max((p.X.Max-p.X.Min)*0.02, 0.5)
	setRange(&p.X, p.X.Min-side, p.X.Max+side)
	if c.Log {
		if p.Y.Min <= 0 {
			return fmt.Errorf("chart %s: %v on a logarithmic axis: expected values above 0", c.Name, p.Y.Min)
		}
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		setRange(&p.Y, p.Y.Min/1.2, p.Y.Max*1.2)
		return nil
	}
	low := min(p.Y.Min, 0)
	spare := max((p.Y.Max-low)*0.05, 1e-9)
	setRange(&p.Y, low, p.Y.Max+spare)
	if low < 0 {
		p.Y.Min -= spare
	}
	return nil
}

// values has a row for each value of the X axis, and a column for each curve.
func (c Chart) values() *outline.Table {
	t, at := outline.NewTable(c.X), map[float64]int{}
	for _, curve := range c.Curves {
		t.Header = append(t.Header, curve.Name)
		for _, p := range curve.Points {
			at[p.X] = 0
		}
	}
	xs := slices.Sorted(maps.Keys(at))
	number := numbers(xs)
	for i, x := range xs {
		at[x] = i
		t.Add(number(x))
	}
	for j, curve := range c.Curves {
		ys := make([]float64, len(curve.Points))
		for i, p := range curve.Points {
			ys[i] = p.Y
		}
		number := numbers(ys)
		for _, p := range curve.Points {
			if c.Log {
				number = numbers([]float64{0, p.Y})
			}
			t.Rows[at[p.X]][j+1] = number(p.Y)
		}
	}
	return t
}
