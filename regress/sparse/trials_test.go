package sparse

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// choiceOf is a choice of ridges of two families, with its rows.
func choiceOf(seed uint64) (*table, Options, Folds, []float64) {
	rows := randomTable(rand.New(rand.NewPCG(seed, 1)), 900, 40, 5, 70)
	folds := rows.folds(3, func(block, row int) int { return (block + row*7/3) % 3 })
	return rows, Options{Tolerance: 1e-4, Groups: []Group{{"fine", 10, 40, 0}}}, folds, []float64{0.5, 8, 100}
}

// Stopped after any trial, a choice ends as if it had not been
// stopped, and makes no trial again.
func TestChoiceGoesOnAfterItsTrials(t *testing.T) {
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
		made := -1 // the last one recalled is reported as well
		again.TrialMade = func(func() *Trials) { made++ }
		got, err := m.ChooseRidge(background, again, folds, candidates)
		testkit.NoError(t, err)
		if !reflect.DeepEqual(got.Trials, want.Trials) || !reflect.DeepEqual(got.Best, want.Best) || made != len(want.Trials)-i-1 {
			t.Errorf("after trial %d: %d more made, best %+v: expected %d, %+v", i+1, made, got.Best, len(want.Trials)-i-1, want.Best)
		}
	}
}

func TestOtherTrialsAreRefused(t *testing.T) {
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
