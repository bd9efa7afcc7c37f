package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Step is one stage of backward elimination.
type Step struct {
	Features           int     // features left; each step has fewer than the one before
	Removed            string  // the feature removed to get here; empty for the full set
	TrainR, ValidR     float64 // correlation of prediction and label, -1 to 1
	TrainMAE, ValidMAE float64 // mean absolute error in points, drawn in seeds; NaN if not measured (Valid only)
}

// Elimination draws correlation and mean absolute error against the number of features
// left, on the training rows and on the validation rows. steps are in the order of the
// elimination, from the full set down.
func Elimination(steps []Step) (Figure, error) {
	f := Figure{Name: "elimination"}
	const title = "Backward elimination"
	if err := checkSteps(steps); err != nil {
		return Figure{}, err
	}
	const height = 460
	if len(steps) == 0 {
		return f.noData(wide, height, title, "no steps")
	}
	first, last := steps[0], steps[len(steps)-1]
	line := fmt.Sprintf("from %s (R %s, error %s) to %d (R %s, error %s) on the training rows",
		Plural(first.Features, "feature"), Number(first.TrainR, 3), seeds.mean(first.TrainMAE/seeds.points),
		last.Features, Number(last.TrainR, 3), seeds.mean(last.TrainMAE/seeds.points))
	f.Alt = title + ", " + line + "."
	f.Caption = "From left to right the feature that matters least is dropped, and named below where there is room. As long as the lines are level, it was not needed."
	return f.paint(size{wide, height}, size{phone, height + 40}, func(dc draw.Canvas) {
		dc = heading(dc, title, line)
		marks := []mark{trainLine.mark("training")}
		if slices.ContainsFunc(steps, func(s Step) bool { return !math.IsNaN(s.ValidR) || !math.IsNaN(s.ValidMAE) }) {
			marks = append(marks, validLine.mark("validation"))
		}
		dc = key(dc, marks...)
		upper, lower := dc, dc
		upper.Min.Y = dc.Center().Y + 14
		lower.Max.Y = dc.Center().Y + 6
		r, mae := eliminationPlots(steps, dc.Max.X-dc.Min.X)
		// Number widths differ; give both panels the wider margin.
		indent := r.DataCanvas(upper).Min.X - mae.DataCanvas(lower).Min.X
		upper.Min.X += max(0, -indent)
		lower.Min.X += max(0, indent)
		panel(upper, r, "", false)
		panel(lower, mae, "", false)
	})
}

func checkSteps(steps []Step) error {
	for i, s := range steps {
		at := fmt.Sprintf("elimination: step %d", i)
		switch {
		case s.Features < 0 || s.Features > 100_000:
			return fmt.Errorf("%s: %d features, expected 0 to 100000", at, s.Features)
		case i > 0 && s.Features >= steps[i-1].Features:
			return fmt.Errorf("%s: %d features after %d, expected fewer at each step", at, s.Features, steps[i-1].Features)
		case !(math.Abs(s.TrainR) <= 1) || math.Abs(s.ValidR) > 1:
			return fmt.Errorf("%s: correlations %v and %v, expected -1 to 1", at, s.TrainR, s.ValidR)
		case !(s.TrainMAE >= 0 && s.TrainMAE <= maxValue) || s.ValidMAE < 0 || s.ValidMAE > maxValue:
			return fmt.Errorf("%s: mean absolute errors %v and %v, expected 0 to %.0f", at, s.TrainMAE, s.ValidMAE, maxValue)
		}
	}
	return nil
}

// maxDots is the number of steps beyond which dots would only hide the curve.
const maxDots = 60

// A series is the look of a curve: its colour, dashes and dots each tell it apart.
type series struct {
	line  draw.LineStyle
	round bool
}

var (
	trainLine = series{stroke(blue, 1.4), true}
	validLine = series{stroke(orange, 1.4, 5, 3), false}
)

