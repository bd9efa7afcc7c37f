package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/agreement"
	"kroo/internal/doc"
)

// Residuals draws label (Y) minus prediction (X), both given in points: left a histogram with
// mean and standard deviation, right quantiles by prediction. The axes have the unit.
func Residuals(points []Point, title string, unit Unit) (doc.Figure, error) {
	f := doc.Figure{Name: "residuals"}
	title = clean(title)
	if err := checkPoints(f.Name, points, "prediction", "label"); err != nil {
		return doc.Figure{}, err
	}
	const height = 330
	if len(points) == 0 {
		return noData(f, wide, height, title, "no positions")
	}
	points = unit.of(points)
	s := summarize(points)
	limit := residualReach(points)
	h := newHistogram(points, limit)
	groups := groupByPrediction(points)
	line := fmt.Sprintf("mean %s, standard deviation %s, mean error %s", Number(s.Bias(), unit.decimals), Number(s.Deviation(), unit.decimals), unit.mean(s.Stats().MAE))
	f.Alt = fmt.Sprintf("%s: %s; the largest is %s.", title, line, unit.mean(s.Worst()))
	f.Caption = "Residuals: labels minus predictions. Left, their distribution with a normal curve; right, by prediction. Medians near zero: no systematic over- or undervaluation." +
		outsideNote(h.outside)
	return paint(f, size{wide, height}, size{phone, 2 * height}, func(dc draw.Canvas) {
		left, right := halves(heading(dc, title, line))
		left = key(left, lineMark(stroke(orange, 1.4), "mean"), lineMark(stroke(orange, 1, 3, 2), "± 1 sd"), lineMark(stroke(text, 0.9), "normal curve"))
		panel(left, h.plot(s, ticksFor(dc, 7), unit), "", false)
		right = key(right, lineMark(stroke(density[9], 1.8), "median"), boxMark(density[3], "middle 50 %"), boxMark(density[1], "middle 80 %"))
		panel(right, groupPlot(groups, ticksFor(dc, 6), unit), "", false)
	})
}

func residualReach(points []Point) float64 {
	sizes := make([]float64, len(points))
	for i, p := range points {
		sizes[i] = math.Abs(p.Y - p.X)
	}
	return reach(sizes)
}

// histogram of residuals over [-limit, limit], bins centred on multiples of
// their width so that zero has a bin of its own.
type histogram struct {
	half, outside int
	limit, width  float64
	counts        []int
}

func newHistogram(points []Point, limit float64) histogram {
	h := histogram{width: evenStep(limit / 24)}
	h.half = int(math.Ceil(limit/h.width - 1e-6))
	h.limit = float64(h.half) * h.width
	h.counts = make([]int, 2*h.half+1)
	for _, p := range points {
		i := int(math.Round((p.Y-p.X)/h.width)) + h.half
		if i < 0 || i >= len(h.counts) {
			h.outside++
			continue
		}
		h.counts[i]++
	}
	return h
}

func (h histogram) plot(s agreement.Sums, ticks roundTicks, unit Unit) *plot.Plot {
	p := newPlot("label − prediction, "+unit.name, "count")
	edge := h.limit + h.width/2
	most := float64(slices.Max(h.counts))
	mean, sd := s.Bias(), s.Deviation()
	top := 1.06 * max(most, h.normal(s, mean), 1)
	setRange(&p.X, -edge, edge)
	setRange(&p.Y, 0, top)
	p.X.Tick.Marker = ticks
	p.Y.Tick.Marker = wholeTicks{roundTicks{7}}
	p.Add(paintOn(func(dc draw.Canvas, x, y func(float64) vg.Length) {
		for i, n := range h.counts {
			if n > 0 {
				left := (float64(i-h.half) - 0.5) * h.width
				box(dc, density[4], x(left)+0.3, y(0), x(left+h.width)-0.3, y(float64(n)))
			}
		}
		if sd > 0 {
			var curve []vg.Point
			for i := -100; i <= 100; i++ {
				v := edge * float64(i) / 100
				curve = append(curve, vg.Point{X: x(v), Y: y(h.normal(s, v))})
			}
			dc.StrokeLines(stroke(text, 0.9), curve)
			for _, v := range []float64{mean - sd, mean + sd} {
				if math.Abs(v) <= edge {
					dc.StrokeLine2(stroke(orange, 1, 3, 2), x(v), y(0), x(v), y(top))
				}
			}
		}
		if math.Abs(mean) <= edge {
			dc.StrokeLine2(stroke(orange, 1.4), x(mean), y(0), x(mean), y(top))
		}
	}))
	return p
}

