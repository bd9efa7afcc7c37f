package sparse

import (
	"math/rand/v2"
	"testing"

	"kroo/internal/testkit"
)

// The estimate is never below what is done nor above what is allowed, and from half of
// the way on within a factor of two.
func TestProgressEstimatesTheSteps(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(41, 1)), 6000, 800, 9, 700)
	o := Options{Loss: Chances, Scale: 400, Ridge: 0.2, Tolerance: 1e-6}
	var told [][2]int64
	o.Progress = func(done, total int64, _ string) { told = append(told, [2]int64{done, total}) }
	r := mustFit(t, mustPrepare(t, rows, Layout{}), o)
	if !r.Converged || len(told) != r.Steps || r.Steps < 20 {
		t.Fatalf("%d reports of %d steps, converged %t", len(told), r.Steps, r.Converged)
	}
	for i, p := range told {
		off := float64(p[1]) / float64(r.Steps)
		if p[0] != int64(i+1) || p[1] < p[0] || p[1] > 30*100 || 2*i > r.Steps && (off < 0.5 || off > 2) {
			t.Errorf("step %d of %d: told %v", i+1, r.Steps, p)
		}
	}
}

func TestProgressOfAChoiceCountsAllFits(t *testing.T) {
	rows, o, folds, candidates := choiceOf(42)
	m := mustPrepare(t, rows, Layout{})
	last, lines := [2]int64{}, 0
	o.Progress = func(done, total int64, _ string) {
		if done <= last[0] || total < done {
			t.Errorf("told %d of %d after %v", done, total, last)
		}
		last, lines = [2]int64{done, total}, lines+1
	}
	c, err := m.ChooseRidge(background, o, folds, candidates)
	testkit.NoError(t, err)
	if fits := len(c.Trials) * folds.Count; lines < fits || last[0] < int64(fits) {
		t.Errorf("%d reports, the last %v, of %d fits", lines, last, fits)
	}
}
