package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"kroo/book"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/testkit"
)

// mapOf is a map of points.
func mapOf(points []Point, title string) LabelMap {
	return LabelMap{Points: points, Title: title, Unit: "points"}
}

// sample is n labels, tied at both ends of the scale as real ones are, with
// predictions that miss them by about noise.
func sample(n int, noise float64) []Point {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	points := make([]Point, n)
	for i := range points {
		x := r.NormFloat64() * 450
		points[i] = Point{x, math.Round(min(max(x+r.NormFloat64()*noise, -1000), 1000))}
	}
	return points
}

func sampleLeaves(n int, spread float64) []book.Leaf {
	r := rand.New(rand.NewPCG(8, uint64(n)))
	leaves := make([]book.Leaf, n)
	for i := range leaves {
		leaves[i] = book.Leaf{Value: int(math.Round(r.NormFloat64() * spread)), Depth: r.IntN(41)}
	}
	return leaves
}

// drawAll draws one of each kind.
func drawAll() []outline.Figure {
	return []outline.Figure{
		must(mapOf(sample(5000, 250), "Fitted function").Draw()),
		must(DropOut{Leaves: sampleLeaves(700, 100)}.Draw()),
		must(chartOf(Curve{"one", []Point{{1, 6}, {2, 36}, {3, 190}}}, Curve{"two", []Point{{1, 5}, {3, 80}}}).Draw()),
		must(sampleIntervals.Draw()), must(sampleTree.Draw()), must(Series{Name: "series", Rows: sampleIntervals.Rows}.Draw()),
	}
}

// everyFigure is the same for all tests that only look: drawing takes a while.
var everyFigure = sync.OnceValue(drawAll)

// tokens calls f for every part of a document, which must be well-formed XML.
func tokens(t testing.TB, document []byte, f func(xml.Token)) {
	t.Helper()
	for in := xml.NewDecoder(bytes.NewReader(document)); ; {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not well formed: %v", err)
		}
		f(token)
	}
}

// words are the texts of an SVG document, in order.
func words(t testing.TB, svg []byte) (all []string) {
	t.Helper()
	element := ""
	tokens(t, svg, func(token xml.Token) {
		switch token := token.(type) {
		case xml.StartElement:
			element = token.Name.Local
		case xml.EndElement:
			element = ""
		case xml.CharData:
			if element == "text" {
				all = append(all, string(token))
			}
		}
	})
	return all
}

var (
	viewBox   = regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)
	hexColour = regexp.MustCompile(`#[0-9A-Fa-f]{6}`)
)

func picture(t testing.TB, f outline.Figure) []byte {
	t.Helper()
	return testkit.Must(f.PNG())(t)
}

func decode(t testing.TB, f outline.Figure) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(picture(t, f)))
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return picture
}

// checkSound is what every figure owes, whatever it shows.
func checkSound(t testing.TB, f outline.Figure) {
	t.Helper()
	if f.Name == "" || f.Alt == "" {
		t.Errorf("name %q, alt %q: expected both", f.Name, f.Alt)
	}
	words(t, f.SVG)
	if len(f.SVG) > 200_000 {
		t.Errorf("%s: svg of %d bytes, expected at most 200 000", f.Name, len(f.SVG))
	}
	for _, c := range hexColour.FindAllString(string(f.SVG), -1) {
		if !slices.ContainsFunc(inks, func(i ink) bool { return i.light == c }) {
			t.Fatalf("%s: colour %s is no ink, it would not follow the page's mode", f.Name, c)
		}
	}
	if bytes.Contains(f.SVG, []byte("NaN")) || bytes.Contains(f.SVG, []byte("Inf")) {
		t.Errorf("%s: svg draws at NaN or Inf", f.Name)
	}
	checkNarrow(t, f)
	size := viewBox.FindSubmatch(f.SVG)
	if size == nil {
		t.Fatalf("%s: no viewBox", f.Name)
	}
	bounds := decode(t, f).Bounds().Size()
	for i, dots := range []int{bounds.X, bounds.Y} {
		points, _ := strconv.ParseFloat(string(size[i+1]), 64)
		if math.Abs(points*dpi/72-float64(dots)) > 1.5 {
			t.Errorf("%s: png is %v, svg %s × %s points", f.Name, bounds, size[1], size[2])
		}
	}
}

