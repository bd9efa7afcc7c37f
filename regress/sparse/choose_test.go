package sparse

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// heldOut is a simple implementation of cross-validation: it fits the rows of all folds but one and
// measures the others.
func heldOut(t *testing.T, rows *table, folds Folds, ridge []float64) (mse float64) {
	t.Helper()
	total, weights := 0.0, 0.0
	for k := range folds.Count {
		row := 0
		part := &table{columns: rows.columns, blocks: make([]Block, len(rows.blocks))}
		for i := range rows.blocks {
			part.blocks[i] = rows.blocks[i]
			part.blocks[i].weight = slices.Clone(rows.blocks[i].weight)
			for r := range part.blocks[i].weight {
				if folds.Of[row] == uint8(k) {
					part.blocks[i].weight[r] = 0
				}
				row++
			}
		}
		w := normalEquations(t, part, ridge)
		row = 0
		for i := range rows.blocks {
			for r := range rows.blocks[i].rows() {
				if b := &rows.blocks[i]; folds.Of[row] == uint8(k) {
					e := b.predict(r, w) - b.label[r]
					total += float64(b.weight[r]) * e * e
					weights += float64(b.weight[r])
				}
				row++
			}
		}
	}
	return total / weights
}

func TestCrossValidationAgreesWithSimpleOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	rows := randomTable(rng, 600, 30, 4, 70)
	folds := rows.folds(3, func(block, row int) int { return (block + row*7/3) % 3 })
	o := Options{Tolerance: 1e-8, Groups: []Group{{"fine", 10, 30, 0}}}
	candidates := []float64{0.5, 8, 100}
	c, err := mustPrepare(t, rows, Layout{}).ChooseRidge(background, o, folds, candidates)
	testkit.NoError(t, err)
	if len(c.Trials) < 4 {
		t.Errorf("%d trials", len(c.Trials))
	}
	for _, trial := range c.Trials {
		ridge := make([]float64, 30)
		for j := range ridge {
			if ridge[j] = trial.Ridge; j >= 10 {
				ridge[j] = trial.Groups[0]
			}
		}
		mse := heldOut(t, rows, folds, ridge)
		agree(t, "held-out loss", []float64{trial.Loss, trial.Stats.RMSE}, []float64{mse / 2, math.Sqrt(mse)}, 1e-6)
		if trial.Loss < c.Best.Loss {
			t.Errorf("%+v is better than the best, %+v", trial, c.Best)
		}
	}
	if c.Options.Ridge != c.Best.Ridge || c.Options.Groups[0].Ridge != c.Best.Groups[0] {
		t.Errorf("options %+v of trial %+v", c.Options, c.Best)
	}
}

// A family of pure noise gets a strong ridge; one that explains everything, a weak one.
func TestChooseRidgeByFamily(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	var b Block
	truth := make([]float64, 20)
	for j := range truth {
		truth[j] = 100 * rng.NormFloat64()
	}
	for range 2000 {
		j := rng.IntN(20)
		b.One(uint32(j), uint32(20+rng.IntN(400)))
		b.EndRow(truth[j]+50*rng.NormFloat64(), 1)
	}
	rows := &table{columns: 420, blocks: []Block{b}}
	o := Options{Groups: []Group{{Name: "signal", To: 20}, {Name: "noise", From: 20, To: 420}}}
	folds := rows.folds(5, func(_, row int) int { return row % 5 })
	c, err := mustPrepare(t, rows, Layout{}).ChooseRidge(background, o, folds, []float64{1, 10, 100, 1000})
	testkit.NoError(t, err)
	if c.Best.Groups[0] != 1 || c.Best.Groups[1] < 100 {
		t.Errorf("best %+v", c.Best)
	}
}

