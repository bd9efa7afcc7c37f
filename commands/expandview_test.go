package commands

import (
	"context"
	"strings"
	"testing"
	"time"

	"kroo/dropout"
	"kroo/engine"
	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// viewed shows a small expansion, a second a step, on a terminal of the given
// width, or on none.
func viewed(t *testing.T, width int) string {
	t.Helper()
	return watched(t, width, func(v *expandView, p dropout.Progress) { v.update(p) })
}

// watched is what a view shows that each step of a small expansion is given to.
func watched(t *testing.T, width int, step func(*expandView, dropout.Progress)) string {
	t.Helper()
	var out strings.Builder
	at := time.Unix(1000, 0)
	v := &expandView{out: &out, view: dropout.View{Root: oware.South, Omega: 2}, now: func() time.Time {
		at = at.Add(time.Second)
		return at
	}}
	if width > 0 {
		v.width = func() int { return width }
	}
	pool := engine.NewSearchers(func() *search.Searcher[oware.Position] {
		return search.NewSearcher(search.Knowledge[oware.Position]{Eval: evaluations.Captures{}}, search.Options{HashMB: 1})
	}, 1)
	cfg := dropout.Config{Omega: 2, Stop: dropout.Stop{Expansions: 25}, Width: 1, Limits: search.Limits{Depth: 2}}
	if _, _, err := dropout.Build(context.Background(), cfg, pool, func(p dropout.Progress) { step(v, p) }); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestExpandViewWithoutATerminalIsALineNowAndThen(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(viewed(t, 0)), "\n")
	if len(lines) != 2 { // after 11 and 21 expansions, ten seconds apart
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	testkit.Contains(t, lines[0], "11 entries", "1.0 leaves/s", "44.0 %", "14s to go", "first moves: A ", "  (seeds)", "best line to ply 3: ",
		"next leaf: Ae in North's book; South loses 0.00 seeds on the way; worth: closes the likeliest exit, of priority 2.0 (2 plies + 2 × 0.00 seeds)")
}

// An expansion that continues from a log reads it in no time: half of the way within two
// seconds, and then a tenth in ten.
func TestExpandViewForeseesTheEndFromItsOwnSearches(t *testing.T) {
	first := true
	text := watched(t, 0, func(v *expandView, p dropout.Progress) {
		if !first {
			return
		}
		first = false
		p.Searches, p.Share = 0, 0.1
		v.update(p)
		p.Share = 0.5
		v.update(p)
		for range 10 {
			p.Searches, p.Expanded, p.Share = p.Searches+2, p.Expanded+2, p.Share+0.01
			v.update(p)
		}
	})
	// The last line comes after nine of the ten: 41 hundredths are left.
	testkit.Contains(t, text, "2.0 leaves/s, 59.0 %, 41s to go")
}

func TestExpandViewIsDrawnInPlaceAndCutToTheTerminal(t *testing.T) {
	text := viewed(t, 30)
	if n := strings.Count(text, "\x1b[5F\x1b[J"); n != 24 {
		t.Errorf("drawn again %d times, expected 24", n)
	}
	for _, line := range strings.Split(strings.ReplaceAll(text, "\x1b[5F\x1b[J", ""), "\n") {
		if len([]rune(line)) > 29 {
			t.Errorf("%q does not fit", line)
		}
	}
}