// checkNarrow checks the drawing for a phone: its letters are hardly made smaller there.
func checkNarrow(t testing.TB, f outline.Figure) {
	t.Helper()
	words(t, f.Narrow)
	size := viewBox.FindSubmatch(f.Narrow)
	if size == nil || string(size[1]) != "256" || len(f.Narrow) > 200_000 {
		t.Errorf("%s: narrow drawing of %d bytes with the box %s, expected 256 points wide", f.Name, len(f.Narrow), size)
	}
}

// Text has the width that the layout gave it, whatever font a viewer has.
func TestTextsHaveTheirWidths(t *testing.T) {
	for _, f := range everyFigure() {
		for _, svg := range [][]byte{f.SVG, f.Narrow} {
			texts := bytes.Count(svg, []byte("<text "))
			if given := len(regexp.MustCompile(`<text textLength="[0-9.]+" lengthAdjust="spacingAndGlyphs" `).FindAll(svg, -1)); given != texts || texts == 0 {
				t.Errorf("%s: %d of %d texts have a width", f.Name, given, texts)
			}
		}
	}
}

// No text of a narrow drawing runs off the paper.
func TestNarrowTextsStayOnThePaper(t *testing.T) {
	turned := regexp.MustCompile(`(?s)<g transform="rotate.*?</g>`)
	text := regexp.MustCompile(`<text textLength="([0-9.]+)" lengthAdjust="[A-Za-z]+" x="([-0-9.]+)" y="[-0-9.]+" transform="scale\(1, -1\)"`)
	for _, f := range everyFigure() {
		for _, m := range text.FindAllSubmatch(turned.ReplaceAll(f.Narrow, nil), -1) {
			width, _ := strconv.ParseFloat(string(m[1]), 64)
			if x, _ := strconv.ParseFloat(string(m[2]), 64); x < 0 || x+width > 256 {
				t.Errorf("%s: a text from %v to %v of 256", f.Name, x, x+width)
			}
		}
	}
}

func TestWrapKeepsEveryWordInOrder(t *testing.T) {
	sty := style(10, text, 0, 0)
	s := strings.Repeat("some words of a line ", 4) + "end"
	lines := wrap(s, sty, 100, 20)
	if strings.Join(lines, " ") != s || len(lines) < 3 {
		t.Errorf("%q", lines)
	}
	for _, line := range wrap(s+strings.Repeat("W", 100), sty, 100, 3) {
		if sty.Width(line) > 100 {
			t.Errorf("%q is %v wide, expected at most 100", line, sty.Width(line))
		}
	}
	if lines := wrap(s, sty, 100, 2); len(lines) != 2 || !strings.HasSuffix(lines[1], "…") {
		t.Errorf("two lines: %q, expected the second to be cut", lines)
	}
}

func TestEveryFigureIsSound(t *testing.T) {
	for _, f := range everyFigure() {
		checkSound(t, f)
	}
}

// Uniform noise fills every cell and place: the largest a file can get.
func TestSVGStaysSmallForTheWorstData(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	noise := make([]Point, 40_000)
	leaves := make([]book.Leaf, 100_000)
	for i := range noise {
		noise[i] = Point{r.Float64()*2000 - 1000, r.Float64()*2000 - 1000}
	}
	for i := range leaves {
		leaves[i] = book.Leaf{Value: r.IntN(600) - 300, Depth: r.IntN(94)}
	}
	for i, draw := range []func() (outline.Figure, error){
		mapOf(noise, "noise").Draw,
		DropOut{Side: oware.North, Leaves: leaves}.Draw,
	} {
		f, err := draw()
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		checkSound(t, f)
	}
}

