package regress

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/internal/agreement"
	"kroo/internal/parallel"
)

// folds divide the rows for cross-validation. All rows of a game or position belong in one fold.
type folds struct {
	count int     // 2 to 255
	of    []uint8 // fold of each row, from 0
}

// ridgeTrial is a cross-validation of some ridges.
type ridgeTrial struct {
	Ridges []float64       // of the families
	Loss   float64         // mean over held-out rows, points squared
	Stats  agreement.Stats // of the held-out rows
}

// ridgeTrials are the completed trials of a choice of ridges, 8 bytes per weight and fold.
type ridgeTrials struct {
	Key   uint64 // hash of rows, options and folds
	Made  []ridgeTrial
	Start [][]float64 // weights that each fold of the next trial starts from; nil after the last
}

// chooseRidges chooses the ridge of every family by the loss on held-out rows, and returns all
// trials and the best one. It first tries each candidate for all columns at once; then, family by
// family, it moves one ridge to the next candidate up or down while the loss falls. A trial makes
// one fit per fold, starting from the weights of the trial before. A stopped choice resumes after
// its last complete trial.
func (m *matrix) chooseRidges(ctx context.Context, o solverOptions, f folds, candidates []float64) (trials []ridgeTrial, best ridgeTrial, err error) {
	o = o.withDefaults()
	v, err := newValidator(m, o, f)
	if err != nil {
		return nil, best, err
	}
	candidates = slices.Compact(slices.Sorted(slices.Values(candidates)))
	v.key = v.trialsKey(candidates)
	if err := v.resume(o.saved.Trials); err != nil {
		return nil, best, err
	}
	// A family usually takes two trials: one up and one down.
	v.estimate.all = float64(f.count * (len(candidates) + 2*len(o.families) - len(v.known)))
	if err := v.tryAll(ctx, candidates); err != nil {
		return nil, best, err
	}
	for i, f := range o.families {
		if !slices.ContainsFunc(m.columns.order, func(j int32) bool { return f.From <= int(j) && int(j) < f.To }) {
			continue
		}
		if err := v.tryFamily(ctx, candidates, i); err != nil {
			return nil, best, err
		}
	}
	return v.trials, *v.best, nil
}

// validator makes trials.
type validator struct {
	s      *solver
	save   func(func() checkpoint) // may be nil
	start  [][]float64             // initial weights of each fold
	best   *ridgeTrial
	trials []ridgeTrial // in order
	key    uint64       // of ridgeTrials
	known  []ridgeTrial // trials of an earlier call, still to be recalled

	estimate trialsProgress
}

func newValidator(m *matrix, o solverOptions, f folds) (*validator, error) {
	for k := range f.count {
		if !slices.Contains(f.of, uint8(k)) {
			return nil, fmt.Errorf("no row is in part %d of %d: expected rows in each", k+1, f.count)
		}
	}
	if err := m.checkFolds(f.count); err != nil {
		return nil, err
	}
	save := o.save
	o.save = nil // the fits of a trial are not resumed
	v := &validator{s: newSolver(m, o, f, 0), save: save}
	if o.progress != nil {
		v.estimate.report, v.estimate.all = o.progress, float64(f.count)
		v.s.o.progress = v.estimate.fitProgress
	}
	for range f.count {
		v.start = append(v.start, make([]float64, m.columns.length()))
	}
	return v, nil
}

// tryAll tries each candidate for all families.
func (v *validator) tryAll(ctx context.Context, candidates []float64) error {
	for _, c := range slices.Backward(candidates) { // strong ridges converge fastest
		if _, err := v.try(ctx, slices.Repeat([]float64{c}, max(1, len(v.s.o.families)))); err != nil {
			return err
		}
	}
	return nil
}