// normal returns the count of a bin at v under the normal curve; zero if the deviation is too far
// below a bin's width to draw it.
func (h histogram) normal(s agreement.Sums, v float64) float64 {
	sd := s.Deviation()
	if !(sd > h.width/4) {
		return 0
	}
	z := (v - s.Bias()) / sd
	return s.Weight() * h.width / (sd * math.Sqrt(2*math.Pi)) * math.Exp(-z*z/2)
}

// A group is a stretch of predictions with the quantiles of its residuals.
type group struct {
	low, high float64
	q         [5]float64 // 10, 25, 50, 75 and 90 %
}

// leastGroup is the least number of residuals in a group, sliceCount the most groups.
const (
	leastGroup = 25
	sliceCount = 32
)

// groupByPrediction cuts the range of predictions into equal slices and joins
// neighbours until each has enough residuals; too few at the end join the last.
func groupByPrediction(points []Point) []group {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(a, b Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	low := sorted[0].X
	width := (sorted[len(sorted)-1].X - low) / sliceCount
	slice := func(p Point) int {
		if width == 0 {
			return 0
		}
		return min(int((p.X-low)/width), sliceCount-1)
	}
	var groups []group
	start, last := 0, 0 // start of the group being filled and of the one before
	for end := 1; end <= len(sorted); end++ {
		switch full := end-start >= leastGroup; {
		case end == len(sorted) && !full && len(groups) > 0:
			groups[len(groups)-1] = newGroup(sorted[last:])
		case end == len(sorted), full && slice(sorted[end]) != slice(sorted[end-1]):
			groups = append(groups, newGroup(sorted[start:end]))
			start, last = end, start
		}
	}
	return groups
}

func newGroup(points []Point) group {
	errors := make([]float64, len(points))
	for i, p := range points {
		errors[i] = p.Y - p.X
	}
	slices.Sort(errors)
	g := group{low: points[0].X, high: points[len(points)-1].X}
	for i, q := range []float64{0.1, 0.25, 0.5, 0.75, 0.9} {
		g.q[i] = quantile(errors, q)
	}
	return g
}

// ends returns the ends of a group as drawn, with a visible least width.
func (g group) ends(x func(float64) vg.Length) (x0, x1 vg.Length) {
	widen := max(0.3, (5-(x(g.high)-x(g.low)))/2)
	return x(g.low) - widen, x(g.high) + widen
}

func groupPlot(groups []group, ticks roundTicks, unit Unit) *plot.Plot {
	limit := 1.0
	for _, g := range groups {
		limit = max(limit, 1.08*max(-g.q[0], g.q[4]))
	}

	p := newPlot("prediction, "+unit.name, "label − prediction, "+unit.name)
	low, high := groups[0].low, groups[len(groups)-1].high
	air := max((high-low)/50, 1/unit.points)
	setRange(&p.X, low-air, high+air)
	setRange(&p.Y, -limit, limit)
	p.X.Tick.Marker = ticks
	p.Add(paintOn(func(dc draw.Canvas, x, y func(float64) vg.Length) {
		for _, g := range groups {
			x0, x1 := g.ends(x)
			box(dc, density[1], x0, y(g.q[0]), x1, y(g.q[4]))
			box(dc, density[3], x0, y(g.q[1]), x1, y(g.q[3]))
		}
		dc.StrokeLine2(stroke(orange, 1), dc.Min.X, y(0), dc.Max.X, y(0))
		for _, g := range groups {
			x0, x1 := g.ends(x)
			dc.StrokeLine2(stroke(density[9], 1.8), x0, y(g.q[2]), x1, y(g.q[2]))
		}
	}))
	return p
}