func (s series) dot(dc draw.Canvas, at vg.Point) {
	if s.round {
		dc.SetColor(s.line.Color)
		dc.Fill(disc(nil, at, 3.2))
		return
	}
	box(dc, orange, at.X-2.8, at.Y-2.8, at.X+2.8, at.Y+2.8)
}

func (s series) mark(label string) mark {
	return mark{label, func(dc draw.Canvas, at vg.Point) {
		dc.StrokeLine2(s.line, at.X, at.Y, at.X+26, at.Y)
		s.dot(dc, vg.Point{X: at.X + 13, Y: at.Y})
	}, 26}
}

// curve leaves gaps where a value is missing.
func (s series) curve(steps []Step, value func(Step) float64) paintOn {
	return func(dc draw.Canvas, x, y func(float64) vg.Length) {
		var points []vg.Point
		flush := func() {
			dc.StrokeLines(s.line, points)
			points = nil
		}
		for _, step := range steps {
			v := value(step)
			if math.IsNaN(v) {
				flush()
				continue
			}
			points = append(points, vg.Point{X: x(float64(step.Features)), Y: y(v)})
			if len(steps) <= maxDots {
				s.dot(dc, points[len(points)-1])
			}
		}
		flush()
	}
}

func eliminationPlots(steps []Step, width vg.Length) (r, mae *plot.Plot) {
	r = eliminationPlot(steps, "", "correlation R",
		func(s Step) float64 { return s.TrainR }, func(s Step) float64 { return s.ValidR })
	mae = eliminationPlot(steps, "features left, the one just removed", "mean absolute error, seeds",
		func(s Step) float64 { return s.TrainMAE / seeds.points }, func(s Step) float64 { return s.ValidMAE / seeds.points })
	ticks := stepTicks(steps, style(9, muted, 0, 0), width-70)
	mae.X.Tick.Marker = ticks
	bare := make(plot.ConstantTicks, len(ticks))
	for i, t := range ticks {
		bare[i] = plot.Tick{Value: t.Value, Label: " "}
	}
	r.X.Tick.Marker = bare
	return r, mae
}

func eliminationPlot(steps []Step, xLabel, yLabel string, train, valid func(Step) float64) *plot.Plot {
	p := newPlot(xLabel, yLabel)
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range steps {
		for _, v := range []float64{train(s), valid(s)} {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	air := max((high-low)*0.12, 1e-3*max(math.Abs(high), 1))
	setRange(&p.Y, low-air, high+air)
	p.Y.Tick.Marker = roundTicks{5}
	most, fewest := float64(steps[0].Features), float64(steps[len(steps)-1].Features)
	side := max((most-fewest)*0.04, 0.5)
	setRange(&p.X, fewest-side, most+side)
	p.X.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	p.Add(validLine.curve(steps, valid), trainLine.curve(steps, train))
	return p
}

// stepTicks labels steps with the number of features, as far as there is room. If all
// names of removed features fit side by side, they stand below.
func stepTicks(steps []Step, sty draw.TextStyle, width vg.Length) plot.ConstantTicks {
	span := max(1, float64(steps[0].Features-steps[len(steps)-1].Features)*1.08)
	unit := width / vg.Length(span)
	named, closest := true, unit*vg.Length(span)
	for i, s := range steps {
		if i > 0 {
			closest = min(closest, unit*vg.Length(steps[i-1].Features-s.Features))
		}
	}
	for _, s := range steps {
		named = named && sty.Width(clean(s.Removed))+6 <= closest
	}
	var ticks plot.ConstantTicks
	room := vg.Length(math.Inf(1))
	for i, s := range steps {
		if i > 0 {
			room += unit * vg.Length(steps[i-1].Features-s.Features)
		}
		label := fmt.Sprint(s.Features)
		if room < sty.Width(label)+6 {
			continue
		}
		room = 0
		if named {
			label += "\n" + cmp.Or(clean(s.Removed), "–")
		}
		ticks = append(ticks, plot.Tick{Value: float64(s.Features), Label: label})
	}
	return ticks
}
