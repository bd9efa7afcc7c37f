package console

import (
	"io"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kroo/internal/testkit"
)

// testMeter returns a meter whose clock advances by a second at each call.
func testMeter(out io.Writer) *Meter {
	at := time.Unix(1000, 0)
	return &Meter{label: "labelling", unit: "positions", out: out, now: func() time.Time {
		at = at.Add(time.Second)
		return at
	}}
}

// Without a terminal there is a line at most every five seconds; what was done before does not count
// for the rate. A bar is drawn in place.
func TestProgressOfWork(t *testing.T) {
	for name, c := range map[string]struct {
		columns           int // 0 without a terminal, -1 if unknown
		from, step, total int64
		note, want        string
	}{
		"from a journal": {0, 500, 10, 600, "", "labelling: 8s to go, 520/600 positions, 10.0/s, 500 positions done before\n" +
			"labelling: 3s to go, 570/600 positions, 10.0/s, 500 positions done before\n" +
			"labelling: 600/600 positions, 10.0/s, 500 positions done before"},
		"a note":                 {0, 0, 1, 5, "+1 =2 -3", "labelling: +1 =2 -3, 3s to go, 2/5 positions, 1.0/s\nlabelling: +1 =2 -3, 5/5 positions, 1.0/s"},
		"short":                  {0, 0, 2, 2, "", ""},
		"a bar":                  {100, 7, 1, 10, "", "labelling, 10/10 positions, 1.0/s, 7 positions done before 100% |████████████████████|"},
		"a bar of nothing to do": {-1, 1, 1, 1, "", "labelling, 1/1 position, 1 position done before 100% |████████████████████|"},
	} {
		var out strings.Builder
		m := testMeter(&out)
		if c.columns != 0 {
			m.width = func() int { return max(c.columns, 0) }
		}
		for done := c.from; done <= c.total; done += c.step {
			m.Update(done, c.total, c.note)
		}
		m.Finish(true)
		lines, _ := testkit.Screen(out.String(), 100)
		testkit.Equal(t, strings.Join(lines, "\n"), c.want, "%s", name)
	}
}

// checkLines checks the lines of a meter by their width in columns.
func checkLines(t *testing.T, m *Meter, lines map[int]string) {
	t.Helper()
	for columns, want := range lines {
		testkit.Equal(t, m.line(columns), want, "%d columns", columns)
	}
}

// If there is no room, the pieces of a note after the first are left out before the count.
func TestTheCountOutranksTheRestOfANote(t *testing.T) {
	var out strings.Builder
	m := testMeter(&out)
	m.label = "book"
	m.Update(0, 12, "")
	m.Update(12, 12, "F +0.24; best line FfEe; next leaf FfEeD")
	checkLines(t, m, map[int]string{
		48: "book, F +0.24, 0s to go, 12/12 positions 100%",
		62: "book, F +0.24, 0s to go, 12/12 positions, 12.0/s 100% |██████|",
		55: "book, F +0.24, 0s to go, 12/12 positions, 12.0/s 100%",
		72: "book, F +0.24, 0s to go, 12/12 positions, 12.0/s, best line FfEe 100%",
		99: "book, F +0.24, 0s to go, 12/12 positions, 12.0/s, best line FfEe, next leaf FfEeD 100% |██████████|",
	})
}

// The line of a match shows its result first, in a terminal of 80 columns with the Elo difference and the
// state of the test, and leaves out what does not fit without breaking an interval.
func TestTheLineOfAMatchFits(t *testing.T) {
	var out strings.Builder
	m := testMeter(&out)
	m.label = "match"
	m.Update(0, 40000, "")
	m.Update(17500, 40000, "+9120 =120 -8260, Elo +17 [+12, +22], LLR -1.52 (±2.94); next")
	checkLines(t, m, map[int]string{
		30:  "match, +9120 =120 -8260  43%",
		60:  "match, +9120 =120 -8260, Elo +17 [+12, +22], 1s to go  43%",
		80:  "match, +9120 =120 -8260, Elo +17 [+12, +22], LLR -1.52 (±2.94), 1s to go  43%",
		120: "match, +9120 =120 -8260, Elo +17 [+12, +22], LLR -1.52 (±2.94), 1s to go, 17500/40000 positions, 17500/s, next  43%",
	})
}

