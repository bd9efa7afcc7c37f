package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/doc"
)

// A Curve is a named list of points in ascending order of X.
type Curve struct {
	Name   string
	Points []Point
}

// Chart is a drawing of curves with axes, title and key.
type Chart struct {
	Name   string // of the figure's files
	Title  string
	Line   string  // below the title
	X, Y   string  // what the axes show
	Log    bool    // powers of ten upwards; all values must then be above 0
	Near   bool    // the Y axis starts near the lowest value instead of at 0
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
func (c Chart) Draw() (doc.Figure, error) {
	f := doc.Figure{Name: c.Name}
	if len(c.Curves) > maxCurves {
		return doc.Figure{}, fmt.Errorf("chart %s: %d curves, expected at most %d", c.Name, len(c.Curves), maxCurves)
	}
	low, high, found, err := c.extent()
	if err != nil {
		return doc.Figure{}, err
	}
	const height = 400
	if !found {
		return noData(f, wide, height, c.Title, "no points")
	}
	f.Alt = fmt.Sprintf("%s: %s by %s.", c.Title, c.Y, c.X)
	f.Caption, f.Values = c.Caption, c.values()
	return paint(f, size{wide, height}, size{phone, height}, func(dc draw.Canvas) {
		dc = c.keys(heading(dc, c.Title, c.Line))
		p := newPlot(c.X, c.Y)
		p.X.Tick.Marker = wholeTicks{ticksFor(dc, 12)}
		setRange(&p.X, low.X, high.X)
		setRange(&p.Y, low.Y, high.Y)
		if c.Log {
			p.Y.Tick.Marker = powerTicks{}
		}
		for i, curve := range c.Curves {
			p.Add(c.line(curveStyle(i), curve.Points))
		}
		panel(dc, p, "", false)
	})
}

// values has a row for each value of the X axis, and a column for each curve.
func (c Chart) values() *doc.Table {
	t, at := doc.NewTable(c.X), map[float64]int{}
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

// height is the position of a value on the Y axis.
func (c Chart) height(v float64) float64 {
	if c.Log {
		return math.Log10(v)
	}
	return v
}

// extent returns the ranges of the axes: a little more than those of the points.
func (c Chart) extent() (low, high Point, found bool, err error) {
	low, high = Point{X: math.Inf(1), Y: math.Inf(1)}, Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, curve := range c.Curves {
		for _, p := range curve.Points {
			y := c.height(p.Y)
			if !(math.Abs(p.X) <= 1e15 && math.Abs(y) <= 1e15) {
				return low, high, false, fmt.Errorf("chart %s: %s has the point %v, %v: expected numbers, above 0 on a logarithmic axis", c.Name, curve.Name, p.X, p.Y)
			}
			low.X, high.X = min(low.X, p.X), max(high.X, p.X)
			low.Y, high.Y = min(low.Y, y), max(high.Y, y)
			found = true
		}
	}
	if !c.Log && !c.Near {
		low.Y = min(low.Y, 0)
	}
	spare := max((high.Y-low.Y)*0.05, 1e-9)
	high.Y += spare
	if c.Log || c.Near || low.Y < 0 {
		low.Y -= spare
	}
	side := max((high.X-low.X)*0.02, 0.5)
	low.X, high.X = low.X-side, high.X+side
	return low, high, found, nil
}

// keys draws the names of the curves, and returns the rest of the canvas.
func (c Chart) keys(dc draw.Canvas) draw.Canvas {
	var marks []mark
	for i, curve := range c.Curves {
		marks = append(marks, lineMark(curveStyle(i), curve.Name))
	}
	return key(dc, marks...)
}

func (c Chart) line(sty draw.LineStyle, points []Point) paintOn {
	return func(dc draw.Canvas, x, y func(float64) vg.Length) {
		var line []vg.Point
		for _, p := range points {
			line = append(line, vg.Point{X: x(p.X), Y: y(c.height(p.Y))})
		}
		dc.StrokeLines(sty, line)
		dc.SetColor(sty.Color)
		for _, at := range line {
			dc.Fill(disc(nil, at, 2.4))
		}
	}
}

// powerTicks label powers of ten on an axis of logarithms.
type powerTicks struct{}

func (powerTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	step := math.Max(1, math.Round((high-low)/8))
	for e := math.Ceil(low / step); e*step <= high; e++ {
		ticks = append(ticks, plot.Tick{Value: e * step, Label: powerOfTen(int(e * step))})
	}
	if len(ticks) >= 2 {
		return ticks
	}
	ticks = nil // less than a power of ten: round numbers instead
	for _, tick := range (roundTicks{6}).Ticks(math.Pow(10, low), math.Pow(10, high)) {
		if tick.Value > 0 {
			ticks = append(ticks, plot.Tick{Value: math.Log10(tick.Value), Label: tick.Label})
		}
	}
	return ticks
}

// powerOfTen formats 10 to the power e.
func powerOfTen(e int) string {
	switch {
	case e >= -3 && e < 0:
		return Number(math.Pow(10, float64(e)), -e)
	case e >= 0 && e < 4:
		return Number(math.Pow(10, float64(e)), 0)
	}
	return fmt.Sprintf("1e%d", e)
}
