package sparse

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/internal/agreement"
)

// Folds divide the rows for cross-validation. Rows of one game or of one
// position belong into one fold.
type Folds struct {
	Count int                      // 2 to 255
	Of    func(block, row int) int // fold of a row of a block, from 0; the same at every call
}

// Trial is what cross-validation says of some ridges.
type Trial struct {
	Ridge  float64         // of columns in no group
	Groups []float64       // of the groups
	Loss   float64         // mean over rows that were not fitted to, points squared
	Stats  agreement.Stats // of the same rows
}

// Choice is the result of ChooseRidge.
type Choice struct {
	Options Options // with the ridges of the best trial
	Best    Trial
	Trials  []Trial // in the order made
}

// ChooseRidge chooses the ridge of every group by the loss on rows held out.
// It first tries each candidate for all columns at once; then, group by group,
// it moves one ridge to the next candidate up or down for as long as the loss
// falls. Each trial is as many fits as there are folds, which start from the
// weights of the trial before. After a stop it continues behind the last whole trial.
func (m *Matrix) ChooseRidge(ctx context.Context, o Options, f Folds, candidates []float64) (*Choice, error) {
	o.Resume, o.Checkpoint = nil, nil
	o, err := o.withDefaults(len(m.counts))
	if err != nil {
		return nil, err
	}
	v, err := newValidator(m, o, f)
	if err != nil {
		return nil, err
	}
	candidates = slices.Compact(slices.Sorted(slices.Values(candidates)))
	if len(candidates) == 0 || !goodRidge(candidates[0]) || !goodRidge(candidates[len(candidates)-1]) {
		return nil, fmt.Errorf("cannot choose among ridges %v: expected some, of 0 to %g", candidates, largest)
	}
	v.key = v.trialsKey(candidates)
	if err := v.resume(o.Trials); err != nil {
		return nil, err
	}
	// A family alone takes two trials as a rule: one up and one down.
	v.outlook.all = float64(v.count * (len(candidates) + 2*len(o.Groups) - len(v.known)))
	if err := v.together(ctx, candidates); err != nil {
		return nil, err
	}
	for family := range len(o.Groups) + 1 {
		if len(o.Groups) == 0 || !v.holds(family) {
			continue
		}
		if err := v.alone(ctx, candidates, family); err != nil {
			return nil, err
		}
	}
	v.choice.Options = v.best.options(o)
	v.choice.Best = v.choice.Trials[v.at]
	return &v.choice, nil
}

// ridges are those of the columns in no group, and then of the groups.
type ridges []float64

func (r ridges) options(o Options) Options {
	o.Ridge, o.Groups = r[0], slices.Clone(o.Groups)
	for i := range o.Groups {
		o.Groups[i].Ridge = r[i+1]
	}
	return o
}

// validator makes trials.
type validator struct {
	s      *solver
	count  int
	start  [][]float64 // of each fold
	best   ridges
	at     int // trial of the best
	choice Choice
	key    uint64  // of Trials
	known  []Trial // made before, and still to be recalled

	outlook trialsOutlook
}

func newValidator(m *Matrix, o Options, f Folds) (*validator, error) {
	if o.Prior != nil {
		return nil, errPriorElsewhere
	}
	fold, err := m.folds(f)
	if err != nil {
		return nil, err
	}
	if err := m.checkFolds(f.Count); err != nil {
		return nil, err
	}
	v := &validator{s: newSolver(m, o, fold, 0), count: f.Count}
	if o.Progress != nil {
		v.outlook.report, v.outlook.all = o.Progress, float64(f.Count)
		v.s.o.Progress = v.outlook.tell
	}
	for range f.Count {
		w := make([]float64, m.columns.length())
		m.start(o.Start, w)
		v.start = append(v.start, w)
	}
	return v, nil
}

// folds asks for the fold of every row.
func (m *Matrix) folds(f Folds) ([]uint8, error) {
	if f.Count < 2 || f.Count > math.MaxUint8 {
		return nil, fmt.Errorf("%d folds: expected 2 to %d", f.Count, math.MaxUint8)
	}
	fold, seen := make([]uint8, len(m.label)), make([]int, f.Count)
	for b := range len(m.first) - 1 {
		for i := m.first[b]; i < m.first[b+1]; i++ {
			k := f.Of(b, i-m.first[b])
			if k < 0 || k >= f.Count {
				return nil, fmt.Errorf("block %d: row %d is in fold %d: expected 0 to %d", b, i-m.first[b], k, f.Count-1)
			}
			fold[i] = uint8(k)
			seen[k]++
		}
	}
	if k := slices.Index(seen, 0); k >= 0 {
		return nil, fmt.Errorf("no row is in fold %d of %d: expected rows in each", k, f.Count)
	}
	return fold, nil
}

// holds says whether any column is in a family.
func (v *validator) holds(family int) bool {
	return slices.ContainsFunc(v.s.m.columns.order, func(j int32) bool {
		return int(v.s.group[v.s.m.columns.slots[j]]) == family
	})
}

// together tries each candidate for all families.
func (v *validator) together(ctx context.Context, candidates []float64) error {
	for _, c := range slices.Backward(candidates) { // strong ridges are solved soonest
		if _, err := v.try(ctx, slices.Repeat(ridges{c}, len(v.s.o.Groups)+1)); err != nil {
			return err
		}
	}
	return nil
}

// alone moves the ridge of one family while that helps.
func (v *validator) alone(ctx context.Context, candidates []float64, family int) error {
	for _, direction := range []int{1, -1} {
		moved := false
		for {
			i := slices.Index(candidates, v.best[family]) + direction
			if i < 0 || i >= len(candidates) {
				break
			}
			r := slices.Clone(v.best)
			r[family] = candidates[i]
			better, err := v.try(ctx, r)
			if err != nil {
				return err
			}
			if !better {
				break
			}
			moved = true
		}
		if moved {
			return nil
		}
	}
	return nil
}

// try cross-validates ridges and says whether they are the best so far.
func (v *validator) try(ctx context.Context, r ridges) (better bool, err error) {
	var t Trial
	if len(v.known) > 0 {
		t, err = v.recall(r)
	} else {
		t, err = v.fit(ctx, r)
	}
	if err != nil {
		return false, err
	}
	v.choice.Trials = append(v.choice.Trials, t)
	if n := len(v.choice.Trials); n == 1 || t.Loss < v.choice.Trials[v.at].Loss {
		v.best, v.at, better = r, n-1, true
	}
	if v.s.o.TrialMade != nil && len(v.known) == 0 {
		v.s.o.TrialMade(v.state)
	}
	return better, nil
}

// fit makes the fits of a trial.
func (v *validator) fit(ctx context.Context, r ridges) (Trial, error) {
	o := r.options(v.s.o)
	var all moments
	for k := range v.count {
		v.s.reset(o, uint8(k), v.start[k])
		if _, err := v.s.run(ctx); err != nil {
			return Trial{}, fmt.Errorf("choosing ridges, fold %d of %d: %w", k, v.count, err)
		}
		v.outlook.next(v.s.steps)
		copy(v.start[k], v.s.w)
		all.Merge(v.s.test.Sums)
		all.loss += v.s.test.loss
	}
	t := Trial{Ridge: r[0], Groups: r[1:], Stats: all.Stats()}
	if n := all.Weight(); n > 0 {
		t.Loss = all.loss / n
	}
	return t, nil
}
