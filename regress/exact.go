package regress

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
)

// captures is the feature whose fit serves as the baseline.
const captures = "captures"

// Methods of feature selection.
const (
	selectNone        = "none"
	selectBackward    = "backward"     // drops the feature of least |t|
	selectLeastWeight = "least-weight" // drops the feature of least weight, as in the thesis
)

// setOf returns the feature set of the rows, or an error if their features are not those of the
// set.
func setOf[P games.Position[P]](sets features.Sets[P], m datasets.Meta) (features.Info, error) {
	if err := sets.Game.CheckRules(m.Rules); err != nil {
		return features.Info{}, err
	}
	if m.FeatureSet == "" && m.Features != nil {
		return features.Info{}, fmt.Errorf("the rows do not name the set of their features, %.200s: expected one of %s (train adopt --set)", strings.Join(m.Features, ", "), strings.Join(sets.Names(), ", "))
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

// trainer is a fit of features in progress.
type trainer struct {
	Request
	meta       datasets.Meta // of the training rows: game, rules, set and features
	names      []string      // of the features to fit
	provenance features.Provenance
	set        features.Info
	subsets    []features.Info
	fitter     *fitter  // on the training rows
	valid      samples  // nil without validation rows
	aliased    []string // features without a weight in the full fit
	full       ModelSummary
}

func newTrainer[P games.Position[P]](sets features.Sets[P], meta datasets.Meta, req Request) (*trainer, error) {
	set, err := setOf(sets, meta)
	if err != nil {
		return nil, fmt.Errorf("cannot train: %w", err)
	}
	if err := req.Exact.Check(); err != nil {
		return nil, fmt.Errorf("cannot train: %w", err)
	}
	t := &trainer{Request: req, meta: meta, names: req.Columns, set: set}
	if t.names == nil {
		t.names = featureNames(meta)
	}
	for _, name := range req.Exact.Subsets {
		set, err := sets.ByName(name)
		if err != nil {
			return nil, err
		}
		for _, f := range set.Names() {
			if !slices.Contains(t.names, f) {
				return nil, fmt.Errorf("cannot fit subset %s: the rows have no feature %s", set, f)
			}
		}
		t.subsets = append(t.subsets, set.Info)
	}
	return t, nil
}

// train fits to train and measures on valid, which may be nil and does not affect the fit.
func (t *trainer) train(ctx context.Context, train, valid samples) (out Summary, err error) {
	if t.fitter, err = newFitter(ctx, train, t.names, t.Exact.Ridge); err != nil {
		return out, err
	}
	t.valid = valid
	if out, err = t.fits(ctx); err != nil || !t.Curve {
		return out, err
	}
	if out.Full.Validation == nil {
		return out, errNoValidation
	}
	out.Curve, err = t.learningCurve(ctx, train)
	return out, err
}

// fits makes the fits of all features, of captures, of subsets and of the selection.
func (t *trainer) fits(ctx context.Context) (out Summary, err error) {
	out.Game = t.meta.Game
	targets := []target{{columns: allColumns(len(t.names))}}
	at := slices.Index(t.names, captures)
	if at >= 0 {
		targets = append(targets, target{columns: []int{at}})
	}
	for reading := range 1 + len(t.Exact.Proven) {
		for _, set := range t.subsets {
			targets = append(targets, target{indicesOf(t.names, set.Names()), reading})
		}
	}
	all, err := t.fit(ctx, targets...)
	if err != nil {
		return out, err
	}
	out.Full, out.Selected, t.full, all = all[0], all[0], all[0], all[1:]
	t.aliased = out.Full.Aliased
	if at >= 0 {
		out.Captures, all = all[0], all[1:]
	}
	out.Subsets = slices.Clone(all[:len(t.subsets)])
	for i, name := range t.Exact.Proven {
		out.Readings = append(out.Readings, ReadingSummary{name, all[(i+1)*len(t.subsets) : (i+2)*len(t.subsets)]})
	}
	if out.SecondSteps, err = t.steps(ctx, t.Exact.Second); err != nil {
		return out, err
	}
	out.SecondFeatures = selected(out.SecondSteps)
	if out.Steps, err = t.steps(ctx, t.Exact.Select); err != nil || out.Steps == nil {
		return out, err
	}
	out.Selected, err = t.fitNamed(ctx, selected(out.Steps))
	return out, err
}

// steps runs a selection; nil without one.
func (t *trainer) steps(ctx context.Context, selection string) ([]Step, error) {
	rule := leastT
	switch selection {
	case "", selectNone:
		return nil, nil
	case selectLeastWeight:
		rule = leastWeight
	}
	return backward(ctx, t.fitNamed, t.names, t.Exact.Tolerance, rule)
}

// selected returns the features that remain after the steps.
func selected(steps []Step) (names []string) {
	for _, s := range steps {
		if s.Kept {
			names = s.names
		}
	}
	return names
}

// fit fits models and measures them.
func (t *trainer) fit(ctx context.Context, targets ...target) ([]ModelSummary, error) {
	models, err := t.fitter.fit(ctx, targets...)
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
		all[i] = newModelSummary(t.names, m)
		if measured != nil {
			all[i].Validation = &measured[i]
		}
	}
	return all, nil
}

// fitNamed fits the named features.
func (t *trainer) fitNamed(ctx context.Context, names []string) (ModelSummary, error) {
	if slices.Equal(names, t.names) && t.full.model != nil {
		return t.full, nil
	}
	all, err := t.fit(ctx, target{columns: indicesOf(t.names, names)})
	if err != nil {
		return ModelSummary{}, err
	}
	return all[0], nil
}

// save writes a weights file.
func (t *trainer) save(fit ModelSummary, steps []Step, c *features.Calibration, path string) error {
	w, err := t.weights(fit, steps)
	if err != nil {
		return err
	}
	w.Calibration = c
	return w.Save(path)
}

// weights makes a weights file of a fit, with the steps of the selection that led to it.
func (t *trainer) weights(fit ModelSummary, steps []Step) (*features.Weights, error) {
	m := fit.model
	w, err := features.New(t.meta.Game, t.meta.Rules, t.set, fit.Features, m.Weights, t.meta.Columns...)
	if err != nil {
		return nil, fmt.Errorf("cannot train: %w", err)
	}
	w.StdErr, w.Errors, w.Train, w.Validation = slices.Clone(fit.StdErr), fit.Errors, &fit.Train, fit.Validation
	w.Provenance = t.provenance
	w.Provenance.Ridge, w.Provenance.Condition = features.Ridges{"": m.Ridge}, &m.Condition
	w.Provenance.Selection, w.Provenance.Removed, w.Provenance.Aliased = selectNone, nil, t.aliased
	if steps != nil {
		w.Provenance.Selection = fmt.Sprintf("%s, tolerance %g", t.Exact.Select, t.Exact.Tolerance)
	}
	for _, s := range steps {
		if s.Kept && s.Removed != "" {
			w.Provenance.Removed = append(w.Provenance.Removed, s.Removed)
		}
	}
	return w, nil
}

// defaultTolerance is the loss of R that backward elimination accepts. The thesis does not state
// its stopping rule; this value ends where the thesis does, at captures, <1, <3 and >12: from its
// twelve features to these, dropping the least weight costs 0.0035 of R (20 000 boards, labels of
// 100 000 nodes in steps of two), one more step 0.0046. With labels of 2.7 million nodes it costs
// 0.0055, and elimination stops two features earlier; docs/experiments.md lists every step.
const defaultTolerance = 0.004

// Step is one fit of a backward elimination.
type Step struct {
	Removed    string             `json:"removed,omitempty"` // the feature dropped for this step, "" for the full fit
	Features   int                `json:"features"`          // number of remaining features
	Train      agreement.Doubled  `json:"train"`
	Validation *agreement.Doubled `json:"validation,omitempty"` // nil without validation rows
	Kept       bool               `json:"kept"`                 // false for a last step that lost too much

	names []string // of the features
	t     float64  // t value of the removed feature before it was dropped
}

// A rule decides which feature backward elimination drops: the one with the least value of of.
type rule struct {
	of     func(m *model, j int) float64
	errors bool // needs standard errors
}

// The rules. The thesis drops the feature of least weight (Sala Soler 2014); least |t| takes
// standard errors into account.
var (
	leastT      = rule{of: func(m *model, j int) float64 { return math.Abs(m.T[j]) }, errors: true}
	leastWeight = rule{of: func(m *model, j int) float64 { return math.Abs(m.Weights[j]) }}
)

// least returns the column that the rule drops.
func (r rule) least(m *model) int {
	worst := 0
	for j := range m.Weights {
		if r.of(m, j) < r.of(m, worst) {
			worst = j
		}
	}
	return worst
}

// fitNamed fits and measures named features.
type fitNamed func(ctx context.Context, names []string) (ModelSummary, error)

// backward drops features one at a time by the rule, until R on the training rows falls more than
// tolerance below that of all features or one feature is left. It returns every fit, beginning with
// all features; the last one is not kept if it lost too much.
func backward(ctx context.Context, fitNamed fitNamed, names []string, tolerance float64, rule rule) ([]Step, error) {
	fit, err := fitNamed(ctx, names)
	if err != nil {
		return nil, err
	}
	if rule.errors && fit.model.T == nil {
		return nil, fmt.Errorf("cannot select by t: the rows are of %d games or situations, for %d features: expected more than features; or use --select %s", fit.Errors.Clusters, len(fit.Features), selectLeastWeight)
	}
	steps := []Step{{Kept: true}}
	steps[0].of(fit)
	floor := fit.Train.R - tolerance
	for left := fit.Features; steps[len(steps)-1].Kept && len(left) > 1; {
		worst := rule.least(fit.model)
		step := Step{Removed: left[worst]}
		if rule.errors {
			step.t = fit.model.T[worst]
		}
		left = slices.Delete(slices.Clone(left), worst, worst+1)
		if fit, err = fitNamed(ctx, left); err != nil {
			return nil, err
		}
		step.of(fit)
		step.Kept = step.Train.R >= floor
		steps = append(steps, step)
	}
	return steps, nil
}

// of records the results of a fit.
func (s *Step) of(m ModelSummary) {
	s.names, s.Features, s.Train, s.Validation = m.Features, len(m.Features), m.Train, m.Validation
}
