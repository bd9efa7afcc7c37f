package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/book"
	"kroo/games/oware"
	"kroo/internal/doc"
)

// DropOutOf is the diagram of a player's leaves.
func DropOutOf(leaves []book.Leaf, side oware.Side) doc.Drawing {
	points := make([]Point, len(leaves))
	for i, l := range leaves {
		points[i] = Point{X: float64(l.Value), Y: float64(l.Depth)}
	}
	return doc.DrawFunc(func() (doc.Figure, error) {
		return dropOut(points, strings.ToLower(oware.Descriptor().Sides[side]))
	})
}

const (
	// maxDiscs keeps the SVG small; maxOutlined of them, the largest, get an
	// outline that sets them off where they overlap.
	maxDiscs, maxOutlined = 1400, 150
	maxRadius             = vg.Length(9)
	maxDepth              = 1000
)

// dropOut draws the drop-out diagram of one player's book ("south" or
// "north"): for every leaf that can be reached while the book's player plays
// only best moves, its value in points for that player (X) against its depth in
// plies (Y), where the opponent leaves the book (Lincke 2001). The area of a
// disc is the number of leaves that share its place. The axis has seeds. Depths must be
// whole and not negative.
func dropOut(leaves []Point, side string) (doc.Figure, error) {
	f := doc.Figure{Name: "dropout-" + side}
	names := map[string]string{"south": "South", "north": "North"}
	player, ok := names[side]
	if !ok {
		return doc.Figure{}, fmt.Errorf("dropout: side %.20q: expected south or north", side)
	}
	if err := checkPoints(f.Name, leaves, "value", "depth"); err != nil {
		return doc.Figure{}, err
	}
	for i, leaf := range leaves {
		if leaf.Y < 0 || leaf.Y > maxDepth || leaf.Y != math.Trunc(leaf.Y) {
			return doc.Figure{}, fmt.Errorf("%s: leaf %d: depth is %v, expected a whole number from 0 to %d", f.Name, i, leaf.Y, maxDepth)
		}
	}
	title := "Drop-out diagram, book for " + player
	const height = 400
	if len(leaves) == 0 {
		return noData(f, wide, height, title, "no leaves")
	}
	inSeeds := make([]Point, len(leaves))
	for i, leaf := range leaves {
		inSeeds[i] = Point{leaf.X / seeds.points, leaf.Y}
	}
	leaves = inSeeds
	discs, grain := gather(leaves)
	line := leafLine(leaves)
	f.Alt = fmt.Sprintf("%s. Value against depth of %s: %s.", title, Plural(len(leaves), "leaf position"), line)
	f.Caption = fmt.Sprintf("Each disc is a place where the opponent can leave the book while %s plays only best moves: the further right, the longer the book lasts; the higher, the better it leaves %s. Larger discs are more such places.%s",
		player, player, grainNote(grain))
	return paint(f, size{wide, height}, size{phone, height + 60}, func(dc draw.Canvas) {
		dc = heading(dc, title, Plural(len(leaves), "leaf position")+" · "+line)
		dc = key(dc, discKey(discs, player)...)
		p := leafPlot(leaves, discs, grain, player)
		p.X.Tick.Marker = wholeTicks{ticksFor(dc, 10)}
		panel(dc, p, "", false)
	})
}

// leafLine says how the book's player stands when the book ends. The share is rounded
// down, so that 100 % means all leaves.
func leafLine(leaves []Point) string {
	values := make([]float64, len(leaves))
	good, depth := 0, 0.0
	for i, leaf := range leaves {
		values[i] = leaf.X
		depth = max(depth, leaf.Y)
		if leaf.X >= 0 {
			good++
		}
	}
	slices.Sort(values)
	return fmt.Sprintf("%s %% at 0 or better, worst %s, median %s, best %s seeds, deepest %s plies",
		Number(math.Floor(1000*float64(good)/float64(len(leaves)))/10, 1), Number(values[0], 1), Number(quantile(values, 0.5), 1), Number(values[len(values)-1], 1), Number(depth, 0))
}

