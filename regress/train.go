package regress

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
)

// captures is the feature whose fit the others are compared with.
const captures = "captures"

// Ways to select features.
const (
	selectNone        = "none"
	selectBackward    = "backward"     // drops the feature of least |t|
	selectLeastWeight = "least-weight" // drops the feature of least weight, as the thesis does
)

// TrainOptions say what to fit.
type TrainOptions struct {
	Meta datasets.Meta // of the training rows: game, rules, set and features

	Config
	// Names are the features to fit, of those of the rows; nil is all. Weight is the column
	// of the rows' weights; "" counts each row once.
	Names  []string
	Weight string
	Curve  bool // fit all features to shares of the rows too; takes validation rows

	// Provenance goes into the weights; its Ridge, Condition, Selection and
	// Removed are filled in.
	Provenance features.Provenance
}

// Outcome is everything that Train finds out.
type Outcome struct {
	Summary
	Weights *features.Weights // the selected function

	trainer *trainer
}

// fullWeights is the function of all features.
func (o *Outcome) fullWeights() (*features.Weights, error) {
	return o.trainer.weights(o.Full, nil)
}

// Train fits weights to feature rows and measures them on validation rows,
// which may be none. The validation rows decide nothing. Between fits it asks ctx whether to
// continue.
func Train[P games.Position[P]](ctx context.Context, sets features.Sets[P], train, valid []datasets.Row[P], o TrainOptions) (*Outcome, error) {
	t, err := newTrainer(sets, o)
	if err != nil {
		return nil, err
	}
	pairs := newPairs(sets.Game, t.Meta, int64(len(train)))
	for _, r := range train {
		pairs.add(r.Position, r.Values)
	}
	if err := pairs.check(t.Names); err != nil {
		return nil, err
	}
	kept, overlap := disjoint(sets.Game, train, valid)
	x, err := matrix(sets.Game, train, t.Meta, t.Names, t.Weight, t.Proven)
	if err != nil {
		return nil, fmt.Errorf("%w (training rows)", err)
	}
	var v samples
	if len(kept) > 0 {
		if v, err = matrix(sets.Game, kept, t.Meta, t.Names, t.Weight, t.Proven); err != nil {
			return nil, fmt.Errorf("%w (validation rows)", err)
		}
	}
	return t.train(ctx, x, v, overlap)
}

// setOf is the set of the rows, whose features must be those of the set.
func setOf[P games.Position[P]](sets features.Sets[P], m datasets.Meta) (features.Info, error) {
	if err := sets.Game.CheckRules(m.Rules); err != nil {
		return features.Info{}, err
	}
	if m.FeatureSet == "" && m.Features != nil {
		return features.Info{}, fmt.Errorf("the rows do not tell the set of their features, %.200s: expected one of %s (train adopt --set)", strings.Join(m.Features, ", "), strings.Join(sets.Names(), ", "))
	}
	if m.FeatureSet == "" {
		return features.ColumnsOnly(m.Columns), nil
	}
	set, err := sets.ByName(m.FeatureSet)
	if err != nil {
		return features.Info{}, err
	}
	if !slices.Equal(m.Features, set.Features) {
		err = fmt.Errorf("the rows have features %q: expected %q, those of set %s", m.Features, set.Features, set.Name)
	}
	return set.Info, err
}

// trainer is a fit in progress.
type trainer struct {
	TrainOptions
	set     features.Info
	subsets []features.Info
	fitter  *fitter  // on the training rows
	valid   samples  // nil without validation rows
	aliased []string // of Names, in the fit of all
	full    ModelSummary
}

func newTrainer[P games.Position[P]](sets features.Sets[P], o TrainOptions) (*trainer, error) {
	set, err := setOf(sets, o.Meta)
	if err != nil {
		return nil, fmt.Errorf("cannot train: %w", err)
	}
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("cannot train: %w", err)
	}
	if o.Names == nil {
		o.Names = featureNames(o.Meta)
	}
	t := &trainer{TrainOptions: o, set: set}
	for _, name := range o.Subsets {
		set, err := sets.ByName(name)
		if err != nil {
			return nil, err
		}
		for _, f := range set.Names() {
			if !slices.Contains(o.Names, f) {
				return nil, fmt.Errorf("cannot fit subset %s: the rows have no feature %s", set, f)
			}
		}
		t.subsets = append(t.subsets, set.Info)
	}
	return t, nil
}

