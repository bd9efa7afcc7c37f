package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/outline"
)

// An Interval is a value and the ends of its interval; an infinite end is open.
type Interval struct {
	Name             string
	Value, Low, High float64
	Text             string // the value and its interval in words
}

// Intervals are values with their intervals, one below the other along one axis.
type Intervals struct {
	Name, Title, Line string // of the files, above the drawing, and below that
	X, Caption        string
	Rows              []Interval
}

// Sizes of a row: its text, and the line below.
const (
	intervalRow vg.Length = 42 // without the line of a value below its name
	intervalGap vg.Length = 10 // between the name and the value on one line
	intervalEnd vg.Length = 5  // half of the bar at an end, and the length of an arrow
)

// Draw implements [outline.Drawing].
func (s Intervals) Draw() (outline.Figure, error) {
	s.Title = clean(s.Title)
	f := outline.Figure{Name: s.Name, Alt: s.Title + ".", Values: outline.NewTable("", "value and interval")}
	if len(s.Rows) == 0 {
		return noData(f, wide, 116, s.Title, "no values")
	}
	low, high := 0.0, 0.0
	for _, r := range s.Rows {
		err := r.check(s.Name)
		if err != nil {
			return outline.Figure{}, err
		}
		for _, v := range []float64{r.Value, r.Low, r.High} {
			if !math.IsInf(v, 0) {
				low, high = min(low, v), max(high, v)
			}
		}
		f.Alt += fmt.Sprintf(" %s: %s.", r.Name, r.Text)
		f.Values.Add(r.Name, r.Text)
	}
	f.Alt = clean(f.Alt)
	f.Caption = cmp.Or(s.Caption, f.Alt)
	air := max(0.05*(high-low), 1e-9)
	rows := vg.Length(len(s.Rows))
	height := rows*intervalRow + 2*margin + titleHeight + 3*lineHeight + 10
	narrow := height + lineHeight
	if s.needsTwoLines(phone - 2*margin) {
		narrow += rows * lineHeight
	}
	return paint(f, size{wide, height}, size{phone, narrow}, func(dc draw.Canvas) {
		stacked := s.needsTwoLines(dc.Max.X - dc.Min.X)
		p := newPlot(s.X, "")
		p.HideY()
		setRange(&p.X, low-air, high+air)
		setRange(&p.Y, 0, float64(len(s.Rows)))
		dc = heading(dc, s.Title, s.Line)
		p.X.Tick.Marker = ticksFor(dc, 9)
		p.Add(paintOn(func(dc draw.Canvas, x, y func(float64) vg.Length) {
			dc.StrokeLine2(stroke(axis, 1), x(0), y(0), x(0), y(float64(len(s.Rows))))
			for i, r := range s.Rows {
				r.paint(dc, x, y(float64(len(s.Rows)-i)), stacked)
			}
		}))
		p.Draw(dc)
	})
}

// check returns an error for a value that cannot be drawn.
func (r Interval) check(figure string) error {
	if !(math.Abs(r.Value) <= maxValue && r.Low <= r.Value && r.Value <= r.High) {
		return fmt.Errorf("%s: %.40q is %v between %v and %v: expected a finite value in its interval",
			figure, r.Name, r.Value, r.Low, r.High)
	}
	return nil
}

// ink returns the colour of a value: whether its interval is above zero, below zero, or neither.
func (r Interval) ink() ink {
	if r.Low <= 0 && r.High >= 0 {
		return muted
	}
	return signInk(r.Value)
}

// intervalStyles returns the styles of a row's name and of its value.
func intervalStyles() (name, value draw.TextStyle) {
	name = style(10, text, draw.XLeft, draw.YCenter)
	value = style(10, text, draw.XRight, draw.YCenter)
	value.Font.Weight = bold
	return name, value
}

// needsTwoLines reports whether values are below names: in a drawing that is too narrow for one line of both.
func (s Intervals) needsTwoLines(width vg.Length) bool {
	name, value := intervalStyles()
	return slices.ContainsFunc(s.Rows, func(r Interval) bool {
		return name.Width(clean(r.Name))+intervalGap+value.Width(clean(r.Text)) > width
	})
}

// paint draws the row below a height.
func (r Interval) paint(dc draw.Canvas, x func(float64) vg.Length, top vg.Length, stacked bool) {
	name, value := intervalStyles()
	width := dc.Max.X - dc.Min.X
	said := fit(clean(r.Text), value, width)
	room := width
	if !stacked {
		room -= value.Width(said) + intervalGap
	}
	write(dc, name, vg.Point{X: dc.Min.X, Y: top - 11}, fit(clean(r.Name), name, room))
	if stacked {
		top -= lineHeight
	}
	write(dc, value, vg.Point{X: dc.Max.X, Y: top - 11}, said)
	at, in := top-28, r.ink()
	line := stroke(in, 2)
	ends := [2]vg.Length{dc.Min.X, dc.Max.X}
	for i, end := range []float64{r.Low, r.High} {
		if math.IsInf(end, 0) {
			tip, back := ends[i], ends[i]+[2]vg.Length{intervalEnd, -intervalEnd}[i]
			dc.StrokeLines(line, []vg.Point{{X: back, Y: at + intervalEnd}, {X: tip, Y: at}, {X: back, Y: at - intervalEnd}})
			continue
		}
		ends[i] = x(end)
		dc.StrokeLine2(line, ends[i], at-intervalEnd, ends[i], at+intervalEnd)
	}
	dc.StrokeLine2(line, ends[0], at, ends[1], at)
	dc.SetColor(in)
	dc.Fill(disc(nil, vg.Point{X: x(r.Value), Y: at}, 4))
}
