package regress

import (
	"fmt"
	"slices"

	"kroo/datasets"
	"kroo/features"
)

// captures is the feature whose fit the others are compared with.
const captures = "captures"

// Ways to select features.
const (
	SelectNone        = "none"
	SelectBackward    = "backward"     // drops the feature of least |t|
	SelectLeastWeight = "least-weight" // drops the feature of least weight, as the thesis does
)

// Selections are the ways to select features.
func Selections() []string { return []string{SelectNone, SelectBackward, SelectLeastWeight} }

// TrainOptions say what to fit.
type TrainOptions struct {
	Meta datasets.Meta // of the training rows: game, rules, set and features

	Ridge     float64  // see Options
	Select    string   // one of Selections; "" is SelectNone
	Beside    string   // another selection, for comparison; "" is none
	Tolerance float64  // of R, for a selection; usually DefaultTolerance
	Subsets   []string // feature sets to fit as they are, for comparison
	Proven    []string // of Readings: labels to fit the subsets to as well

	// Provenance goes into the weights; its Ridge, Condition, Selection and
	// Removed are filled in.
	Provenance features.Provenance
}

// Result is one fitted function with what is told about it.
type Result struct {
	Features   []string
	Model      *Model
	Validation *Stats // nil without validation rows
}

// Outcome is everything that Train finds out.
type Outcome struct {
	Weights  *features.Weights // the final function
	Full     Result            // all features
	Final    Result            // the selected ones; equal to Full without selection
	Captures *Result           // captures alone; nil when the set has no such feature
	Steps    []Step            // of the selection; nil without
	Beside   []Step            // of the other selection; nil without
	Subsets  []Result          // as TrainOptions names them
	Readings []Reading         // likewise
	Overlap  int               // validation rows left out because their position was trained on

	TrainResiduals, ValidationResiduals []Residual // of the final function, in the order of the rows
}

// Train fits weights to feature rows and measures them on validation rows,
// which may be none. The validation rows decide nothing.
func Train(train, valid []datasets.FeatureRow, o TrainOptions) (*Outcome, error) {
	set, err := setOf(o.Meta)
	if err != nil {
		return nil, fmt.Errorf("cannot train: %w", err)
	}
	for _, name := range []string{o.Select, o.Beside} {
		if err := CheckSelection(name); err != nil {
			return nil, fmt.Errorf("cannot train: %w", err)
		}
	}
	out := new(Outcome)
	if valid, out.Overlap, err = Disjoint(o.Meta, train, valid); err != nil {
		return nil, err
	}
	t, err := newTrainer(train, valid, o)
	if err != nil {
		return nil, err
	}
	if err := t.fits(out); err != nil {
		return nil, err
	}
	out.TrainResiduals = t.residuals(out.Final, t.train)
	out.ValidationResiduals = t.residuals(out.Final, t.valid)
	out.Weights, err = t.weights(set, out)
	return out, err
}

// setOf is the set of the rows, whose features must be those of the set.
func setOf(m datasets.Meta) (features.Info, error) {
	g, err := gameOf(m.Game)
	if err != nil {
		return features.Info{}, err
	}
	set, err := g.set(m.FeatureSet)
	if err == nil && !slices.Equal(m.Features, set.Features) {
		err = fmt.Errorf("the rows have features %q: expected %q, those of set %s", m.Features, set.Features, set.Name)
	}
	return set, err
}

// trainer is a fit in progress.
type trainer struct {
	TrainOptions
	train, valid             Data   // valid is empty without validation rows
	trainProven, validProven []bool // which of their labels are proven
}

func newTrainer(train, valid []datasets.FeatureRow, o TrainOptions) (t *trainer, err error) {
	t = &trainer{TrainOptions: o, trainProven: provenOf(train), validProven: provenOf(valid)}
	if t.train, err = Matrix(train, len(o.Meta.Features)); err != nil {
		return nil, fmt.Errorf("%w (training rows)", err)
	}
	if len(valid) > 0 {
		if t.valid, err = Matrix(valid, len(o.Meta.Features)); err != nil {
			return nil, fmt.Errorf("%w (validation rows)", err)
		}
	}
	return t, nil
}

