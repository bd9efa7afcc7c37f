package report

import (
	"math"
	"sort"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes in typographic points. A wide figure fills the page's column.
const (
	margin      vg.Length = 10
	wide        vg.Length = 640
	square      vg.Length = 480
	phone       vg.Length = 280 // of the drawings for small screens
	titleHeight vg.Length = 20
	lineHeight  vg.Length = 15
	keyHeight   vg.Length = 28
	keyRow      vg.Length = 16 // each row of a key after the first
)

// bold is WeightBold of golang.org/x/image/font, which is not imported for that alone.
const bold = 3

// style is the one typeface in the sizes and inks of a figure.
func style(size vg.Length, in ink, x draw.XAlignment, y draw.YAlignment) draw.TextStyle {
	return draw.TextStyle{
		Color: in, XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler,
		Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
	}
}

func stroke(in ink, width vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: in, Width: width, Dashes: dashes}
}

// write sets text whose height is centred on a point by its capitals and digits:
// the font's own box leaves more room below than they need.
func write(dc draw.Canvas, sty draw.TextStyle, at vg.Point, s string) {
	e := sty.FontExtents()
	at.Y += e.Descent * 0.75
	dc.FillText(sty, at, clean(s))
}

// fit shortens s to a width, so that a long name never runs off the picture.
func fit(s string, sty draw.TextStyle, width vg.Length) string {
	if sty.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	n := sort.Search(min(len(runes), 1000), func(n int) bool { return sty.Width(string(runes[:n+1])+"…") > width })
	return strings.TrimRight(string(runes[:n]), " ") + "…"
}

// wrap breaks s at spaces into lines of a width, at most n of them. The last one is cut.
func wrap(s string, sty draw.TextStyle, width vg.Length, most int) []string {
	var lines []string
	words := strings.Split(s, " ")
	for len(words) > 0 && len(lines) < most-1 {
		n := 1
		for n < len(words) && sty.Width(strings.Join(words[:n+1], " ")) <= width {
			n++
		}
		lines = append(lines, fit(strings.Join(words[:n], " "), sty, width))
		words = words[n:]
	}
	if len(words) > 0 {
		lines = append(lines, fit(strings.Join(words, " "), sty, width))
	}
	return lines
}

// headingLines is the most lines that a title, and the line below it, take.
const headingLines = 4

// heading writes a figure's title and a line below it, and returns the rest of the canvas.
func heading(dc draw.Canvas, title, line string) draw.Canvas {
	sty := style(12.5, text, draw.XLeft, draw.YTop)
	sty.Font.Weight = bold
	dc = lines(dc, sty, title, titleHeight, 2)
	if line == "" {
		return dc
	}
	return lines(dc, style(9.5, muted, draw.XLeft, draw.YTop), line, lineHeight, headingLines)
}

// lines writes text from the top and returns the rest of the canvas.
func lines(dc draw.Canvas, sty draw.TextStyle, s string, height vg.Length, most int) draw.Canvas {
	for _, line := range wrap(clean(s), sty, dc.Max.X-dc.Min.X, most) {
		dc.FillText(sty, vg.Point{X: dc.Min.X, Y: dc.Max.Y}, line)
		dc.Max.Y -= height
	}
	return dc
}

// newPlot has light axes, a grid, and no air between axis and data.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle = stroke(axis, 0.7)
		a.Tick.LineStyle = stroke(axis, 0.7)
		a.Tick.Length = 4
		a.Tick.Marker = roundTicks{n: 7}
		a.Tick.Label.Color = muted
		a.Tick.Label.Font = style(9, muted, 0, 0).Font
		a.Label.TextStyle.Color = text
		a.Label.TextStyle.Font = style(10, text, 0, 0).Font
		a.Label.Padding = 4
		a.Padding = 0
	}
	p.X.Label.Text, p.Y.Label.Text = clean(x), clean(y)
	lines := plotter.NewGrid()
	lines.Horizontal, lines.Vertical = stroke(grid, 0.6), stroke(grid, 0.6)
	p.Add(lines)
	return p
}

func setRange(a *plot.Axis, low, high float64) { a.Min, a.Max = low, high }

// roundTicks puts about n ticks at round numbers, on request only at whole ones.
type roundTicks struct {
	n     int
	whole bool
}

// Ticks implements plot.Ticker.
func (t roundTicks) Ticks(low, high float64) []plot.Tick {
	step := tickStep((high-low)/float64(t.n), t.whole)
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	if mantissa := step * math.Pow(10, float64(decimals)); mantissa != math.Trunc(mantissa) {
		decimals++
	}
	var ticks []plot.Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: Number(i*step, decimals)})
	}
	return ticks
}

// ticksFor is a given number of ticks, half as many in a narrow drawing.
func ticksFor(dc draw.Canvas, n int) roundTicks {
	if dc.Max.X-dc.Min.X < phone {
		n = (n + 1) / 2
	}
	return roundTicks{n: n}
}

func wholeTicks(dc draw.Canvas, n int) roundTicks { return roundTicks{ticksFor(dc, n).n, true} }

// paintOn lets a plain function draw within a plot's axes.
type paintOn func(dc draw.Canvas, x, y func(float64) vg.Length)

// Plot implements plot.Plotter.
func (f paintOn) Plot(dc draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&dc)
	f(dc, x, y)
}

// A mark is one entry of a key: a drawing and what it represents.
type mark struct {
	label string
	draw  func(dc draw.Canvas, at vg.Point) // left end at, centred in height
	width vg.Length
}

// key sets marks in rows at the top of a canvas, as many as there is room for in each,
// and returns the rest.
func key(dc draw.Canvas, marks ...mark) draw.Canvas {
	sty := style(9, muted, draw.XLeft, draw.YCenter)
	at := vg.Point{X: dc.Min.X, Y: dc.Max.Y - 10}
	for _, m := range marks {
		width := m.width + 5 + sty.Width(m.label)
		if at.X > dc.Min.X && at.X+width > dc.Max.X {
			at = vg.Point{X: dc.Min.X, Y: at.Y - keyRow}
			dc.Max.Y -= keyRow
		}
		m.draw(dc, at)
		write(dc, sty, vg.Point{X: at.X + m.width + 5, Y: at.Y}, m.label)
		at.X += width + 16
	}
	dc.Max.Y -= 24
	return dc
}

// box fills a rectangle.
func box(dc draw.Canvas, in ink, x0, y0, x1, y1 vg.Length) {
	dc.SetColor(in)
	dc.Fill(vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}.Path())
}

// boxMark and lineMark are the usual entries of a key.
func boxMark(in ink, label string) mark {
	return mark{label, func(dc draw.Canvas, at vg.Point) { box(dc, in, at.X, at.Y-4, at.X+12, at.Y+4) }, 12}
}

func lineMark(sty draw.LineStyle, label string) mark {
	return mark{label, func(dc draw.Canvas, at vg.Point) { dc.StrokeLine2(sty, at.X, at.Y, at.X+20, at.Y) }, 20}
}

// disc appends a circle to a path.
func disc(path vg.Path, at vg.Point, radius vg.Length) vg.Path {
	path.Move(vg.Point{X: at.X + radius, Y: at.Y})
	path.Arc(at, radius, 0, 2*math.Pi)
	path.Close()
	return path
}