// A bar stays on one line and shows the most important parts first.
func TestProgressBarFitsTheTerminal(t *testing.T) {
	for columns, want := range map[int]string{
		1:   "",
		8:   "s…  12%",
		20:  "stage 3 of 14…  12%",
		40:  "stage 3 of 14, labels, +1 =2 -3  12%",
		60:  "stage 3 of 14, labels, +1 =2 -3, 1m28s to go, 1.0/s  12%",
		80:  "stage 3 of 14, labels, +1 =2 -3, 1m28s to go, 12/100 positions, 1.0/s  12%",
		100: "stage 3 of 14, labels, +1 =2 -3, 1m28s to go, 12/100 positions, 1.0/s, 2 positions done before  12%",
		140: "stage 3 of 14, labels, +1 =2 -3, 1m28s to go, 12/100 positions, 1.0/s, 2 positions done before  12% |██                  |",
	} {
		var out strings.Builder
		m := testMeter(&out)
		m.label = "stage 3 of 14, labels"
		m.width = func() int { return columns }
		for done := int64(2); done <= 12; done++ {
			m.Update(done, 100, "+1 =2 -3")
		}
		lines, wraps := testkit.Screen(out.String(), columns)
		if got := strings.Join(lines, "|"); wraps > 0 || got != want {
			t.Errorf("%d columns: %d wraps, %q, want %q", columns, wraps, got, want)
		}
		m.label, m.unit, m.note = strings.Repeat("a long label, ", 9), "searches", strings.Repeat("ä", 50)
		for _, m.total = range []int64{0, 1, 12, 1e6, math.MaxInt64} {
			m.done = min(m.done, m.total)
			if n := utf8.RuneCountInString(m.line(columns)); n > columns {
				t.Errorf("%d columns, %d of %d: %d are written", columns, m.done, m.total, n)
			}
		}
	}
}

// The last bar is printed once. Complete work is shown as such even if less was done than announced;
// interrupted work is not.
func TestTheLastBarIsPrintedOnce(t *testing.T) {
	for complete, want := range map[bool]string{
		true:  "labelling, 4/4 positions, 4.0/s 100% |████████████████████|",
		false: "labelling, 4/100 positions, 4.0/s   4% |                    |",
	} {
		var out strings.Builder
		m := testMeter(&out)
		m.width = func() int { return 80 }
		m.Update(0, 100, "")
		m.Update(4, 100, "")
		m.Finish(complete)
		m.Finish(true)
		lines, _ := testkit.Screen(out.String(), 80)
		testkit.Equal(t, strings.Join(lines, "\n"), want, "complete: %t", complete)
	}
}

// A bar is drawn at most ten times per second, and once more at the end.
func TestProgressBarIsNotDrawnForEveryPiece(t *testing.T) {
	var out strings.Builder
	m, at := testMeter(&out), time.Unix(1000, 0)
	m.now = func() time.Time { at = at.Add(time.Millisecond); return at }
	m.width = func() int { return 80 }
	for done := range int64(1000) {
		m.Update(done, 1000, "")
	}
	m.Finish(true)
	testkit.Equal(t, strings.Count(out.String(), "\r"), 11, "drawn")
}

// Slow work has a rate per hour, and one unit is singular.
func TestProgressOfSlowWorkAndOfOne(t *testing.T) {
	var out strings.Builder
	m, at := testMeter(&out), time.Unix(1000, 0)
	m.unit, m.now = "pairs", func() time.Time { at = at.Add(time.Minute); return at }
	m.Update(0, 1, "")
	m.Update(0, 1, "")
	m.Update(1, 1, "")
	if want := "labelling: 0/1 pair\nlabelling: 0s to go, 1/1 pair, 30.0/h\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	for unit, want := range map[string]string{"pairs": "1 pair in 120.00 s, 30.0 pairs/h", "leaves": "1 leaf in 120.00 s, 30.0 leaves/h", "entries": "1 entry in 120.00 s, 30.0 entries/h", "searches": "1 search in 120.00 s, 30.0 searches/h"} {
		if m.unit = unit; m.Speed() != want {
			t.Errorf("got %q, want %q", m.Speed(), want)
		}
	}
}
