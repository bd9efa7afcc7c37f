package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"kroo/internal/agreement"
	"kroo/internal/parallel"
)

// Folds divide the rows for cross-validation. All rows of a game or position belong in one fold.
type Folds struct {
	Count int     // 2 to 255
	Of    []uint8 // fold of each row, from 0
}

// Trial is a cross-validation of some ridges.
type Trial struct {
	Ridge  float64         // of columns outside all groups
	Groups []float64       // of the groups
	Loss   float64         // mean over held-out rows, points squared
	Stats  agreement.Stats // of the held-out rows
}

// Choice is the result of ChooseRidge.
type Choice struct {
	Options Options // with the ridges of the best trial
	Best    Trial
	Trials  []Trial // in order
}

// ChooseRidge chooses the ridge of every group by the loss on held-out rows. It first tries each
// candidate for all columns at once; then, group by group, it moves one ridge to the next candidate
// up or down while the loss falls. A trial makes one fit per fold, starting from the weights of the
// trial before. A stopped choice resumes after its last complete trial.
func (m *Matrix) ChooseRidge(ctx context.Context, o Options, f Folds, candidates []float64) (*Choice, error) {
	o.Resume, o.Checkpoint = nil, nil
	o = o.withDefaults()
	v, err := newValidator(m, o, f)
	if err != nil {
		return nil, err
	}
	candidates = slices.Compact(slices.Sorted(slices.Values(candidates)))
	v.key = v.trialsKey(candidates)
	if err := v.resume(o.Trials); err != nil {
		return nil, err
	}
	// A family usually takes two trials: one up and one down.
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

// ridges are the ridge of columns outside all groups, then those of the groups.
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
	start  [][]float64 // initial weights of each fold
	best   ridges
	at     int // index of the best trial
	choice Choice
	key    uint64  // of Trials
	known  []Trial // trials of an earlier call, still to be recalled

	outlook trialsOutlook
}

func newValidator(m *Matrix, o Options, f Folds) (*validator, error) {
	if k := f.empty(); k >= 0 {
		return nil, fmt.Errorf("no row is in part %d of %d: expected rows in each", k+1, f.Count)
	}
	if err := m.checkFolds(f.Count); err != nil {
		return nil, err
	}
	v := &validator{s: newSolver(m, o, f.Of, 0), count: f.Count}
	if o.Progress != nil {
		v.outlook.report, v.outlook.all = o.Progress, float64(f.Count)
		v.s.o.Progress = v.outlook.fitProgress
	}
	for range f.Count {
		v.start = append(v.start, make([]float64, m.columns.length()))
	}
	return v, nil
}

// empty returns a fold without rows, or -1 if all have rows.
func (f Folds) empty() int {
	for k := range f.Count {
		if !slices.Contains(f.Of, uint8(k)) {
			return k
		}
	}
	return -1
}

// holds reports whether a family has any columns.
func (v *validator) holds(family int) bool {
	return slices.ContainsFunc(v.s.m.columns.order, func(j int32) bool {
		return int(v.s.group[v.s.m.columns.slots[j]]) == family
	})
}

// together tries each candidate for all families.
func (v *validator) together(ctx context.Context, candidates []float64) error {
	for _, c := range slices.Backward(candidates) { // strong ridges converge fastest
		if _, err := v.try(ctx, slices.Repeat(ridges{c}, len(v.s.o.Groups)+1)); err != nil {
			return err
		}
	}
	return nil
}

// alone moves the ridge of one family while the loss falls.
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

// try cross-validates ridges and reports whether they are the best so far.
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

// Trials are the completed trials of a choice of ridges, 8 bytes per weight and fold. Pass them as
// Options.Trials to resume.
type Trials struct {
	Key   uint64 // hash of rows, options and folds
	Made  []Trial
	Start [][]float64 // weights that each fold of the next trial starts from
}

// trialsKey is a hash of everything that the bits of trials depend on.
func (v *validator) trialsKey(candidates []float64) uint64 {
	h := mix(v.s.m.key(v.s.o), uint64(v.s.o.Rounds))
	for _, c := range candidates {
		h = mix(h, math.Float64bits(c))
	}
	for _, k := range v.s.fold {
		h = mix(h, uint64(k))
	}
	return h
}

// resume restores the trials of the options, which must belong to the same choice.
func (v *validator) resume(t *Trials) error {
	if t == nil {
		return nil
	}
	fits := t.Key == v.key && len(t.Made) > 0 && len(t.Start) == len(v.start)
	for k := range v.start {
		fits = fits && len(t.Start[k]) == len(v.start[k])
	}
	if !fits {
		return errors.New("cannot resume: the saved trials are of other rows, folds or options: expected the same, or a new choice of ridges")
	}
	v.known, v.start = t.Made, t.Start
	return nil
}

// recall is try for a trial of an earlier call.
func (v *validator) recall(r ridges) (Trial, error) {
	t := v.known[0]
	v.known = v.known[1:]
	if t.Ridge != r[0] || !slices.Equal(t.Groups, r[1:]) {
		return t, fmt.Errorf("cannot resume: a saved trial is of ridges %g and %v: expected %v", t.Ridge, t.Groups, r)
	}
	return t, nil
}

// state returns what a later choice resumes from.
func (v *validator) state() *Trials {
	t := &Trials{Key: v.key, Made: slices.Clone(v.choice.Trials)}
	for _, w := range v.start {
		t.Start = append(t.Start, slices.Clone(w))
	}
	return t
}

// trialsOutlook reports the progress of a choice of ridges: steps of all fits so far, and an
// estimate of the total.
type trialsOutlook struct {
	report parallel.Progress
	steps  int64 // of finished fits
	fits   float64
	all    float64 // number of fits, estimated
}

// fitProgress is the progress function of a single fit.
func (p *trialsOutlook) fitProgress(done, total int64, note string) {
	fits := p.fits + float64(done)/float64(max(total, 1))
	p.report.Note(p.steps+done, int64(float64(p.steps+done)*max(p.all, math.Ceil(fits))/fits), note)
}

// next adds a finished fit with its number of steps.
func (p *trialsOutlook) next(steps int) {
	p.steps += int64(steps)
	p.fits++
}
