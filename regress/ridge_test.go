package regress

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"kroo/internal/testkit"
)

// inFolds divides n rows into folds by number.
func inFolds(n, count int, of func(row int) int) folds {
	f := folds{count: count}
	for i := range n {
		f.of = append(f.of, uint8(of(i)))
	}
	return f
}

// heldOut is a simple implementation of cross-validation: it fits the rows of all folds but one and
// measures the others.
func heldOut(t *testing.T, rows *table, f folds, ridge []float64) (mse float64) {
	t.Helper()
	total, weights := 0.0, 0.0
	for k := range f.count {
		part := *rows
		part.weights = slices.Clone(rows.weights)
		for i := range part.weights {
			if f.of[i] == uint8(k) {
				part.weights[i] = 0
			}
		}
		w := normalEquations(t, &part, ridge)
		for i := range rows.rows {
			if f.of[i] == uint8(k) {
				e := rows.rows[i].product(w) - float64(rows.labels[i])
				total += float64(rows.weights[i]) * e * e
				weights += float64(rows.weights[i])
			}
		}
	}
	return total / weights
}

func TestCrossValidationAgreesWithSimpleOne(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(21, 1)), 600, 30, 4)
	for i := range rows.labels {
		rows.labels[i] /= 4 // so that no prediction is clamped
	}
	f := inFolds(600, 3, func(row int) int { return row * 7 / 3 % 3 })
	trials, best, err := mustPrepare(t, rows.sparse(), 0).chooseRidges(t.Context(), solverOptions{tolerance: 1e-8, families: familiesAt(10, 30)}, f, []float64{0.5, 8, 100})
	testkit.NoError(t, err)
	if len(trials) < 4 {
		t.Errorf("%d trials", len(trials))
	}
	for _, trial := range trials {
		ridge := slices.Concat(slices.Repeat(trial.Ridges[:1], 10), slices.Repeat(trial.Ridges[1:], 20))
		mse := heldOut(t, rows, f, ridge)
		agree(t, "held-out loss", []float64{trial.Loss, trial.Stats.RMSE}, []float64{mse / 2, math.Sqrt(mse)}, 1e-6)
		if trial.Loss < best.Loss {
			t.Errorf("%+v is better than the best, %+v", trial, best)
		}
	}
}

// A family of pure noise gets a strong ridge; one that explains everything, a weak one.
func TestRidgesAreChosenByFamily(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	rows := &table{width: 420}
	truth := make([]float64, 20)
	for j := range truth {
		truth[j] = 100 * rng.NormFloat64()
	}
	for range 2000 {
		j := rng.IntN(20)
		rows.add(truth[j]+50*rng.NormFloat64(), 1, []uint32{uint32(j), uint32(20 + rng.IntN(400))})
	}
	f := inFolds(2000, 5, func(row int) int { return row % 5 })
	_, best, err := mustPrepare(t, rows.sparse(), 0).chooseRidges(t.Context(), solverOptions{families: familiesAt(20, 420)}, f, []float64{1, 10, 100, 1000})
	testkit.NoError(t, err)
	if best.Ridges[0] != 1 || best.Ridges[1] < 100 {
		t.Errorf("best %+v", best)
	}
}

func TestAChoiceWithAnEmptyFoldOrStopped(t *testing.T) {
	m := mustPrepare(t, randomTable(rand.New(rand.NewPCG(23, 1)), 50, 4, 2).sparse(), 0)
	two := func(row int) int { return row % 2 }
	_, _, err := m.chooseRidges(t.Context(), solverOptions{}, inFolds(50, 3, two), []float64{1})
	testkit.Refused(t, err, "no row is in part 3 of 3")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := m.chooseRidges(ctx, solverOptions{}, inFolds(50, 2, two), []float64{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// choiceOf returns rows, options, folds and candidates for choosing the ridges of two families.
func choiceOf(t *testing.T, seed uint64) (*matrix, solverOptions, folds, []float64) {
	m := mustPrepare(t, randomTable(rand.New(rand.NewPCG(seed, 1)), 900, 40, 5).sparse(), 0)
	return m, solverOptions{tolerance: 1e-4, families: familiesAt(10, 40)}, inFolds(900, 3, func(row int) int { return row * 7 / 3 % 3 }), []float64{0.5, 8, 100}
}

// A choice that is stopped after any trial resumes without repeating a trial and gives the same
// result. Trials of another choice are rejected.
func TestAStoppedChoiceRepeatsNoTrial(t *testing.T) {
	m, o, f, candidates := choiceOf(t, 31)
	var states []checkpoint
	o.save = func(state func() checkpoint) { states = append(states, state()) }
	want, best, err := m.chooseRidges(t.Context(), o, f, candidates)
	testkit.NoError(t, err)
	if len(states) != len(want) || len(states) < 4 {
		t.Fatalf("%d states of %d trials", len(states), len(want))
	}
	for i, state := range states {
		again, made := o, 0
		again.saved = state
		again.save = func(func() checkpoint) { made++ }
		got, gotBest, err := m.chooseRidges(t.Context(), again, f, candidates)
		testkit.NoError(t, err)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gotBest, best) || made != len(want)-i-1 {
			t.Errorf("after trial %d: %d more made, best %+v: expected %d, %+v", i+1, made, gotBest, len(want)-i-1, best)
		}
	}
	o.saved = states[len(states)-1]
	for name, choose := range map[string]func() error{
		"another tolerance": func() error {
			other := o
			other.tolerance = 1e-3
			_, _, err := m.chooseRidges(t.Context(), other, f, candidates)
			return err
		},
		"other candidates": func() error { _, _, err := m.chooseRidges(t.Context(), o, f, candidates[:2]); return err },
		"other folds": func() error {
			_, _, err := m.chooseRidges(t.Context(), o, inFolds(900, 3, func(row int) int { return row % 3 }), candidates)
			return err
		},
	} {
		if err := choose(); !errors.Is(err, errCannotResume) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestProgressOfAChoiceCountsAllFits(t *testing.T) {
	m, o, f, candidates := choiceOf(t, 42)
	last, lines := [2]int64{}, 0
	o.progress = func(done, total int64, _ string) {
		if done <= last[0] || total < done {
			t.Errorf("reported %d of %d after %v", done, total, last)
		}
		last, lines = [2]int64{done, total}, lines+1
	}
	trials, _, err := m.chooseRidges(t.Context(), o, f, candidates)
	testkit.NoError(t, err)
	if fits := len(trials) * f.count; lines < fits || last[0] < int64(fits) {
		t.Errorf("%d reports, the last %v, of %d fits", lines, last, fits)
	}
}
