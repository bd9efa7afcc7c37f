package report

import (
	"fmt"
	"image/color"
	"math"
	"sort"
	"strconv"
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
	phone       vg.Length = 256 // of the drawings for small screens: 341 pixels, which a card on 390 has room for
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

// An ink is a colour with a role in a figure. Figures have the colours for white paper.
// The page replaces them by CSS variables, so that one drawing serves light and dark.
type ink struct {
	variable    string // name of the CSS variable, without the dashes
	light, dark string // #RRGGBB
}

// Blue, orange and green are from Okabe and Ito's palette (2008), which people with any
// common kind of colour blindness can distinguish. Shapes or dashes repeat the information.
var (
	paper   = ink{"paper", "#FFFFFF", "#191D22"}
	text    = ink{"ink", "#1F2328", "#E6EAEF"}
	muted   = ink{"muted", "#59636E", "#A3ADB8"}
	grid    = ink{"grid", "#E4E7EB", "#2E353C"}
	axis    = ink{"axis", "#8B949E", "#737D88"}
	blue    = ink{"blue", "#0072B2", "#56B4E9"}
	orange  = ink{"orange", "#D55E00", "#F28C3A"}
	green   = ink{"green", "#009E73", "#3CC79B"}
	purple  = ink{"purple", "#AA4499", "#D98CC9"}
	gold    = ink{"gold", "#B8860B", "#E0B040"}
	sky     = ink{"sky", "#4D6FA8", "#8FA9D6"}
	density = []ink{
		// One hue, evenly spaced in lightness, fading into the paper of either mode.
		{"d0", "#DCEAF6", "#17304A"}, {"d1", "#C3DAEE", "#1C3F63"},
		{"d2", "#A3C8E4", "#22507C"}, {"d3", "#7DB2D8", "#2A6396"},
		{"d4", "#579BCB", "#3678AF"}, {"d5", "#3A83BD", "#4A8FC5"},
		{"d6", "#256AAB", "#68A7D7"}, {"d7", "#155294", "#8DC0E6"},
		{"d8", "#0B3C7C", "#B5D8F2"}, {"d9", "#08285A", "#E0F0FC"},
	}
	// The other hue of a scale with two ends.
	warm = []ink{
		{"w0", "#FBE3D0", "#3D2615"}, {"w1", "#F5BE93", "#6B3A14"}, {"w2", "#E08A45", "#9C5216"},
		{"w3", "#BF5208", "#D8823C"}, {"w4", "#853700", "#F7C79A"},
	}
	inks = append(append([]ink{paper, text, muted, grid, axis, blue, orange, green, purple, gold, sky}, density...), warm...)
)

// RGBA makes an ink a colour for drawing, the one for light paper.
func (i ink) RGBA() (r, g, b, a uint32) {
	v, _ := strconv.ParseUint(i.light[1:], 16, 32) // a test parses every entry above
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}.RGBA()
}

// themed makes a drawing part of a page: its colours become the page's variables, and its name
// spaces are the page's.
var themed = func() *strings.Replacer {
	pairs := []string{`xmlns="http://www.w3.org/2000/svg"`, "", `xmlns:xlink="http://www.w3.org/1999/xlink"`, ""}
	for _, i := range inks {
		pairs = append(pairs, ":"+i.light, ":var(--"+i.variable+")")
	}
	return strings.NewReplacer(pairs...)
}()

// variables gives the CSS declarations of one mode.
func variables(dark bool) string {
	var b strings.Builder
	for _, i := range inks {
		value := i.light
		if dark {
			value = i.dark
		}
		fmt.Fprintf(&b, "--%s:%s;", i.variable, value)
	}
	return b.String()
}
