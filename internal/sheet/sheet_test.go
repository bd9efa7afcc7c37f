package sheet

import (
	"math"
	"testing"

	"kroo/internal/testkit"
)

func TestLinesStandInColumns(t *testing.T) {
	s := Sheet{Title: "a thing", Rest: "as\tit is"}
	s.Line("name:", 1)
	s.Line("long name:", "x")
	s.Line()
	s.Line("text alone")
	const want = "f.bin: a thing\nname:       1\nlong name:  x\n\ntext alone\nas\tit is"
	testkit.Equal(t, s.Text("f.bin"), want, "got")
}

func TestBinsCountWhatIsBetweenTheirEnds(t *testing.T) {
	all := NewBins(1000)
	for _, v := range []float64{-1000, -901, -900, 0, 999, 1000} {
		all.Count(v, v > 0)
	}
	if len(all) != 20 || all[0] != (Bin{From: -1000, To: -900, Rows: 2}) || all[1].Rows != 1 || all[10] != (Bin{From: 0, To: 100, Rows: 1}) || all[19] != (Bin{From: 900, To: 1000, Rows: 2, Exact: 2}) {
		t.Errorf("%+v", all)
	}
	if (Bins{{To: 1}}).Text("x", 1, 0) == "" {
		t.Error("bins without rows have no header")
	}
}

func TestNumbersStandToTheRight(t *testing.T) {
	got := Aligned([][]string{{"name", "rows", "share", ""}, {"a", "1", "2.0 %", "█"}, {"long", "100", "–", "██"}})
	const want = "  name  rows  share\n  a        1  2.0 %  █\n  long   100      –  ██\n"
	testkit.Equal(t, got, want, "got")
}

func TestBarsGrowWithTheirNumber(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "▏", 10: "██████████", 5: "█████", 2: "██"} {
		if got := Bar(n, 10, 10); n != 1 && got != want {
			t.Errorf("%d of 10: %q, want %q", n, got, want)
		}
	}
	testkit.Equal(t, Bar(1, 100_000, 10), "▏", "a few of many")
	testkit.Equal(t, Bar(3, 10, -4), "", "without room")
}

// Numbers on the edges of bins are counted where a filter finds them.
func TestBinsMeetAtTheirEdges(t *testing.T) {
	for _, high := range []float64{0.3, 1, 7.7, 1e6 + 0.1} {
		var values []float64
		for i := range equalBins + 1 {
			at := float64(i) * (high / equalBins)
			values = append(values, at, math.Nextafter(at, 0), math.Nextafter(at, high))
		}
		values = append(values, high)
		bars := BinsOf(values)
		for k, b := range bars {
			n := 0
			for _, v := range values {
				if v >= b.From && (v < b.To || k == len(bars)-1 && v <= b.To) {
					n++
				}
			}
			if n != b.Rows || k > 0 && bars[k-1].To != b.From {
				t.Errorf("to %g: bar %+v holds %d values", high, b, n)
			}
		}
	}
}

func TestFewWholeNumbersHaveABinEach(t *testing.T) {
	all := BinsOf([]float64{3, math.NaN(), 5, 3})
	if len(all) != 3 || all[0] != (Bin{From: 3, To: 3, Rows: 2}) || all[1].Rows != 0 || all[2] != (Bin{From: 5, To: 5, Rows: 1}) {
		t.Errorf("%+v", all)
	}
	for _, values := range [][]float64{{1e17, 1e17 + 32}, {0.5, 0.5}, {1e300}} { // as narrow as numbers are there
		if all := BinsOf(values); all[0].From != values[0] || all[len(all)-1].To != values[len(values)-1] {
			t.Errorf("%v: %+v", values, all)
		}
	}
	if all := BinsOf([]float64{math.NaN()}); all == nil || len(all) != 0 {
		t.Errorf("no numbers: %+v: want bins, but none", all)
	}
}
