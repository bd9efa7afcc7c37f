package dropout

import (
	"context"
	"testing"
	"time"

	"kroo/games/oware"
	"kroo/internal/spec"
	"kroo/internal/testkit"
)

// Each way to stop ends at the first expansion that reaches it, with the same
// graph when it continues from a log, whatever limits made that log.
func TestStops(t *testing.T) {
	for reason, stop := range map[Reason]Stop{
		atExpansions:  {Expansions: 41},
		atEvaluations: {Evaluations: 130, Expansions: 10_000},
	} {
		cfg := config(0)
		cfg.Stop = stop
		var last counters
		g, got, err := Build(context.Background(), cfg, newFakePool(1), nil)
		if err != nil || got != reason {
			t.Fatalf("%q: ended with %q, %v", reason, got, err)
		}
		check(t, g, cfg)
		shorter := build(t, config(g.expanded-1))
		last = counters{Expanded: shorter.expanded, Searched: shorter.searched}
		testkit.Equal(t, stop.reached(last), "", "%q: one expansion less were enough", reason)
		testkit.Equal(t, dump(g), dump(build(t, config(g.expanded))), "%q: another graph than with as many expansions", reason)
		for _, before := range []int{20, 300} {
			resumed := logged(t, before)
			if _, _, err := Build(context.Background(), resumed, newFakePool(1), nil); err != nil {
				t.Fatal(err)
			}
			resumed.Stop = stop
			again, got, err := Build(context.Background(), resumed, newFakePool(1), nil)
			if err != nil || got != reason || dump(again) != dump(g) {
				t.Errorf("%q, after a log of %d expansions: %q, %v, or another graph", reason, before, got, err)
			}
		}
	}
}

func TestSolvedRootEndsIt(t *testing.T) {
	cfg := config(100_000)
	cfg.Root = board(t, oware.Abapa, "0-0-0-0-0-1-1-0-0-0-0-1-24-21-S") // F captures two: 26
	g, reason, err := Build(context.Background(), cfg, newFakePool(1), nil)
	if err != nil || reason != rootSolved || g.expanded != 1 {
		t.Fatalf("%q after %d expansions, %v", reason, g.expanded, err)
	}
	if m, points, ok := g.bestAtRoot(); !ok || m != 5 || points != 1000 {
		t.Errorf("best %d, %d points", m, points)
	}
}

func TestTimeEndsItWithABook(t *testing.T) {
	cfg := logged(t, 0)
	cfg.Stop = Stop{Time: spec.Duration{Duration: 30 * time.Millisecond}}
	g, reason, err := Build(context.Background(), cfg, slowPool(1), nil)
	if err != nil || reason != atTime {
		t.Fatalf("%q, %v", reason, err)
	}
	check(t, g, cfg)
}
