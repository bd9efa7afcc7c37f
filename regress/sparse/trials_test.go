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
	folds := Folds{3, func(block, row int) int { return (block + row*7/3) % 3 }}
	return rows, Options{Tolerance: 1e-4, Groups: []Group{{"fine", 10, 40, 0}}}, folds, []float64{0.5, 8, 100}
}

// Stopped after any trial, written and read, a choice ends as if it had not been
// stopped, and makes no trial again.
func TestChoiceGoesOnAfterItsTrials(t *testing.T) {
	rows, o, folds, candidates := choiceOf(31)
	m := mustPrepare(t, rows, Layout{})
	var files [][]byte
	o.TrialMade = func(state func() *Trials) {
		data, err := state().MarshalBinary()
		testkit.NoError(t, err)
		files = append(files, data)
	}
	want, err := m.ChooseRidge(background, o, folds, candidates)
	testkit.NoError(t, err)
	if len(files) != len(want.Trials) || len(files) < 4 {
		t.Fatalf("%d states of %d trials", len(files), len(want.Trials))
	}
	for i, data := range files {
		again := o
		again.Trials = new(Trials)
		testkit.NoError(t, again.Trials.UnmarshalBinary(data))
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
	if _, err := m.ChooseRidge(background, o, Folds{3, func(_, row int) int { return row % 3 }}, candidates); err == nil || !strings.Contains(err.Error(), "cannot resume") {
		t.Errorf("other folds: error %v", err)
	}
	data, err := o.Trials.MarshalBinary()
	testkit.NoError(t, err)
	for i := 0; i < len(data); i += 1 + len(data)/97 {
		if err := new(Trials).UnmarshalBinary(data[:i]); err == nil {
			t.Errorf("%d of %d bytes are read", i, len(data))
		}
		data[i] ^= 4
		if err := new(Trials).UnmarshalBinary(data); err == nil {
			t.Errorf("a flipped bit in byte %d is not noticed", i)
		}
		data[i] ^= 4
	}
}