// tryFamily moves the ridge of one family while the loss falls.
func (v *validator) tryFamily(ctx context.Context, candidates []float64, family int) error {
	for _, direction := range []int{1, -1} {
		moved := false
		for {
			i := slices.Index(candidates, v.best.Ridges[family]) + direction
			if i < 0 || i >= len(candidates) {
				break
			}
			r := slices.Clone(v.best.Ridges)
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

// try cross-validates ridges and reports whether they are the best so far.
func (v *validator) try(ctx context.Context, r []float64) (better bool, err error) {
	var t ridgeTrial
	recalled := len(v.known) > 0
	if recalled {
		t, v.known = v.known[0], v.known[1:]
		if !slices.Equal(t.Ridges, r) {
			return false, fmt.Errorf("%w: a saved trial is of ridges %v: expected %v", errCannotResume, t.Ridges, r)
		}
	} else if t, err = v.fit(ctx, r); err != nil {
		return false, err
	}
	v.trials = append(v.trials, t)
	if better = v.best == nil || t.Loss < v.best.Loss; better {
		v.best = &t
	}
	if v.save != nil && !recalled {
		v.save(v.state)
	}
	return better, nil
}

// fit makes the fits of a trial.
func (v *validator) fit(ctx context.Context, r []float64) (ridgeTrial, error) {
	o := v.s.o
	o.ridges = r
	var all lossSums
	for k := range v.start {
		v.s.reset(o, uint8(k), v.start[k])
		if _, err := v.s.run(ctx); err != nil {
			return ridgeTrial{}, fmt.Errorf("choosing ridges, fold %d of %d: %w", k, len(v.start), err)
		}
		v.estimate.next(v.s.steps)
		copy(v.start[k], v.s.w)
		all.merge(v.s.test)
	}
	t := ridgeTrial{Ridges: r, Stats: all.Stats()}
	if n := all.Weight(); n > 0 {
		t.Loss = all.loss / n
	}
	return t, nil
}

// trialsKey is a hash of everything that the bits of trials depend on.
func (v *validator) trialsKey(candidates []float64) uint64 {
	h := mix(v.s.m.key(v.s.o), uint64(v.s.o.rounds))
	for _, c := range candidates {
		h = mix(h, math.Float64bits(c))
	}
	for _, k := range v.s.folds.of {
		h = mix(h, uint64(k))
	}
	return h
}

// resume restores saved trials, which must belong to the same choice.
func (v *validator) resume(t *ridgeTrials) error {
	if t == nil {
		return nil
	}
	fits := t.Key == v.key && len(t.Made) > 0 && (t.Start == nil || len(t.Start) == len(v.start))
	for k := range t.Start {
		fits = fits && len(t.Start[k]) == len(v.start[0])
	}
	if !fits {
		return fmt.Errorf("%w: the saved trials are of other rows, folds or options: expected the same, or a new choice of ridges", errCannotResume)
	}
	if v.known = t.Made; t.Start != nil {
		v.start = t.Start
	}
	return nil
}

// state returns what a later choice resumes from.
func (v *validator) state() checkpoint {
	t := &ridgeTrials{Key: v.key, Made: slices.Clone(v.trials)}
	for _, w := range v.start {
		t.Start = append(t.Start, slices.Clone(w))
	}
	return checkpoint{Trials: t}
}

// trialsProgress reports the progress of a choice of ridges: steps of all fits so far, and an
// estimate of the total.
type trialsProgress struct {
	report parallel.Progress
	steps  int64 // of finished fits
	fits   float64
	all    float64 // number of fits, estimated
}

// fitProgress is the progress function of a single fit.
func (p *trialsProgress) fitProgress(done, total int64, note string) {
	fits := p.fits + float64(done)/float64(max(total, 1))
	p.report.Note(p.steps+done, int64(float64(p.steps+done)*max(p.all, math.Ceil(fits))/fits), note)
}

// next adds a finished fit with its number of steps.
func (p *trialsProgress) next(steps int) {
	p.steps += int64(steps)
	p.fits++
}