func grainNote(grain float64) string {
	if grain == 0 {
		return ""
	}
	return fmt.Sprintf(" Values are gathered to the nearest %s seeds.", Number(grain, 1))
}

// discs are places with the number of leaves there, largest first.
type discs []struct {
	at Point
	n  int
}

// gather counts leaves by place. To stay within maxDiscs places it rounds values to
// multiples of the grain that it returns; 0 means not at all.
func gather(leaves []Point) (discs, float64) {
	grain := 0.0
	for {
		places := map[Point]int{}
		for _, leaf := range leaves {
			if grain > 0 {
				leaf.X = math.Round(leaf.X/grain) * grain
			}
			leaf.X += 0 // -0 and 0 are one place
			places[leaf]++
		}
		if len(places) <= maxDiscs || grain > 2*maxValue {
			return sortDiscs(places), grain
		}
		grain = coarser(grain)
	}
}

func coarser(grain float64) float64 {
	if grain == 0 {
		return 0.1
	}
	return tickStep(grain * 1.5)
}

func sortDiscs(places map[Point]int) discs {
	var ds discs
	for _, at := range slices.SortedFunc(maps.Keys(places), func(a, b Point) int {
		return cmp.Or(-cmp.Compare(places[a], places[b]), cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
	}) {
		ds = append(ds, struct {
			at Point
			n  int
		}{at, places[at]})
	}
	return ds
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

func leafPlot(leaves []Point, ds discs, grain float64, player string) *plot.Plot {
	p := newPlot("depth at which the book is left, plies", "value for "+player+", seeds")
	low, high, deepest := 0.0, 0.0, 1.0
	for _, leaf := range leaves {
		low, high, deepest = min(low, leaf.X-grain/2), max(high, leaf.X+grain/2), max(deepest, leaf.Y)
	}
	air := max(0.04*(high-low), 0.25)
	setRange(&p.X, -0.03*deepest, 1.03*deepest)
	setRange(&p.Y, low-air, high+air)
	p.Add(paintOn(func(dc draw.Canvas, x, y func(float64) vg.Length) {
		dc.StrokeLine2(stroke(text, 1), dc.Min.X, y(0), dc.Max.X, y(0))
		ds.paint(dc, x, y)
	}))
	return p
}

// paint draws the largest discs individually, so that none hides another, and the rest as one path
// per colour.
func (ds discs) paint(dc draw.Canvas, x, y func(float64) vg.Length) {
	outlined := min(maxOutlined, len(ds))
	for _, d := range ds[:outlined] {
		path := disc(nil, vg.Point{X: x(d.at.Y), Y: y(d.at.X)}, ds.radius(d.n))
		dc.SetColor(signInk(d.at.X))
		dc.Fill(path)
		dc.SetLineStyle(stroke(paper, 0.5))
		dc.Stroke(path)
	}
	for _, sign := range []float64{-1, 0, 1} {
		var path vg.Path
		for _, d := range ds[outlined:] {
			if cmp.Compare(d.at.X, 0) == int(sign) {
				path = disc(path, vg.Point{X: x(d.at.Y), Y: y(d.at.X)}, ds.radius(d.n))
			}
		}
		if len(path) > 0 {
			dc.SetColor(signInk(sign))
			dc.Fill(path)
		}
	}
}

// discKey explains colours, and sizes with the counts 1, most and one between.
func discKey(ds discs, player string) []mark {
	entry := func(in ink, n int, label string) mark {
		r := ds.radius(n)
		return mark{label, func(dc draw.Canvas, at vg.Point) {
			dc.SetColor(in)
			dc.Fill(disc(nil, vg.Point{X: at.X + r, Y: at.Y}, r))
		}, 2 * r}
	}
	most := ds[0].n
	middle := max(1, int(math.Round(float64(most)/4)))
	marks := []mark{boxMark(blue, "better for "+player), boxMark(muted, "level"), boxMark(orange, "worse")}
	sizes := slices.Compact([]int{1, middle, most})
	for _, n := range sizes {
		label := Count(n)
		if n == sizes[len(sizes)-1] {
			label = Plural(n, "leaf position")
		}
		marks = append(marks, entry(axis, n, label))
	}
	return marks
}
