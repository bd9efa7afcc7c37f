package oware

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// On games that the bot was not fitted to, its values correlate with the champion's as
// docs/tasks/your-engine.md claims.
func TestBotAgreesWithTheChampion(t *testing.T) {
	e := testkit.Must(Default("abapa"))(t)
	c := e.makeBot()
	rng := rand.New(rand.NewPCG(5, 5))
	var n, misses [maxStages]float64
	var sx, sy, sxx, syy, sxy, k float64
	for range testenv.Sample(15, 100) {
		e.botGame(rng, func(p oware.Position, value int) {
			x, y, s := float64(value), float64(c.evaluate(p))/botUnit, stageOf(c.stages, p.SeedsInPlay())
			n[s]++
			misses[s] += (x - y) * (x - y)
			sx, sy, sxx, syy, sxy, k = sx+x, sy+y, sxx+x*x, syy+y*y, sxy+x*y, k+1
		})
	}
	for s := range n {
		t.Logf("stage %d: %v positions, root of the mean square %.1f centi-seeds", s, n[s], math.Sqrt(misses[s]/n[s]))
	}
	r := (sxy/k - sx/k*sy/k) / math.Sqrt((sxx/k-sx/k*sx/k)*(syy/k-sy/k*sy/k))
	t.Logf("r %.4f", r)
	if r < 0.985 {
		t.Errorf("correlation %.4f", r)
	}
}

func TestBotFitsIntoTheArena(t *testing.T) {
	e := testkit.Must(Default("abapa"))(t)
	var one bytes.Buffer
	testkit.NoError(t, e.writeBot(&one))
	if testenv.Long() {
		var two bytes.Buffer
		if err := e.writeBot(&two); err != nil || one.String() != two.String() {
			t.Errorf("two exports differ, or error %v", err)
		}
	}
	if n := one.Len(); n >= 100_000 || strings.ContainsFunc(one.String(), func(r rune) bool { return r > '~' || r < ' ' && r != '\n' }) {
		t.Errorf("%d characters, or some that are no plain text", n)
	}
	awari := testkit.Must(Default("awari"))(t)
	testkit.Refused(t, awari.writeBot(&one), "expected weights for abapa or arena")
}
