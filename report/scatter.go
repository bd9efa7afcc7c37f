package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/agreement"
	"kroo/internal/doc"
)

// PredictedVsLabel draws label (Y) against prediction (X), both in points, as a map of
// how many fall in each cell; a good fit hugs the diagonal. Both axes have the same
// scale, in the unit. The title says of which positions. No points give a figure that
// says so.
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
	f.Caption = "Darker cells have more positions. On the line the prediction is exact; a wide band means large errors." + outsideNote(c.outside)
	width := square
	if shape.y < shape.x {
		width = wide
	}
	height := func(width vg.Length) vg.Length { return mapHeight(width-2*margin, shape) }
	return paint(f, size{width, height(width)}, size{phone, height(phone) + 2*lineHeight}, func(dc draw.Canvas) {
		dc = heading(dc, title, unit.fitLine(s))
		dc = shadeKey(dc, lowest)
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
	r, varies := s.R()
	if !varies {
		r = math.NaN()
	}
	return fmt.Sprintf("R %s, mean error %s", Number(r, 3), u.mean(s.Stats().MAE))
}

// mapHeight is the height of a figure whose map is to fill a width, with the
// axes next to and below it and the title, key and line above.
func mapHeight(width vg.Length, shape frame) vg.Length {
	const beside, below = 58, 40
	return (width-beside)*vg.Length(shape.y/shape.x) + below + titleHeight + lineHeight + keyHeight + 2*margin
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