func TestAChoiceWithAnEmptyFoldOrStopped(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(23, 1)), 50, 4, 2, 50)
	m := mustPrepare(t, rows, Layout{})
	two := func(_, row int) int { return row % 2 }
	_, err := m.ChooseRidge(background, Options{}, rows.folds(3, two), []float64{1})
	testkit.Refused(t, err, "no row is in part 3 of 3")
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := m.ChooseRidge(ctx, Options{}, rows.folds(2, two), []float64{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestEvaluateClamps(t *testing.T) {
	var b Block
	b.One(0)
	b.EndRow(1000, 1)
	b.Value(0, -2)
	b.EndRow(-900, 1)
	rows := &table{columns: 1, blocks: []Block{b}}
	s, err := Evaluate(background, rows, []float64{1200}, 1000, 1)
	if err != nil || s.MAE != 50 {
		t.Errorf("clamped %+v, %v: want an MAE of 50", s, err)
	}
	if s, err = Evaluate(background, rows, []float64{1200}, 0, 1); err != nil || s.MAE != 850 {
		t.Errorf("unclamped %+v, %v: want an MAE of 850", s, err)
	}
}

// choiceOf returns rows, options, folds and candidates for choosing the ridges of two families.
func choiceOf(seed uint64) (*table, Options, Folds, []float64) {
	rows := randomTable(rand.New(rand.NewPCG(seed, 1)), 900, 40, 5, 70)
	folds := rows.folds(3, func(block, row int) int { return (block + row*7/3) % 3 })
	return rows, Options{Tolerance: 1e-4, Groups: []Group{{"fine", 10, 40, 0}}}, folds, []float64{0.5, 8, 100}
}

// A choice that is stopped after any trial resumes without repeating a trial and gives the same
// result.
func TestAStoppedChoiceRepeatsNoTrial(t *testing.T) {
	rows, o, folds, candidates := choiceOf(31)
	m := mustPrepare(t, rows, Layout{})
	var states []*Trials
	o.TrialMade = func(state func() *Trials) { states = append(states, state()) }
	want, err := m.ChooseRidge(background, o, folds, candidates)
	testkit.NoError(t, err)
	if len(states) != len(want.Trials) || len(states) < 4 {
		t.Fatalf("%d states of %d trials", len(states), len(want.Trials))
	}
	for i, state := range states {
		again := o
		again.Trials = state
		made := -1 // the last recalled trial is reported as well
		again.TrialMade = func(func() *Trials) { made++ }
		got, err := m.ChooseRidge(background, again, folds, candidates)
		testkit.NoError(t, err)
		if !reflect.DeepEqual(got.Trials, want.Trials) || !reflect.DeepEqual(got.Best, want.Best) || made != len(want.Trials)-i-1 {
			t.Errorf("after trial %d: %d more made, best %+v: expected %d, %+v", i+1, made, got.Best, len(want.Trials)-i-1, want.Best)
		}
	}
}

func TestTrialsOfAnotherChoiceAreRejected(t *testing.T) {
	rows, o, folds, candidates := choiceOf(32)
	m := mustPrepare(t, rows, Layout{})
	o.TrialMade = func(state func() *Trials) { o.Trials = state() }
	if _, err := m.ChooseRidge(background, o, folds, candidates); err != nil {
		t.Fatal(err)
	}
	other := o
	other.Tolerance = 1e-3
	if _, err := m.ChooseRidge(background, other, folds, candidates); err == nil || !strings.Contains(err.Error(), "cannot resume") {
		t.Errorf("another tolerance: error %v", err)
	}
	if _, err := m.ChooseRidge(background, o, folds, candidates[:2]); err == nil || !strings.Contains(err.Error(), "cannot resume") {
		t.Errorf("other candidates: error %v", err)
	}
	if _, err := m.ChooseRidge(background, o, rows.folds(3, func(_, row int) int { return row % 3 }), candidates); err == nil || !strings.Contains(err.Error(), "cannot resume") {
		t.Errorf("other folds: error %v", err)
	}
}

// The estimate is never below the steps done or above the limit, and from halfway on it is within a
// factor of two.
func TestProgressEstimatesTheSteps(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(41, 1)), 6000, 800, 9, 700)
	o := Options{Loss: Chances, Scale: 400, Ridge: 0.2, Tolerance: 1e-6}
	var reports [][2]int64
	o.Progress = func(done, total int64, _ string) { reports = append(reports, [2]int64{done, total}) }
	r := mustFit(t, mustPrepare(t, rows, Layout{}), o)
	if !r.Converged || len(reports) != r.Steps || r.Steps < 20 {
		t.Fatalf("%d reports of %d steps, converged %t", len(reports), r.Steps, r.Converged)
	}
	for i, p := range reports {
		off := float64(p[1]) / float64(r.Steps)
		if p[0] != int64(i+1) || p[1] < p[0] || p[1] > 30*100 || 2*i > r.Steps && (off < 0.5 || off > 2) {
			t.Errorf("step %d of %d: reported %v", i+1, r.Steps, p)
		}
	}
}

func TestProgressOfAChoiceCountsAllFits(t *testing.T) {
	rows, o, folds, candidates := choiceOf(42)
	m := mustPrepare(t, rows, Layout{})
	last, lines := [2]int64{}, 0
	o.Progress = func(done, total int64, _ string) {
		if done <= last[0] || total < done {
			t.Errorf("reported %d of %d after %v", done, total, last)
		}
		last, lines = [2]int64{done, total}, lines+1
	}
	c, err := m.ChooseRidge(background, o, folds, candidates)
	testkit.NoError(t, err)
	if fits := len(c.Trials) * folds.Count; lines < fits || last[0] < int64(fits) {
		t.Errorf("%d reports, the last %v, of %d fits", lines, last, fits)
	}
}
