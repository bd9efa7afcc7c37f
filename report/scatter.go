package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/agreement"
)

const (
	predictionAxis = "prediction, points"
	labelAxis      = "label, points"
)

// PredictedVsLabel draws label (Y) against prediction (X), both in points, as
// a map of how many positions fall in each cell; a good fit hugs the diagonal.
// Both axes have the same scale. No points give a figure that says so.
func PredictedVsLabel(points []Point, title string) (Figure, error) {
	f := Figure{Name: "predicted-vs-label"}
	title = clean(title)
	if err := checkPoints(f.Name, points, "prediction", "label"); err != nil {
		return Figure{}, err
	}
	if len(points) == 0 {
		return f.noData(square, square, title, "no positions")
	}
	s := summarize(points)
	shape := newFrame(points)
	c := countCells(points, shape, 25)
	lowest := shades(c.most())
	f.Alt = fmt.Sprintf("%s. Map of label against prediction for %s: %s.", title, Plural(len(points), "position"), fitLine(s))
	f.Caption = "Label against prediction: the shade of a cell tells how many positions lie there; on the line the two are equal." + outsideNote(c.outside)
	width := square
	if shape.y < shape.x {
		width = wide
	}
	height := func(width vg.Length) vg.Length { return mapHeight(width-2*margin, shape) }
	return f.paint(size{width, height(width)}, size{phone, height(phone) + 2*lineHeight}, func(dc draw.Canvas) {
		dc = heading(dc, title, fitLine(s)+" · "+Plural(len(points), "position"))
		dc = shadeKey(dc, lowest)
		panel(dc, densityPlot(c, lowest, ticksFor(dc, 9)), "", true)
	})
}

// CapturesVsFitted sets two predictions of the same labels side by side on the
// same axes and shades: from the captured-seed difference alone, and from the
// fitted function. X is the prediction and Y the label, in points.
func CapturesVsFitted(captures, fitted []Point) (Figure, error) {
	f := Figure{Name: "captures-vs-fitted"}
	const title = "Captures alone and the fitted function"
	if err := checkPoints(f.Name+": captures", captures, "prediction", "label"); err != nil {
		return Figure{}, err
	}
	if err := checkPoints(f.Name+": fitted", fitted, "prediction", "label"); err != nil {
		return Figure{}, err
	}
	if len(captures) == 0 || len(fitted) == 0 {
		return f.noData(wide, square, title, "no positions to compare")
	}
	shape := newFrame(captures, fitted)
	a, b := countCells(captures, shape, 20), countCells(fitted, shape, 20)
	lowest := shades(max(a.most(), b.most()))
	sa, sb := summarize(captures), summarize(fitted)
	lineA, lineB := "captures alone: "+fitLine(sa), "fitted function: "+fitLine(sb)
	f.Alt = fmt.Sprintf("Two maps of label against prediction on the same axes. %s. %s.", lineA, lineB)
	f.Caption = fmt.Sprintf("Label against prediction for the same %s, on the same axes and shades. On the line the two are equal.%s",
		Plural(len(fitted), "position"), outsideNote(a.outside+b.outside))
	half := (wide - 2*margin - gap) / 2
	return f.paint(size{wide, mapHeight(half, shape)}, size{phone, 2*mapHeight(phone-2*margin, shape) - keyHeight}, func(dc draw.Canvas) {
		dc = shadeKey(heading(dc, title, ""), lowest)
		left, right := halves(dc)
		panel(left, densityPlot(a, lowest, roundTicks{5}), "captures alone: "+shortFitLine(sa), true)
		panel(right, densityPlot(b, lowest, roundTicks{5}), "fitted function: "+shortFitLine(sb), true)
	})
}

func densityPlot(c *cells, lowest []int, ticks roundTicks) *plot.Plot {
	p := newPlot(predictionAxis, labelAxis)
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

func fitLine(s agreement.Sums) string { return agreementLine(s, "mean absolute error") }

func shortFitLine(s agreement.Sums) string { return agreementLine(s, "MAE") }

func agreementLine(s agreement.Sums, mae string) string {
	r, varies := s.R()
	if !varies {
		r = math.NaN()
	}
	return fmt.Sprintf("R %s, %s %s points", Number(r, 3), mae, Number(s.Stats().MAE, 1))
}

// mapHeight is the height of a figure whose map is to fill a width, with the
// axes beside and below it and the title, key and line above.
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