func TestSameInputSameBytes(t *testing.T) {
	want := everyFigure()
	var wait sync.WaitGroup
	for range 2 { // at once: the font cache below is shared
		wait.Go(func() {
			for i, f := range drawAll() {
				if !bytes.Equal(f.SVG, want[i].SVG) || !bytes.Equal(picture(t, f), picture(t, want[i])) || f.Caption != want[i].Caption {
					t.Errorf("%s differs from one drawing to the next", f.Name)
				}
			}
		})
	}
	wait.Wait()
}

func TestOrderOfPointsDoesNotMatter(t *testing.T) {
	leaves := sampleLeaves(3000, 100)
	a := must(DropOut{Leaves: leaves}.Draw())
	slices.Reverse(leaves)
	b := must(DropOut{Leaves: leaves}.Draw())
	if !bytes.Equal(a.SVG, b.SVG) {
		t.Error("leaves in another order give another drawing")
	}
}

func TestNoDataIsSaid(t *testing.T) {
	for i, draw := range []func() (outline.Figure, error){
		mapOf(nil, "Fit").Draw,
		Intervals{Name: "matches"}.Draw, Tree{Name: "tree"}.Draw, Series{Name: "series"}.Draw,
	} {
		f, err := draw()
		if err != nil {
			t.Errorf("%d: %v", i, err)
			continue
		}
		checkSound(t, f)
		if drawn := strings.Join(words(t, f.SVG), "|"); !strings.Contains(drawn, "no data") || !strings.Contains(f.Caption, "no data") {
			t.Errorf("%s: drawn %q, caption %q: neither may hide that there is no data", f.Name, drawn, f.Caption)
		}
	}
}

func TestFewAndEqualPointsAreDrawn(t *testing.T) {
	for name, points := range map[string][]Point{
		"one":            {{3, 4}},
		"origin":         {{0, 0}},
		"two":            {{-1000, 1000}, {1000, -1000}},
		"all equal":      slices.Repeat([]Point{{250, 500}}, 100),
		"no spread in x": {{1, 2}, {1, 3}, {1, -7}},
		"no spread in y": {{1, 2}, {5, 2}},
		"perfect":        {{1, 1}, {2, 2}, {3, 3}},
		"tiny":           {{1e-300, -1e-300}, {-1e-300, 5e-324}},
		"huge":           {{1e6, -1e6}, {-1e6, 1e6}},
		"one far out":    append(sample(5000, 100), Point{9e5, 9e5}),
	} {
		t.Run(name, func(t *testing.T) {
			checkSound(t, testkit.Must(mapOf(points, name).Draw())(t))
		})
	}
	for _, leaf := range []book.Leaf{{}, {Value: 1000}, {Value: -1000, Depth: 1000}} {
		checkSound(t, must(DropOut{Leaves: []book.Leaf{leaf}}.Draw()))
	}
}

func TestFaultyInputIsNamed(t *testing.T) {
	bad := func(p Point) []Point { return append(sample(3, 1), p) }
	nan, inf := math.NaN(), math.Inf(1)
	figure := func(f outline.Figure, err error) error { return err }
	for want, err := range map[string]error{
		"predicted-vs-label: point 3: prediction is NaN":                               figure(mapOf(bad(Point{nan, 0}), "").Draw()),
		"predicted-vs-label: point 3: label is +Inf":                                   figure(mapOf(bad(Point{0, inf}), "").Draw()),
		"predicted-vs-label: point 3: label is 1e+07, expected a finite number within": figure(mapOf(bad(Point{0, 1e7}), "").Draw()),
		`matches: "a" is NaN`:         figure(Intervals{Name: "matches", Rows: []Interval{{"a", math.NaN(), 0, 0, ""}}}.Draw()),
		`series: "a" is NaN`:          figure(Series{Name: "series", Rows: []Interval{{"a", math.NaN(), 0, 0, ""}}}.Draw()),
		`matches: "a" is 3 between 4`: figure(Intervals{Name: "matches", Rows: []Interval{{"a", 3, 4, 5, ""}}}.Draw()),
	} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, expected one line with %q", err, want)
		}
	}
}

