package report

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kroo/book"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// Labels are whole seeds as a rule: a cell has as many of them as its neighbour.
func TestCellsOfLabelsShowNoStripes(t *testing.T) {
	var labels []Point
	for seed := -24; seed <= 24; seed++ {
		labels = append(labels, Point{0, float64(seed)})
	}
	for _, half := range []int{20, 25} {
		c := countCells(labels, half)
		for row := -24; row <= 24; row++ {
			if got := c.counts[(row+c.half)*c.width()+c.half]; c.size != 1 || got != 1 {
				t.Errorf("%d cells to a side of %v seeds: %d labels at %d seeds, expected cells of a seed with one each", half, c.size, got, row)
			}
		}
	}
}

// Every count agrees with a walk over all cells for each point.
func TestCellsHoldTheirPoints(t *testing.T) {
	points := append(sample(3000, 250), Point{-1000, 1000}, Point{1000, -1000}, Point{0, 0})
	c := countCells(points, 25)
	edge := c.edge()
	if edge <= 1000 {
		t.Errorf("the map ends at %v, expected beyond labels of 1000", edge)
	}
	want := make([]int, len(c.counts))
	outside := 0
	within := func(v, low float64) bool { // an edge belongs to the cell further out
		return v > low && v < low+c.size || v == low && v > 0 || v == low+c.size && v < 0
	}
	for _, p := range points {
		found := false
		for i := range want {
			x := (float64(i%c.width()-c.half) - 0.5) * c.size
			y := (float64(i/c.width()-c.half) - 0.5) * c.size
			if within(p.X, x) && within(p.Y, y) {
				want[i]++
				found = true
			}
		}
		if !found {
			outside++
		}
	}
	if !slices.Equal(c.counts, want) || c.outside != outside {
		t.Errorf("cells differ from a plain search; outside %d and %d", c.outside, outside)
	}
}

func TestShadesCoverAllCounts(t *testing.T) {
	for _, most := range []int{1, 2, 3, 9, 10, 199, 1000, 1999, 2000, 40_000, 99_999, 1_000_000, 1_000_000_000} {
		lowest := shades(most)
		if lowest[0] != 1 || lowest[len(lowest)-1] > most || len(lowest) > len(density) || !slices.IsSorted(lowest) {
			t.Errorf("shades up to %d: %v", most, lowest)
		}
		used := map[ink]bool{}
		for i := range lowest {
			used[shadeInk(i, len(lowest))] = true
		}
		testkit.Equal(t, len(used), len(lowest), "len")
		if shadeOf(0, lowest) != -1 || shadeOf(1, lowest) != 0 || shadeOf(most, lowest) != len(lowest)-1 {
			t.Errorf("shades up to %d: ends are %d and %d", most, shadeOf(1, lowest), shadeOf(most, lowest))
		}
	}
}

func TestMapShowsCorrelationAndAxes(t *testing.T) {
	points := sample(5000, 250)
	f := must(mapOf(points, "Fit").Draw())
	drawn := words(t, f.SVG)
	sums := summarize(points)
	stats := sums.Stats()
	line := fmt.Sprintf("R %.3f, mean error %.2f points", stats.R, stats.MAE)
	for _, want := range []string{"Fit", "prediction, points", "label, points", "−1\u00a0000", "−500", "0", "500", "1\u00a0000", line} {
		if !slices.Contains(drawn, want) {
			t.Errorf("%q is not in the drawing: %q", want, drawn)
		}
	}
	testkit.Contains(t, f.Alt, line)
}

func TestMapSaysWhatIsOutside(t *testing.T) {
	f := must(mapOf(append(slices.Repeat([]Point{{100, 100}, {-900, -1000}}, 1500), Point{9e5, 0}, Point{-9e5, 0}), "Fit").Draw())
	testkit.Contains(t, f.Caption, "Outside the frame: 2 points.")
}