// train fits to samples and measures on others, of which overlap rows have been left out.
func (t *trainer) train(ctx context.Context, train, valid samples, overlap int) (*Outcome, error) {
	out := &Outcome{Summary: Summary{Game: t.Meta.Game, Overlap: overlap}, trainer: t}
	equal := newEqualColumns(t.Names, t.Meta.Columns)
	var err error
	if t.fitter, err = newFitter(ctx, train, len(t.Names), equal.tally, t.Names, t.Ridge); err != nil {
		return nil, err
	}
	if err := equal.check(t.fitter.columns); err != nil {
		return nil, err
	}
	t.valid = valid
	if err := t.fits(ctx, &out.Summary); err != nil {
		return nil, err
	}
	if t.Curve {
		if valid == nil {
			return nil, errNoCurve
		}
		if out.Curve, err = t.learningCurve(ctx, train, valid); err != nil {
			return nil, err
		}
	}
	out.Weights, err = t.weights(out.Selected, out.Steps)
	return out, err
}

// fits makes the fits of all features, of captures, of subsets and of the selection.
func (t *trainer) fits(ctx context.Context, out *Summary) error {
	wishes := []wish{{columns: everyColumn(len(t.Names))}}
	at := slices.Index(t.Names, captures)
	if at >= 0 {
		wishes = append(wishes, wish{columns: []int{at}})
	}
	for reading := range 1 + len(t.Proven) {
		for _, set := range t.subsets {
			wishes = append(wishes, wish{placesIn(t.Names, set.Names()), reading})
		}
	}
	all, err := t.fit(ctx, wishes...)
	if err != nil {
		return err
	}
	out.Full, out.Selected, t.full, all = all[0], all[0], all[0], all[1:]
	t.aliased = out.Full.Aliased
	if at >= 0 {
		out.Captures, all = all[0], all[1:]
	}
	out.Subsets = slices.Clone(all[:len(t.subsets)])
	for i, name := range t.Proven {
		out.Readings = append(out.Readings, ReadingSummary{name, all[(i+1)*len(t.subsets) : (i+2)*len(t.subsets)]})
	}
	if out.Beside, err = t.steps(ctx, t.Beside); err != nil {
		return err
	}
	out.BesideFeatures = selected(out.Beside)
	if out.Steps, err = t.steps(ctx, t.Select); err != nil || out.Steps == nil {
		return err
	}
	out.Selected, err = t.fitNamed(ctx, selected(out.Steps))
	return err
}

// steps are those of a selection, nil for none.
func (t *trainer) steps(ctx context.Context, selection string) ([]Step, error) {
	rule := leastT
	switch selection {
	case "", selectNone:
		return nil, nil
	case selectLeastWeight:
		rule = leastWeight
	}
	return backward(ctx, t.fitNamed, t.Names, t.Tolerance, rule)
}

// selected are the features that steps end with.
func selected(steps []Step) (names []string) {
	for _, s := range steps {
		if s.Kept {
			names = s.names
		}
	}
	return names
}

// fit fits models and measures them.
func (t *trainer) fit(ctx context.Context, wishes ...wish) ([]ModelSummary, error) {
	models, err := t.fitter.fit(ctx, wishes...)
	if err != nil {
		return nil, err
	}
	var measured []agreement.Doubled
	if t.valid != nil {
		if measured, err = evaluate(ctx, models, t.valid); err != nil {
			return nil, err
		}
	}
	all := make([]ModelSummary, len(models))
	for i, m := range models {
		all[i] = newModelSummary(t.Names, m)
		if measured != nil {
			all[i].Validation = &measured[i]
		}
	}
	return all, nil
}

// fitNamed fits the named features.
func (t *trainer) fitNamed(ctx context.Context, names []string) (ModelSummary, error) {
	if slices.Equal(names, t.Names) && t.full.model != nil {
		return t.full, nil
	}
	all, err := t.fit(ctx, wish{columns: placesIn(t.Names, names)})
	if err != nil {
		return ModelSummary{}, err
	}
	return all[0], nil
}

// weights makes the file of a function, to which steps of a selection have led.
func (t *trainer) weights(fit ModelSummary, steps []Step) (*features.Weights, error) {
	m := fit.model
	w, err := features.New(t.Meta.Game, t.Meta.Rules, t.set, fit.Features, m.Weights, t.Meta.Columns...)
	if err != nil {
		return nil, fmt.Errorf("cannot train: %w", err)
	}
	w.StdErr, w.Errors, w.Train, w.Validation = slices.Clone(fit.StdErr), fit.Errors, &fit.Train, fit.Validation
	w.Provenance = t.Provenance
	w.Provenance.Ridge, w.Provenance.Condition = features.Ridges{"": m.Ridge}, &m.Condition
	w.Provenance.Selection, w.Provenance.Removed, w.Provenance.Aliased = selectNone, nil, t.aliased
	if steps != nil {
		w.Provenance.Selection = fmt.Sprintf("%s, tolerance %g", t.Select, t.Tolerance)
	}
	for _, s := range steps {
		if s.Kept && s.Removed != "" {
			w.Provenance.Removed = append(w.Provenance.Removed, s.Removed)
		}
	}
	return w, nil
}