func TestHostileTitlesStayText(t *testing.T) {
	const worst = "<script>alert(1)</script>\x00\x1b[31m\n\xff\ufffe"
	figures := []outline.Figure{
		must(mapOf(sample(50, 10), worst).Draw()), must(mapOf(nil, worst).Draw()),
		must(Chart{Name: "c", Title: worst, Line: worst, X: "<b>\x00", Y: "\xff&", Curves: []Curve{{worst, []Point{{1, 2}, {2, 3}}}}}.Draw()),
	}
	for _, title := range []string{
		worst, `"' & ]]> <!-- --`, "a\u2028b", "\xff\xfe broken \xc3", "\ufffe\uffff", strings.Repeat("very long ", 5000), "", "日本語 ĳ ☃",
	} {
		figures = append(figures, must(Series{Name: "s", Title: title, Y: "y", Rows: []Interval{{title, 1, 0, 2, title}}}.Draw()))
		figures = append(figures, must(Intervals{Name: "i", Title: title, X: "x", Rows: []Interval{{title, 1, 0, 2, title}}}.Draw()), must(Tree{Name: "t", Title: title, Root: Twig{Next: []*Twig{{Move: title, Worth: title}}}}.Draw()))
	}
	for _, f := range figures {
		checkSound(t, f)
		if bytes.Contains(f.SVG, []byte("<script")) || bytes.Contains(f.SVG, []byte("<b>")) {
			t.Errorf("%s: a title became an element: %.40q", f.Name, f.Alt)
		}
	}
}

func must(f outline.Figure, err error) outline.Figure {
	if err != nil {
		panic(err)
	}
	return f
}

func TestLongTitleIsCutToTheWidth(t *testing.T) {
	sty := style(12, text, 0, 0)
	for _, s := range []string{"short", strings.Repeat("W", 500), strings.Repeat("i", 5000), strings.Repeat("é", 2000)} {
		if got := fit(s, sty, 300); sty.Width(got) > 300 || got != s && !strings.HasSuffix(got, "…") {
			t.Errorf("%.10q… became %q, %v wide", s, got, sty.Width(got))
		}
	}
}

func TestSaveFigureWritesBothFormats(t *testing.T) {
	dir := t.TempDir()
	f := must(sampleIntervals.Draw())
	for range 2 { // the second replaces the first
		testkit.Must(SaveFigure(dir, f))(t)
	}
	for name, want := range map[string][]byte{"matches.svg": f.SVG, "matches.png": picture(t, f)} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, %d bytes, expected %d", name, err, len(got), len(want))
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("%d files in the folder, expected 2", len(left))
	}
}

func TestInksAreColours(t *testing.T) {
	names := map[string]bool{}
	for _, i := range inks {
		if names[i.variable] || names[i.light] {
			t.Errorf("ink %v comes twice: it could not be distinguished", i)
		}
		names[i.variable], names[i.light] = true, true
		r, g, b, a := i.RGBA()
		if got := fmt.Sprintf("#%02X%02X%02X", r>>8, g>>8, b>>8); got != i.light || a != 0xffff || !hexColour.MatchString(i.dark) || len(i.dark) != 7 {
			t.Errorf("ink %v reads as %s", i, got)
		}
	}
}

// Shades must differ visibly, and read as a scale, without any sense of hue.
func TestDensityGrowsInLightnessOnly(t *testing.T) {
	luminance := func(hex string) float64 {
		v := testkit.Must(strconv.ParseUint(hex[1:], 16, 32))(t)
		sum := 0.0
		for i, weight := range []float64{0.0722, 0.7152, 0.2126} {
			sum += weight * math.Pow(float64(v>>(8*i)&255)/255, 2.2)
		}
		return math.Cbrt(sum)
	}
	for i := 1; i < len(density); i++ {
		if d := luminance(density[i-1].light) - luminance(density[i].light); d < 0.02 {
			t.Errorf("light shade %d is %.3f darker than the one before, expected 0.02", i, d)
		}
		if d := luminance(density[i].dark) - luminance(density[i-1].dark); d < 0.02 {
			t.Errorf("dark shade %d is %.3f lighter than the one before, expected 0.02", i, d)
		}
	}
}