// The one dark cell lies at its point, measured along the diagonal that runs
// from corner to corner.
func TestMapPutsPointsWhereTheyBelong(t *testing.T) {
	for _, p := range []Point{{800, 1000}, {-800, 600}, {800, -1000}, {-1000, 0}} {
		f := must(mapOf(append(slices.Repeat([]Point{p}, 10), Point{1000, 1000}), "").Draw())
		picture := decode(t, f)
		edge := 1000 * (1 + 0.5/20) // cells of 50
		panel := extent(picture, orange, 0)
		cell := extent(picture, density[9], panel.Min.Y)
		scale := 2 * edge / float64(panel.Dx())
		x := float64(cell.Min.X+cell.Max.X-panel.Min.X-panel.Max.X) / 2 * scale
		y := float64(panel.Min.Y+panel.Max.Y-cell.Min.Y-cell.Max.Y) / 2 * scale
		if math.Abs(x-p.X) > 8 || math.Abs(y-p.Y) > 8 || math.Abs(float64(cell.Dx())*scale-50) > 8 {
			t.Errorf("%v is drawn at (%.0f, %.0f), %v in %v", p, x, y, cell, panel)
		}
	}
}

// extent is the smallest box around a colour, from a row downwards.
func extent(picture image.Image, c color.Color, top int) image.Rectangle {
	var box image.Rectangle
	for y := top; y < picture.Bounds().Dy(); y++ {
		for x := range picture.Bounds().Dx() {
			if sameColour(picture.At(x, y), c) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

func sameColour(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	return r>>8 == r2>>8 && g>>8 == g2>>8 && bl>>8 == b2>>8
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		values  []float64
		q, want float64
	}{{[]float64{7}, 0.9, 7}, {[]float64{0, 10}, 0.25, 2.5}, {[]float64{1, 2, 3}, 0.5, 2}, {[]float64{1, 2, 3}, 1, 3}, {[]float64{1, 2, 3}, 0, 1}} {
		testkit.Equal(t, quantile(c.values, c.q), c.want, "quantile %v of %v", c.q, c.values)
	}
}

func TestLeavesOfOnePlaceShareADisc(t *testing.T) {
	leaves := slices.Concat(slices.Repeat([]book.Leaf{{Value: 125, Depth: 3}}, 100), slices.Repeat([]book.Leaf{{Value: -50, Depth: 7}}, 25), []book.Leaf{{Depth: 1}, {Depth: 1}})
	for want, d := range map[string]DropOut{
		"127 leaf positions · 80.3 % at 0 seeds or better, worst −1.2 seeds, median 3.0 seeds, best 3.0 seeds, deepest 7 plies": {Side: oware.North, Leaves: leaves},
		"127 leaf positions · 80.3 % at 50 % or better, worst 45 %, median 62 %, best 62 %, deepest 7 plies":                    {Side: oware.North, Leaves: leaves, Chance: func(points float64) float64 { return 50 + points/10 }},
	} {
		f := must(d.Draw())
		what := "score, seeds for North"
		if d.Chance != nil {
			what = "winning chance, % for North"
		}
		drawn := words(t, f.SVG)
		for _, want := range []string{what, "depth at which the book is left, plies", "100 leaf positions", want} {
			if !slices.Contains(drawn, want) {
				t.Errorf("%q is not in %q", want, drawn)
			}
		}
		// A circle is two arcs: three discs, each filled and outlined, and the key's three.
		testkit.Equal(t, len(regexp.MustCompile(`A[0-9.]+,[0-9.]+ 0 [01] 1 `).FindAll(f.SVG, -1)), 2*(3*2+3), "arcs")
	}
	ds, _ := gather(slices.Concat(slices.Repeat([]Point{{3, 3}}, 100), slices.Repeat([]Point{{7, -1.2}}, 25), []Point{{1, 0}, {1, math.Copysign(0, -1)}}), 0.1)
	if len(ds) != 3 || ds[0].Point != (Point{3, 3}) || ds[0].n != 100 || ds[1].n != 25 || ds[2].n != 2 {
		t.Fatalf("discs %v", ds)
	}
	if ratio := ds.radius(100) / ds.radius(25); math.Abs(float64(ratio)-2) > 1e-9 {
		t.Errorf("four times the leaves give %v times the radius, expected 2", ratio)
	}
}

func TestOneBadLeafIsNotRoundedAway(t *testing.T) {
	places := slices.Concat(slices.Repeat([]Point{{3, 5}}, 9_999), []Point{{7, -0.1}})
	testkit.Contains(t, DropOut{}.leafLine(places), " 99.9 % at 0 seeds or better, worst −0.1 seeds,")
	testkit.Contains(t, DropOut{}.leafLine(places[:9_999]), " 100.0 % at 0 seeds or better, worst 5.0 seeds,")
}

func TestGatheringLosesNoLeaf(t *testing.T) {
	var places []Point
	for i, l := range sampleLeaves(30_000, 200) {
		places = append(places, Point{float64(l.Depth), float64(l.Value) + float64(i%1000)/1000})
	}
	ds, grain := gather(places, 0.1)
	total := 0
	for _, d := range ds {
		total += d.n
		testkit.Equal(t, d.Y, math.Round(d.Y/grain)*grain, "disc at %v is off the grain of %v", d.Point, grain)
	}
	if total != len(places) || len(ds) > maxDiscs || grain <= 0.1 {
		t.Errorf("%d discs hold %d of %d leaves at grain %v", len(ds), total, len(places), grain)
	}
	many := DropOut{Leaves: sampleLeaves(30_000, 300)}
	testkit.Contains(t, must(many.Draw()).Caption, "Values are rounded to 1.6 seeds")
}

// The line of zero is one line, from the top row to the axis.
func TestTheZeroLineIsUnbroken(t *testing.T) {
	rows := []Interval{{"a", 50, 40, 60, ""}, {"b", -50, -60, -40, ""}, {"c", 30, 20, 45, ""}}
	picture := decode(t, must(Intervals{Name: "i", X: "x", Rows: rows}.Draw()))
	longest := 0
	for x := range picture.Bounds().Dx() {
		run := 0
		for y := range picture.Bounds().Dy() {
			run++
			if !sameColour(picture.At(x, y), axis) {
				run = 0
			}
			longest = max(longest, run)
		}
	}
	want := int(intervalRow.Points()*float64(len(rows))*dpi/72) - 2 // the ends may be blurred
	if longest < want {
		t.Errorf("the longest upright line has %d pixels, expected the whole height of %d", longest, want)
	}
}

// sampleIntervals are clear, open at an end, and across zero.
var sampleIntervals = Intervals{Name: "matches", Title: "Elo", X: "Elo", Rows: []Interval{
	{"clear", 100, 50, 150, "+100 [+50, +150]"}, {"open", 300, 200, math.Inf(1), "more than +200"}, {"unclear", -20, -60, 20, "−20 [−60, +20]"}, {"lost", -80, -100, -40, "−80 [−100, −40]"},
}}

// Names and values of usual lengths are whole also in the narrow drawing, below one another.
func TestNamesOfIntervalsAreWhole(t *testing.T) {
	long := Intervals{Name: "i", X: "Elo", Rows: []Interval{
		{"weights against the program's own", -453, -722, -343, "−453 [−722, −343]"},
		{"A: houses with fewer than 3 seeds (<3)", 20, 10, 30, "−1.232 ± 0.046"},
	}}
	f := must(long.Draw())
	for _, drawing := range [][]byte{f.SVG, f.Narrow} {
		drawn := words(t, drawing)
		for _, r := range long.Rows {
			if !slices.Contains(drawn, r.Name) || !slices.Contains(drawn, r.Text) {
				t.Errorf("%q, %q: not in the drawing: %q", r.Name, r.Text, drawn)
			}
		}
	}
	if long.needsTwoLines(wide) || sampleIntervals.needsTwoLines(phone-2*margin) {
		t.Error("values are below names although there is room next to them")
	}
}

func TestIntervalsHaveTheColourOfTheirSide(t *testing.T) {
	f := must(sampleIntervals.Draw())
	if want := "Elo. clear: +100 [+50, +150]. open: more than +200. unclear: −20 [−60, +20]. lost: −80 [−100, −40]."; f.Alt != want {
		t.Errorf("alt %q, expected %q", f.Alt, want)
	}
	for i, want := range []ink{blue, blue, muted, orange} {
		if got := sampleIntervals.Rows[i].ink(); got != want {
			t.Errorf("row %d has ink %s, expected %s", i, got.variable, want.variable)
		}
	}
	testkit.Equal(t, len(f.Values.Rows), 4, "rows of values")
}

// A series fills its height, although its values are nearly equal, and has a bar where a value has an error.
func TestASeriesFillsItsHeight(t *testing.T) {
	rows := []Interval{{"a", 0.911, 0.911, 0.911, "0.911"}, {"b", 0.912, 0.912, 0.912, "0.912"}, {"c", 0.913, 0.913, 0.913, "0.913"}}
	exact := string(must(Series{Name: "s", Title: "R", Y: "R", Rows: rows}.Draw()).SVG)
	testkit.Contains(t, exact, ">0.911<", ">0.913<", ">a<", ">c<")
	if strings.Contains(exact, ">0.0<") || strings.Contains(exact, ">0.000<") {
		t.Error("the axis starts at 0")
	}
	rows[0].Low = 0.910
	rows[1].High = math.Inf(1)
	barred := must(Series{Name: "s", Title: "R", Y: "R", Rows: rows}.Draw())
	if a, b := strings.Count(exact, "<path"), strings.Count(string(barred.SVG), "<path"); b <= a {
		t.Errorf("%d paths with errors, %d without", b, a)
	}
	testkit.EqualSlices(t, barred.Values.Rows[1], []string{"2", "b", "0.912"}, "values")
	many := make([]Interval, 40)
	for i := range many {
		many[i] = Interval{Name: "a long name", Value: float64(i), Low: float64(i), High: float64(i)}
	}
	if strings.Contains(string(must(Series{Name: "s", Rows: many}.Draw()).SVG), ">a long name<") {
		t.Error("40 names run into each other")
	}
}

// sampleTree has a best line of two moves and a branch.
var sampleTree = Tree{Name: "book-tree", Title: "Book", Line: "South's chances in percent", Root: Twig{Below: 9, Next: []*Twig{
	{Move: "A", Worth: "55 %", Value: 10, Below: 6, Best: true, Next: []*Twig{{Move: "f", Worth: "55 %", Value: 10, Below: 3, Best: true}, {Move: "e", Worth: "60 %", Value: 20, Below: 2}}},
	{Move: "B", Worth: "40 %", Value: -5, Below: 2},
}}}

func TestATreeHasALineForEachEnd(t *testing.T) {
	f := must(sampleTree.Draw())
	want := [][]string{{"A", "55 %", "6"}, {"Af", "55 %", "3"}, {"Ae", "60 %", "2"}, {"B", "40 %", "2"}}
	for i, row := range f.Values.Rows {
		testkit.EqualSlices(t, row, want[i], "row")
	}
	for depth, want := range map[int]int{0: 1, 1: 2, 2: 3, 5: 3} {
		testkit.Equal(t, sampleTree.Root.ends(depth), want, "lines of a tree cut off at %d", depth)
	}
	testkit.Equal(t, plies(wide) > plies(phone) && plies(phone) >= 2, true, "a narrow drawing has fewer plies")
}

func TestTicksAreRoundAndInRange(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		n         int
		want      string
	}{
		{-1020, 1020, 9, "−1000 −750 −500 −250 0 250 500 750 1000"},
		{-1020, 1020, 5, "−1000 −500 0 500 1000"},
		{0.789, 0.871, 5, "0.80 0.82 0.84 0.86"},
		{-1, 1, 7, "−1.0 −0.5 0.0 0.5 1.0"},
		{0, 1, 5, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0, 1, 4, "0.00 0.25 0.50 0.75 1.00"},
		{111, 139, 5, "120 130"},
	} {
		var got []string
		for _, tick := range (roundTicks{n: c.n}).Ticks(c.low, c.high) {
			got = append(got, tick.Label)
		}
		testkit.Equal(t, strings.ReplaceAll(strings.Join(got, " "), "\u00a0", ""), c.want, "ticks from %v to %v", c.low, c.high)
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		Number(-1024.5, 1): "−1\u00a0024.5", SignedNumber(3, 0): "+3", SignedNumber(-3, 0): "−3", SignedNumber(0.04, 1): "0.0", SignedNumber(0, 2): "0.00",
		Number(-0.04, 1): "0.0", Number(-1.25, 1): "−1.2", Number(math.NaN(), 1): "undefined", Number(100, 0): "100",
		Integer(0): "0", Integer(999): "999", Integer(1000): "1\u00a0000", Integer(-1234567): "−1\u00a0234\u00a0567",
		Plural(1, "game"): "1 game", Plural(2000, "game"): "2\u00a0000 games",
		estimate(-1.2e9, 2e7): "−1.200e+09 ± 2.0e+07", estimate(1024.53, 1.28): "+1\u00a0024.5 ± 1.3",
		estimate(2.4e-5, 1e-6): "+2.40e-05 ± 1.0e-06", estimate(0.01, 1.3): "0.0 ± 1.3",
	} {
		testkit.Equal(t, got, want, "got")
	}
}

// estimate has both texts of SignedEstimate.
func estimate(value, bar float64) string {
	text, barText := SignedEstimate(value, bar)
	return text + " ± " + barText
}

// South sits below whoever is to move, as in diagrams; what a place is worth is for the
// side to move.
func TestABoardIsDrawnAsPlayersSeeIt(t *testing.T) {
	p := testkit.Must(oware.ParseBoard(oware.Abapa, "10-1-1-0-0-2-9-3-8-0-2-1-7-4-N"))(t)
	worth := [2][oware.Houses + 1]float64{{1000.0 / 24}, {6: -2000.0 / 24}}
	f := must(Board{Position: p, Worth: &worth, Name: "board", Title: "A board", Line: "North to move."}.Draw())
	drawn := words(t, f.SVG)
	a, own := slices.Index(drawn, "a"), slices.Index(drawn, "+1.00")
	if a < 1 || drawn[a-1] != "9" || own != a+1 {
		t.Errorf("North's first house, of 9 seeds, is not worth a seed in %q", drawn)
	}
	south := slices.Index(drawn, "South")
	if south < 1 || drawn[south-1] != "7" || drawn[south+1] != "−2.00" {
		t.Errorf("South's store, of 7 seeds, does not cost two in %q", drawn)
	}
}

func chartOf(curves ...Curve) Chart {
	return Chart{Name: "chart", Title: "A chart", Line: "of curves", X: "depth", Y: "nodes", Curves: curves}
}

func TestChartShowsEveryCurveInItsColour(t *testing.T) {
	c := chartOf(
		Curve{"one", []Point{{1, 6}, {2, 36}, {3, 190}}},
		Curve{"two", []Point{{1, 5}, {2, 20}, {3, 80}}})
	for _, log := range []bool{false, true} {
		c.Log = log
		f := testkit.Must(c.Draw())(t)
		for _, want := range []string{"one", "two", "depth", "nodes", "A chart"} {
			testkit.Contains(t, string(f.SVG), ">"+want+"<")
		}
		picture := decode(t, f)
		for i := range c.Curves {
			if r := extent(picture, curveStyle(i).Color, 60); r.Dx() < 200 {
				t.Errorf("log %v: curve %d takes %v", log, i, r)
			}
		}
	}
}

func TestChartsThatCannotBe(t *testing.T) {
	c := chartOf(Curve{"one", []Point{{1, 0}}})
	c.Log = true
	_, err := c.Draw()
	testkit.ErrorContains(t, err, "above 0")
	if _, err := chartOf(Curve{"one", []Point{{math.NaN(), 1}}}).Draw(); err == nil {
		t.Error("a point nowhere is taken")
	}
	if _, err := chartOf(make([]Curve, maxCurves+1)...).Draw(); err == nil {
		t.Error("more curves than a reader can distinguish")
	}
	if f, err := chartOf().Draw(); err != nil || !strings.Contains(string(f.SVG), "no data") {
		t.Errorf("no curves: %v", err)
	}
}

// Decimals follow the range of a column, and a minus is a minus.
func TestValuesHaveNoMoreDigitsThanTheyNeed(t *testing.T) {
	c := chartOf(Curve{"share", []Point{{-24, 0.233333}, {0, 7.2}}}, Curve{"R", []Point{{-24, 0.84942}, {0, 0.85441}}}, Curve{"nodes", []Point{{0, 1e6}}}, Curve{"same", []Point{{0, 2.5}}})
	f := testkit.Must(c.Draw())(t)
	for i, want := range [][]string{{"−24", "0.23", "0.84942", "", ""}, {"0", "7.20", "0.85441", "1\u00a0000\u00a0000", "2.50"}} {
		testkit.EqualSlices(t, f.Values.Rows[i], want, "row")
	}
	c = Chart{Name: "log", Log: true, Curves: []Curve{{"one", []Point{{1, 0.0123}, {2, 1234}}}}}
	f = testkit.Must(c.Draw())(t)
	testkit.Equal(t, f.Values.Rows[0][1]+", "+f.Values.Rows[1][1], "0.0123, 1\u00a0234", "of a logarithmic axis")
}
