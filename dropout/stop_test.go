package dropout

import (
	"testing"
	"time"

	"kroo/games/oware"
	"kroo/internal/spec"
	"kroo/internal/testkit"
)

// Each way to stop ends at the first expansion that reaches it, with the same
// graph when it continues from a log, whatever limits made that log.
func TestStops(t *testing.T) {
	for reason, change := range map[Reason]func(*job){
		atExpansions:  func(j *job) { j.Expansions = 41 },
		atEvaluations: func(j *job) { j.Expansions, j.Stop.Evaluations = 10_000, 130 },
	} {
		cfg := config(0)
		change(&cfg)
		g, got, err := cfg.by(newFakePool(1))
		if err != nil || got != reason {
			t.Fatalf("%q: ended with %q, %v", reason, got, err)
		}
		check(t, g, cfg)
		if shorter := build(t, config(g.expanded-1)); reason == atEvaluations && shorter.searched >= 130 {
			t.Errorf("%q: one expansion less were enough", reason)
		}
		testkit.Equal(t, dump(g), dump(build(t, config(g.expanded))), "%q: another graph than with as many expansions", reason)
		for _, before := range []int{20, 300} {
			resumed := logged(t, before)
			if _, _, err := resumed.by(newFakePool(1)); err != nil {
				t.Fatal(err)
			}
			change(&resumed)
			again, got, err := resumed.by(newFakePool(1))
			if err != nil || got != reason || dump(again) != dump(g) {
				t.Errorf("%q, after a log of %d expansions: %q, %v, or another graph", reason, before, got, err)
			}
		}
	}
}

func TestSolvedRootEndsIt(t *testing.T) {
	cfg := config(100_000)
	cfg.Root = board(t, oware.Abapa, "0-0-0-0-0-1-1-0-0-0-0-1-24-21-S") // F captures two: 26
	g, reason, err := cfg.by(newFakePool(1))
	if err != nil || reason != rootSolved || g.expanded != 1 {
		t.Fatalf("%q after %d expansions, %v", reason, g.expanded, err)
	}
	if s := g.summary(reason); s.Best != "F" || s.BestPoints != 1000 {
		t.Errorf("%+v", s)
	}
}

func TestTimeEndsItWithABook(t *testing.T) {
	cfg := logged(t, 0)
	cfg.Stop = Stop{Time: spec.Duration{Duration: 30 * time.Millisecond}}
	g, reason, err := cfg.by(slowPool(1))
	if err != nil || reason != atTime {
		t.Fatalf("%q, %v", reason, err)
	}
	check(t, g, cfg)
}
