package report

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/outline"
)

// Series are values with their intervals in order of time, the first on the left.
type Series struct {
	Name, Title, Line string // of the files, above the drawing, and below that
	Y, Caption        string
	Rows              []Interval
}

// Draw implements [outline.Drawing]. The axis has the range of the values: from 0, all would look alike.
func (s Series) Draw() (outline.Figure, error) {
	const height = 250
	s.Title = clean(s.Title)
	f := outline.Figure{Name: s.Name, Alt: s.Title + ".", Values: outline.NewTable("number", "name", s.Y)}
	if len(s.Rows) == 0 {
		return noData(f, wide, height, s.Title, "no values")
	}
	low := math.Inf(1)
	high := math.Inf(-1)
	for i, r := range s.Rows {
		err := r.check(s.Name)
		if err != nil {
			return outline.Figure{}, err
		}
		for _, v := range []float64{r.Value, r.Low, r.High} {
			if !math.IsInf(v, 0) {
				low = min(low, v)
				high = max(high, v)
			}
		}
		f.Alt += fmt.Sprintf(" %s: %s.", r.Name, r.Text)
		f.Values.Add(i+1, r.Name, r.Text)
	}
	f.Alt = clean(f.Alt)
	f.Caption = cmp.Or(s.Caption, f.Alt)
	air := max(0.08*(high-low), 0.001*math.Abs(high), 1e-9)
	return paint(f, size{wide, height}, size{phone, height}, func(dc draw.Canvas) {
		p := newPlot("", s.Y)
		setRange(&p.X, 0.5, float64(len(s.Rows))+0.5)
		setRange(&p.Y, low-air, high+air)
		dc = heading(dc, s.Title, s.Line)
		p.X.Tick.Marker = s.names(dc)
		p.X.Tick.Length = 0
		p.Y.Tick.Marker = roundTicks{n: 5}
		p.Add(paintOn(s.paint))
		p.Draw(dc)
	})
}

// names returns ticks with the names of the values, or with their numbers if the names do not fit.
func (s Series) names(dc draw.Canvas) plot.Ticker {
	const axisWidth = 60 // about what the other axis takes
	room := (dc.Max.X-dc.Min.X-axisWidth)/vg.Length(len(s.Rows)) - 6
	sty := style(9, muted, draw.XCenter, draw.YTop)
	var ticks plot.ConstantTicks
	for i, r := range s.Rows {
		name := clean(r.Name)
		if sty.Width(name) > room {
			return wholeTicks(dc, 12)
		}
		ticks = append(ticks, plot.Tick{Value: float64(i + 1), Label: name})
	}
	return ticks
}

// paint draws a line through the values, and each value with its interval.
func (s Series) paint(dc draw.Canvas, x, y func(float64) vg.Length) {
	var path []vg.Point
	for i, r := range s.Rows {
		path = append(path, vg.Point{X: x(float64(i + 1)), Y: y(r.Value)})
	}
	dc.StrokeLines(stroke(axis, 1), path)
	line := stroke(blue, 1.4)
	for i, r := range s.Rows {
		at := path[i].X
		ends := [2]vg.Length{dc.Min.Y, dc.Max.Y}
		for k, end := range []float64{r.Low, r.High} {
			if math.IsInf(end, 0) {
				back := ends[k] + [2]vg.Length{intervalEnd, -intervalEnd}[k]
				dc.StrokeLines(line, []vg.Point{{X: at - intervalEnd, Y: back}, {X: at, Y: ends[k]}, {X: at + intervalEnd, Y: back}})
				continue
			}
			ends[k] = y(end)
			if r.Low < r.High {
				dc.StrokeLine2(line, at-intervalEnd, ends[k], at+intervalEnd, ends[k])
			}
		}
		dc.StrokeLine2(line, at, ends[0], at, ends[1])
		dc.SetColor(blue)
		dc.Fill(disc(nil, path[i], 3.5))
	}
}
