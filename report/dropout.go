package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/book"
	"kroo/games/oware"
	"kroo/internal/outline"
)

// DropOut is the drop-out diagram of a player's book: for every leaf that can be reached while the
// player plays only best moves, its value for that player by its depth in plies, where the opponent
// leaves the book (Lincke 2001). The area of a disc is the number of leaves in its place.
type DropOut struct {
	Side   oware.Side
	Leaves []book.Leaf
	Chance func(points float64) float64 // winning chance of a value, in percent; nil draws seeds of score
}

const (
	// maxDiscs keeps the SVG small; maxOutlined of them, the largest, get an
	// outline that sets them off where they overlap.
	maxDiscs, maxOutlined = 1400, 150
	maxRadius             = vg.Length(9)
)

// scale returns the axis label of the values, their unit, the step that they are rounded to, and the
// value of a level position.
func (d DropOut) scale() (what, unit string, grain, level float64) {
	if d.Chance != nil {
		return "winning chance, %", " %", 1, 50
	}
	return "score, seeds", " seeds", 0.1, 0
}

// Draw implements [outline.Drawing].
func (d DropOut) Draw() (outline.Figure, error) {
	player := oware.Descriptor().Sides[d.Side]
	f := outline.Figure{Name: "dropout-" + strings.ToLower(player)}
	title := "Drop-out diagram, book for " + player
	const height = 400
	if len(d.Leaves) == 0 {
		return noData(f, wide, height, title, "no leaves")
	}
	places := make([]Point, len(d.Leaves)) // depth and value
	for i, l := range d.Leaves {
		places[i] = Point{float64(l.Depth), float64(l.Value) / perSeed}
		if d.Chance != nil {
			places[i].Y = d.Chance(float64(l.Value))
		}
	}
	if err := checkPoints(f.Name, places, "depth", "value"); err != nil {
		return outline.Figure{}, err
	}
	what, unit, grain, level := d.scale()
	line := d.leafLine(places)
	discs, rounded := gather(places, grain)
	f.Alt = fmt.Sprintf("%s: %s.", title, line)
	f.Caption = fmt.Sprintf("Each disc is a place where the opponent can leave the book while %s plays only best moves: the further right, the longer the book lasts; the higher, the better for %s. Larger discs are more such places.", player, player)
	if d.Chance != nil {
		f.Caption += " Winning chances are those of the scores with all seeds in play."
	}
	if rounded > grain {
		f.Caption += fmt.Sprintf(" Values are rounded to %s%s.", Number(rounded, 1), unit)
	}
	return paint(f, size{wide, height}, size{phone, height + 60}, func(dc draw.Canvas) {
		dc = key(heading(dc, title, line), discs.key(player)...)
		p := newPlot("depth at which the book is left, plies", what+" for "+player)
		deepest := 1.0
		low := level
		high := level
		for _, at := range places {
			deepest = max(deepest, at.X)
			low = min(low, at.Y-rounded/2)
			high = max(high, at.Y+rounded/2)
		}
		air := max(0.04*(high-low), 0.25)
		setRange(&p.X, -0.03*deepest, 1.03*deepest)
		setRange(&p.Y, low-air, high+air)
		p.X.Tick.Marker = wholeTicks(dc, 10)
		p.Add(paintOn(func(dc draw.Canvas, x, y func(float64) vg.Length) {
			dc.StrokeLine2(stroke(text, 1), dc.Min.X, y(level), dc.Max.X, y(level))
			discs.paint(dc, x, y, level)
		}))
		p.Draw(dc)
	})
}

// leafLine describes how the book's player stands when the book ends. The share is rounded down, so
// that 100 % means all leaves.
func (d DropOut) leafLine(places []Point) string {
	_, unit, _, level := d.scale()
	decimals := 1
	if d.Chance != nil {
		decimals = 0
	}
	values := make([]float64, len(places))
	good, depth := 0, 0.0
	for i, at := range places {
		values[i], depth = at.Y, max(depth, at.X)
		if at.Y >= level {
			good++
		}
	}
	slices.Sort(values)
	value := func(q float64) string { return Number(quantile(values, q), decimals) + unit }
	return fmt.Sprintf("%s · %s %% at %s%s or better, worst %s, median %s, best %s, deepest %s plies",
		Plural(len(places), "leaf position"),
		Number(math.Floor(1000*float64(good)/float64(len(places)))/10, 1), Number(level,
			0), unit, value(0), value(0.5), value(1), Number(depth, 0))
}

// discs are places with the number of leaves there, largest first.
type discs []struct {
	Point
	n int
}

// gather counts leaves by place. It rounds values to multiples of a grain, or of a larger one that it
// returns, to stay within maxDiscs places.
func gather(leaves []Point, grain float64) (discs, float64) {
	places := map[Point]int{}
	for _, at := range leaves {
		at.Y = math.Round(at.Y/grain)*grain + 0 // -0 and 0 are one place
		places[at]++
	}
	if len(places) > maxDiscs && grain <= maxValue {
		return gather(leaves, 2*grain)
	}
	ds := make(discs, len(places))
	for i, at := range slices.SortedFunc(maps.Keys(places), func(a, b Point) int {
		return cmp.Or(cmp.Compare(places[b], places[a]), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	}) {
		ds[i].Point, ds[i].n = at, places[at]
	}
	return ds, grain
}

// radius makes the area proportional to the count, with a floor at which a
// single leaf is still seen.
func (ds discs) radius(n int) vg.Length {
	full := min(maxRadius, 3*vg.Length(math.Sqrt(float64(ds[0].n))))
	return max(2, full*vg.Length(math.Sqrt(float64(n)/float64(ds[0].n))))
}

func signInk(v float64) ink {
	switch {
	case v > 0:
		return blue
	case v < 0:
		return orange
	}
	return muted
}

// paint draws the largest discs individually, so that none hides another, and the rest as one path
// per colour.
func (ds discs) paint(dc draw.Canvas, x, y func(float64) vg.Length, level float64) {
	rest := map[ink]vg.Path{}
	for i, d := range ds {
		in := signInk(d.Y - level)
		path := disc(nil, vg.Point{X: x(d.X), Y: y(d.Y)}, ds.radius(d.n))
		if i >= maxOutlined {
			rest[in] = append(rest[in], path...)
			continue
		}
		dc.SetColor(in)
		dc.Fill(path)
		dc.SetLineStyle(stroke(paper, 0.5))
		dc.Stroke(path)
	}
	for _, in := range []ink{orange, muted, blue} {
		if path := rest[in]; path != nil {
			dc.SetColor(in)
			dc.Fill(path)
		}
	}
}

// key explains colours, and sizes by the counts 1, most and one between.
func (ds discs) key(player string) []mark {
	marks := []mark{boxMark(blue, "better for "+player), boxMark(muted, "level"), boxMark(orange, "worse")}
	most := ds[0].n
	for _, n := range slices.Compact([]int{1, max(1, int(math.Round(float64(most)/4))), most}) {
		r := ds.radius(n)
		marks = append(marks, mark{Plural(n, "leaf position"), func(dc draw.Canvas, at vg.Point) {
			dc.SetColor(axis)
			dc.Fill(disc(nil, vg.Point{X: at.X + r, Y: at.Y}, r))
		}, 2 * r})
	}
	return marks
}