// selects tells whether features are dropped.
func (t *trainer) selects() bool { return t.Select != "" && t.Select != SelectNone }

// fits makes the fits of all features, of captures and of the selection.
func (t *trainer) fits(out *Outcome) (err error) {
	if out.Full, err = t.fit(t.Meta.Features); err != nil {
		return err
	}
	out.Final = out.Full
	if slices.Contains(t.Meta.Features, captures) {
		only, err := t.fit([]string{captures})
		if err != nil {
			return err
		}
		out.Captures = &only
	}
	if out.Subsets, err = t.fitSubsets(); err != nil {
		return err
	}
	if err := t.fitReadings(out); err != nil {
		return err
	}
	if out.Beside, err = t.steps(t.Beside); err != nil {
		return err
	}
	if out.Steps, err = t.steps(t.Select); err != nil || out.Steps == nil {
		return err
	}
	out.Final, err = t.fit(selected(out.Steps))
	return err
}

// steps are those of a selection, nil for none.
func (t *trainer) steps(selection string) ([]Step, error) {
	rule := LeastT
	switch selection {
	case "", SelectNone:
		return nil, nil
	case SelectLeastWeight:
		rule = LeastWeight
	}
	return Backward(t.train, t.valid, Options{Ridge: t.Ridge, Names: t.Meta.Features}, t.Tolerance, rule)
}

// selected are the features that steps end with.
func selected(steps []Step) (names []string) {
	for _, s := range steps {
		if s.Accepted {
			names = s.Features
		}
	}
	return names
}

// fitSubsets fits the features of other sets.
func (t *trainer) fitSubsets() (list []Result, err error) {
	g, err := gameOf(t.Meta.Game)
	if err != nil {
		return nil, err
	}
	for _, name := range t.Subsets {
		set, err := g.set(name)
		if err != nil {
			return nil, err
		}
		for _, f := range set.Names() {
			if !slices.Contains(t.Meta.Features, f) {
				return nil, fmt.Errorf("cannot fit subset %s: the rows have no feature %s", name, f)
			}
		}
		r, err := t.fit(set.Names())
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

func (t *trainer) fit(names []string) (Result, error) {
	m, step, err := fitColumns(t.train, t.valid, t.Meta.Features, names, t.Ridge)
	return Result{Features: names, Model: m, Validation: step.Validation}, err
}

func (t *trainer) residuals(r Result, d Data) []Residual {
	if len(d.Y) == 0 {
		return nil
	}
	return residuals(r.Model.Predict(columns(d.X, t.Meta.Features, r.Features)), d.Y)
}

// weights makes the file of the final function.
func (t *trainer) weights(set features.Info, out *Outcome) (*features.Weights, error) {
	m := out.Final.Model
	w, err := features.New(t.Meta.Game, t.Meta.Rules, set, out.Final.Features, m.Weights)
	if err != nil {
		return nil, fmt.Errorf("cannot train: %w", err)
	}
	if m.Rank == len(m.Weights) { // else some have no standard error
		w.StdErr = slices.Clone(m.StdErr)
	}
	w.Train, w.Validation = &m.Stats, out.Final.Validation
	w.Provenance = t.Provenance
	w.Provenance.Ridge, w.Provenance.Condition = m.Ridge, m.Condition
	w.Provenance.Selection, w.Provenance.Removed = SelectNone, nil
	if t.selects() {
		w.Provenance.Selection = fmt.Sprintf("%s, tolerance %g", t.Select, t.Tolerance)
	}
	for _, s := range out.Steps {
		if s.Accepted && s.Removed != "" {
			w.Provenance.Removed = append(w.Provenance.Removed, s.Removed)
		}
	}
	return w, nil
}
