package outline

import (
	"math"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

func TestTextOfADocument(t *testing.T) {
	d := Doc{Title: "a thing", Facts: Facts("size", "1", "nothing", "", "long name", "x")}
	d.Facts = append(d.Facts, Fact{Name: "noted", Value: "2", Note: "why"})
	d.Add(Section{Heading: "part", Text: []string{"first  line\nsecond"}, Table: NewTable("a"), Plain: "as\tit is\n"})
	d.Addf("%d alone", 1)
	const want = "f.bin: a thing\n  size:       1\n  long name:  x\n  noted:      2  why\n\nPart\nfirst line\nsecond\n  a\nas\tit is\n\n1 alone\n"
	testkit.Equal(t, d.Text("f.bin"), want, "got")
}

// A title, with the name before it, is broken at blanks.
func TestALongTitleFitsOnTheScreen(t *testing.T) {
	d := &Doc{Title: "labels of " + strings.Repeat("a search ", 12)}
	for line := range strings.Lines(d.Text("file.parquet")) {
		if len(line) > Screen+1 {
			t.Errorf("%q is wider than the screen", line)
		}
	}
	testkit.Equal(t, (&Doc{Title: "a  b"}).Text("x"), "x: a  b\n", "a short title stays as it is")
}

func TestBinsIncludeBothEndsOfTheRange(t *testing.T) {
	all := NewBins(1000)
	for _, v := range []float64{-1000, -901, -900, 0, 999, 1000} {
		all.Count(v, v > 0)
	}
	if len(all) != 20 || all[0] != (Bin{From: -1000, To: -900, Rows: 2}) || all[1].Rows != 1 || all[10] != (Bin{From: 0, To: 100, Rows: 1}) || all[19] != (Bin{From: 900, To: 1000, Rows: 2, Exact: 2}) {
		t.Errorf("%+v", all)
	}
	testkit.Equal(t, len((Bins{{To: 1}}).Trim()), 0, "bins of no rows")
}

func TestNumbersAreRightAligned(t *testing.T) {
	table := Table{Header: []string{"name", "rows", "share"}, Rows: [][]string{{"a", "1", "2.0 %"}, {"long", "100", "–"}}}
	table.Bars = []int{1, 30}
	got := table.Text()
	const want = "  name  rows  share\n  a        1  2.0 %  █\n  long   100      –  ██████████████████████████████\n"
	testkit.Equal(t, got, want, "got")
}

// A table that is too wide gets narrower gaps, and if that is not enough, its columns are folded under
// the number and the name of each row.
func TestWideTablesFitOnTheScreen(t *testing.T) {
	row := []string{"1", "name"}
	head := []string{"#", "player"}
	for range 10 {
		row = append(row, "1234")
		head = append(head, "to")
	}
	wide := &Table{Header: append(head, "z"), Rows: [][]string{append(row, "5")}}
	testkit.Equal(t, wide.Text(), "  #  player    to    to    to    to    to    to    to    to    to    to  z\n"+
		"  1  name    1234  1234  1234  1234  1234  1234  1234  1234  1234  1234  5\n", "fits")
	wide.Header[1] = "contestant no. 10"
	testkit.Equal(t, wide.Text(), " # contestant no. 10   to   to   to   to   to   to   to   to   to   to z\n"+
		" 1 name              1234 1234 1234 1234 1234 1234 1234 1234 1234 1234 5\n", "narrower")
	wide.Header[1] = "a long name of a contestant"
	testkit.Equal(t, wide.Text(), " # a long name of a contestant   to   to   to   to   to   to   to   to   to   to\n"+
		" 1 name                        1234 1234 1234 1234 1234 1234 1234 1234 1234 1234\n\n"+
		" # a long name of a contestant z\n 1 name                        5\n", "folded")
	sentence := strings.Repeat("words ", 14) + "at the end"
	sentences := &Table{Header: []string{"check", "", "what it did"}, Rows: [][]string{{"nodes", "yes", sentence}}}
	testkit.Contains(t, sentences.Text(), " check     what it did\n nodes yes words ", "words\n           words ", " at the end\n")
	for line := range strings.Lines(sentences.Text()) {
		if n := len(strings.TrimSuffix(line, "\n")); n > Screen {
			t.Errorf("%q: %d columns", line, n)
		}
	}
}

func TestBarsAreProportional(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "▏", 10: "██████████", 5: "█████", 2: "██"} {
		if got := bar(n, 10, 10); n != 1 && got != want {
			t.Errorf("%d of 10: %q, want %q", n, got, want)
		}
	}
	testkit.Equal(t, bar(1, 100_000, 10), "▏", "a few of many")
	testkit.Equal(t, bar(3, 10, -4), "", "without room")
}

// A value on the edge between two bins is counted in the bin whose filter, From ≤ value < To,
// selects it.
func TestFiltersSelectTheRowsOfABin(t *testing.T) {
	for _, high := range []float64{0.3, 1, 7.7, 1e6 + 0.1} {
		var values []float64
		for i := range equalBins + 1 {
			at := float64(i) * (high / equalBins)
			values = append(values, at, math.Nextafter(at, 0), math.Nextafter(at, high))
		}
		values = append(values, high)
		bars := binsOf(values...)
		for k, b := range bars {
			n := 0
			for _, v := range values {
				if v >= b.From && (v < b.To || k == len(bars)-1 && v <= b.To) {
					n++
				}
			}
			if n != b.Rows || k > 0 && bars[k-1].To != b.From {
				t.Errorf("to %g: bar %+v counts %d values", high, b, n)
			}
		}
	}
}

func binsOf(values ...float64) Bins {
	return BinsOf(func(yield func(float64, int) bool) {
		for _, v := range values {
			yield(v, 1)
		}
	})
}

func TestSmallNumbersGetSeveralBins(t *testing.T) {
	if all := binsOf(-1e-17, 0, 1e-17); len(all) != equalBins {
		t.Errorf("%+v", all)
	}
}

func TestAFewWholeNumbersGetABinEach(t *testing.T) {
	all := binsOf(3, 5, 3)
	if len(all) != 3 || all[0] != (Bin{From: 3, To: 3, Rows: 2}) || all[1].Rows != 0 || all[2] != (Bin{From: 5, To: 5, Rows: 1}) {
		t.Errorf("%+v", all)
	}
	for _, values := range [][]float64{{1e17, 1e17 + 32}, {0.5, 0.5}, {1e300}} { // one value, or neighbouring floating-point numbers
		if all := binsOf(values...); all[0].From != values[0] || all[len(all)-1].To != values[len(values)-1] {
			t.Errorf("%v: %+v", values, all)
		}
	}
	testkit.Equal(t, len(binsOf()), 0, "bins of no numbers")
}
