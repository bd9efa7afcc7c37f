package dropout

import (
	"context"
	"testing"
	"time"

	"kroo/games/oware"
)

// Each way to stop ends at the first expansion that reaches it, with the same
// graph when it goes on from a log, whatever limits made that log.
func TestStops(t *testing.T) {
	for reason, stop := range map[Reason]Stop{
		atExpansions:  {Expansions: 41},
		atEvaluations: {Evaluations: 130, Expansions: 10_000},
		atNodes:       {Nodes: 1300, Stable: 10_000},
		rootStable:    {Stable: 9},
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
		last = counters{Expanded: shorter.expanded, Searched: shorter.searched, Visited: shorter.visited}
		if stop.Stable == 0 && stop.reached(last) != "" {
			t.Errorf("%q: one expansion less were enough", reason)
		}
		if dump(g) != dump(build(t, config(g.expanded))) {
			t.Errorf("%q: another graph than with as many expansions", reason)
		}
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

// The root is stable when its best move and value have not changed for so many
// expansions: counted here from outside.
func TestStableCountsFromTheLastChange(t *testing.T) {
	type root struct {
		move   oware.Move
		points int
	}
	var now root
	since := 0
	cfg := config(0)
	cfg.Stop = Stop{Stable: 12}
	_, reason, err := Build(context.Background(), cfg, newFakePool(1), func(p Progress) {
		m, value := p.Graph.rootBest()
		since++
		if is := (root{m, int(value)}); is != now {
			now, since = is, 0
		}
		if since > 12 {
			t.Error("went on for too long")
		}
	})
	if err != nil || reason != rootStable || since != 12 {
		t.Errorf("%q after %d stable expansions, %v", reason, since, err)
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
	cfg.Stop = Stop{Time: 30 * time.Millisecond}
	g, reason, err := Build(context.Background(), cfg, slowPool(1), nil)
	if err != nil || reason != atTime {
		t.Fatalf("%q, %v", reason, err)
	}
	check(t, g, cfg)
}
