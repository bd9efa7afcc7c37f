package regress

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
)

// captures is the feature whose fit the others are compared with.
const captures = "captures"

// Ways to select features.
const (
	selectNone        = "none"
	selectBackward    = "backward"     // drops the feature of least |t|
	selectLeastWeight = "least-weight" // drops the feature of least weight, as the thesis does
)

// Selections are the ways to select features.
func Selections() []string { return []string{selectNone, selectBackward, selectLeastWeight} }

// TrainOptions say what to fit.
type TrainOptions struct {
	Meta datasets.Meta // of the training rows: game, rules, set and features

	Config
	// Names are the features to fit, of those of the rows; nil is all. Weight is the column
	// of the rows' weights; "" counts each row once.
	Names  []string
	Weight string

	// Provenance goes into the weights; its Ridge, Condition, Selection and
	// Removed are filled in.
	Provenance features.Provenance

	work *pace // hears of each fit; nil for nobody
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
// go on.
func Train[P games.Position[P]](ctx context.Context, sets features.Sets[P], train, valid []datasets.FeatureRow[P], o TrainOptions) (*Outcome, error) {
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
	if err := checkSymmetry(sets.Game, train, o.Meta, o.Names); err != nil {
		return nil, err
	}
	out := &Outcome{Summary: Summary{Game: o.Meta.Game}}
	valid, out.Overlap = disjoint(sets.Game, train, valid)
	if out.trainer, err = newTrainer(sets, set, train, valid, o); err != nil {
		return nil, err
	}
	if err := out.trainer.fits(ctx, &out.Summary); err != nil {
		return nil, err
	}
	out.Weights, err = out.trainer.weights(out.Selected, out.Steps)
	return out, err
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
	set                      features.Info
	train, valid             data   // valid is empty without validation rows
	trainProven, validProven []bool // which of their labels are proven
	subsets                  []features.Info
	aliased                  []string // of Names, in the fit of all
}

func newTrainer[P games.Position[P]](sets features.Sets[P], set features.Info, train, valid []datasets.FeatureRow[P], o TrainOptions) (t *trainer, err error) {
	t = &trainer{TrainOptions: o, set: set, trainProven: provenOf(train), validProven: provenOf(valid)}
	for _, name := range o.Subsets {
		set, err := sets.ByName(name)
		if err != nil {
			return nil, err
		}
		t.subsets = append(t.subsets, set.Info)
	}
	if t.train, err = matrix(sets.Game, train, o.Meta, o.Names, o.Weight); err != nil {
		return nil, fmt.Errorf("%w (training rows)", err)
	}
	if err := checkColumns(t.train.X, o.Names, o.Meta.Columns); err != nil {
		return nil, err
	}
	if len(valid) > 0 {
		if t.valid, err = matrix(sets.Game, valid, o.Meta, o.Names, o.Weight); err != nil {
			return nil, fmt.Errorf("%w (validation rows)", err)
		}
	}
	return t, nil
}

// fits makes the fits of all features, of captures and of the selection.
func (t *trainer) fits(ctx context.Context, out *Summary) (err error) {
	if out.Full, err = t.fit(ctx, t.Names); err != nil {
		return err
	}
	out.Selected, t.aliased = out.Full, out.Full.Aliased
	if slices.Contains(t.Names, captures) {
		if out.Captures, err = t.fit(ctx, []string{captures}); err != nil {
			return err
		}
	}
	if out.Subsets, err = t.fitSubsets(ctx); err != nil {
		return err
	}
	if err := t.fitReadings(ctx, out); err != nil {
		return err
	}
	if out.Beside, err = t.steps(ctx, t.Beside); err != nil {
		return err
	}
	out.BesideFeatures = selected(out.Beside)
	if out.Steps, err = t.steps(ctx, t.Select); err != nil || out.Steps == nil {
		return err
	}
	out.Selected, err = t.fit(ctx, selected(out.Steps))
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
	return backward(ctx, t.train, t.valid, Options{Ridge: t.Ridge, Names: t.Names, work: t.work}, t.Tolerance, rule)
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

// fitSubsets fits the features of other sets.
func (t *trainer) fitSubsets(ctx context.Context) (list []ModelSummary, err error) {
	for _, set := range t.subsets {
		for _, f := range set.Names() {
			if !slices.Contains(t.Names, f) {
				return nil, fmt.Errorf("cannot fit subset %s: the rows have no feature %s", set, f)
			}
		}
		r, err := t.fit(ctx, set.Names())
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

func (t *trainer) fit(ctx context.Context, names []string) (ModelSummary, error) {
	defer t.work.fitted()
	return fitColumns(ctx, t.train, t.valid, t.Names, names, t.Ridge)
}

// weights makes the file of a function, to which steps of a selection have led.
func (t *trainer) weights(fit ModelSummary, steps []Step) (*features.Weights, error) {
	m := fit.model
	w, err := features.WithColumns(t.Meta.Game, t.Meta.Rules, t.set, fit.Features, t.Meta.Columns, m.Weights)
	if err != nil {
		return nil, fmt.Errorf("cannot train: %w", err)
	}
	w.StdErr, w.Errors, w.Train, w.Validation = slices.Clone(fit.StdErr), fit.Errors, &fit.Train, fit.Validation
	w.Provenance = t.Provenance
	w.Provenance.Ridge, w.Provenance.Condition = m.Ridge, m.Condition
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
