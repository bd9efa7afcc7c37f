package report

import (
	"math"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

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
	testkit.Refused(t, err, "above 0")
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
