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
	"kroo/internal/atomicfile"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/wording"
)

// captures is the feature whose fit serves as the baseline.
const captures = "captures"

// Methods of feature selection.
const (
	selectNone        = "none"
	selectBackward    = "backward"     // drops the feature of least |t|
	selectLeastWeight = "least-weight" // drops the feature of least weight, as in the thesis
)

// fitFeatures fits weights of a game's feature sets, writes them and returns a summary. It streams
// large datasets, reading them again for each fit.
func fitFeatures[P games.Position[P]](
	ctx context.Context, sets features.Sets[P], req Request, progress parallel.Progress,
) (out Summary, err error) {
	if len(req.Rows) != 1 || len(req.Validation) > 1 {
		return out, fmt.Errorf("%d datasets of features, %d to validate: expected one, and at most one",
			len(req.Rows), len(req.Validation))
	}
	if err := atomicfile.Check(req.Out); err != nil {
		return out, err
	}
	tables, err := openTables(ctx, sets.Game.Info, slices.Concat(req.Rows, req.Validation))
	if err != nil {
		return out, err
	}
	defer tables.close()
	for _, t := range tables {
		if err := sameMaking(t, tables[0].Meta); err != nil {
			return out, err
		}
	}
	t, err := newTrainer(sets, tables[0], req)
	if err != nil {
		return out, fmt.Errorf("%s: %w", req.Rows[0], err)
	}
	t.work = progress.Tally(0, t.passes()*tables.rows())
	defer t.work.End()
	if err := readTables(ctx, sets.Game, t, tables); err != nil {
		return out, err
	}
	out, err = t.train(ctx)
	if err != nil {
		return out, err
	}
	out.Calibrated, err = tables[:1].calibrate(ctx, sets.Game.Info, req.Where, req.Weight)
	if err != nil {
		return out, err
	}
	return out, t.save(out.Selected, out.Steps, out.Calibration, req.Out)
}

// readTables reads the first table to fit to, and the second, if there is one, to measure on.
func readTables[P games.Position[P]](ctx context.Context, g *games.Game[P], t *trainer, tables tables) error {
	train, err := newTableSamples(g, tables[0], t)
	if err != nil {
		return err
	}
	if err := train.checkSymmetry(ctx); err != nil {
		return err
	}
	if len(tables) > 1 {
		if err := readValidation(ctx, g, t, train, tables[1]); err != nil {
			return err
		}
	}
	t.samples, err = train.inMemory(ctx)
	return err
}

// readValidation reads a table to measure on, without the situations of the training rows.
func readValidation[P games.Position[P]](
	ctx context.Context, g *games.Game[P], t *trainer, train *tableSamples[P], table *datasets.Table,
) error {
	t.provenance.Validation = table.SHA256
	valid, err := newTableSamples(g, table, t)
	if err != nil {
		return err
	}
	t.overlap, err = valid.leaveOut(ctx, train)
	if err != nil {
		return err
	}
	t.valid, err = valid.inMemory(ctx)
	return err
}

// sameMaking returns an error if the validation rows differ from the training rows in
// features or label limits.
func sameMaking(validation *datasets.Table, train datasets.Meta) error {
	meta := validation.Meta
	for _, c := range []struct{ what, got, want string }{
		{"feature set", meta.FeatureSet, train.FeatureSet},
		{"columns", strings.Join(meta.Columns, ", "), strings.Join(train.Columns, ", ")},
		{"limits", meta.Limits, train.Limits},
		{"evaluator", meta.Evaluator, train.Evaluator},
	} {
		if c.got != c.want {
			return fmt.Errorf("%s: %s %q: expected %q, as in the training rows", validation.Path(), c.what, c.got, c.want)
		}
	}
	return nil
}

// setOf returns the feature set of the rows, or an error if their features are not those of the
// set.
func setOf[P games.Position[P]](sets features.Sets[P], m datasets.Meta) (features.Info, error) {
	if err := sets.Game.CheckRules(m.Rules); err != nil {
		return features.Info{}, err
	}
	if m.FeatureSet == "" && m.Features != nil {
		return features.Info{}, fmt.Errorf("the rows do not name the set of their features, %.200s: expected one "+
			"of %s (train adopt --set)",
			strings.Join(m.Features, ", "), strings.Join(sets.Names(), ", "))
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
	meta           datasets.Meta // of the training rows: game, rules, set and features
	names          []string      // of the features to fit
	provenance     features.Provenance
	set            features.Info
	subsets        [][]string // their features
	work           *parallel.Tally
	samples, valid samples // valid is nil without validation rows
	overlap        int
	fitter         *fitter // on all training rows
	full           *ModelSummary
}

// newTrainer returns a trainer for the rows of a table.
func newTrainer[P games.Position[P]](sets features.Sets[P], table *datasets.Table, req Request) (*trainer, error) {
	m := table.Meta
	set, err := setOf(sets, m)
	if err != nil {
		return nil, err
	}
	if err := req.Linear.Check(); err != nil {
		return nil, err
	}
	t := &trainer{Request: req, meta: m, names: req.Columns, set: set, provenance: features.Provenance{
		Dataset: table.SHA256,
		Labels:  m.Limits,
		Engine:  m.Engine,
		Tool:    revision.Get(),
		Made:    req.Made,
		Weight:  req.Weight,
		Where:   req.Where,
	}}
	if t.names == nil {
		t.names = slices.Concat(m.Features, m.FitColumns())
	}
	if len(t.names) == 0 {
		return nil, fmt.Errorf("the only columns are %s of an evaluation, which are not fitted unless they are named (--columns)",
			wording.List(m.Columns, "and"))
	}
	for _, name := range req.Linear.Subsets {
		set, err := sets.ByName(name)
		if err != nil {
			return nil, err
		}
		t.subsets = append(t.subsets, set.Names())
	}
	return t, nil
}

// passes estimates how often the rows are read: a selection may end early.
func (t *trainer) passes() int64 {
	n := 2
	if t.Curve {
		n += 3 * len(curveShares)
	}
	if t.selects() {
		n += len(t.names)
	}
	return int64(n)
}

func (t *trainer) selects() bool { return t.Linear.Select != "" && t.Linear.Select != selectNone }

// train fits all features, captures, the subsets and a selection, and measures on the validation
// rows, which do not affect the fit.
func (t *trainer) train(ctx context.Context) (out Summary, err error) {
	out.Game = t.meta.Game
	out.Overlap = t.overlap
	t.fitter, err = newFitter(ctx, t.Rows[0], t.names, t.Linear.RelativeRidge, t.samples, t.valid)
	if err != nil {
		return out, err
	}
	if t.fitter.rows == 0 {
		return out, noRows(t.Rows[0], t.Where)
	}
	wanted := append([][]string{t.names}, t.subsets...)
	hasCaptures := slices.Contains(t.names, captures)
	if hasCaptures {
		wanted = append(wanted, []string{captures})
	}
	all, err := t.fitter.fitModels(ctx, wanted...)
	if err != nil {
		return out, err
	}
	t.full = all[0]
	out.Full = *t.full
	out.Selected = *t.full
	if hasCaptures {
		out.Captures = *all[len(all)-1]
	}
	for _, m := range all[1 : 1+len(t.subsets)] {
		out.Subsets = append(out.Subsets, *m)
	}
	if t.selects() {
		kept, steps, err := t.backward(ctx)
		if err != nil {
			return out, err
		}
		out.Selected = *kept
		out.Steps = steps
	}
	if t.Curve {
		out.Curve, err = t.learningCurve(ctx)
	}
	return out, err
}

// save writes a weights file of a fit, with the steps of the selection that led to it.
func (t *trainer) save(fit ModelSummary, steps []Step, c *features.Calibration, path string) error {
	w, err := features.New(t.meta.Game, t.meta.Rules, t.set, fit.Features, fit.Points, t.meta.Columns...)
	if err != nil {
		return err
	}
	w.StdErr = slices.Clone(fit.StdErr)
	w.Errors = fit.Errors
	w.Train = &fit.Train
	w.Validation = fit.Validation
	w.Calibration = c
	w.Provenance = t.provenance
	w.Provenance.Ridge = features.Ridges{"": t.Linear.RelativeRidge}
	w.Provenance.ScaledCondition = &fit.ScaledCondition
	w.Provenance.Aliased = t.full.Aliased
	w.Provenance.Selection = selectNone
	w.Provenance.Removed = nil
	if steps != nil {
		w.Provenance.Selection = fmt.Sprintf("%s, tolerance %g", t.Linear.Select, t.Linear.Tolerance)
	}
	for _, s := range steps {
		if s.Kept && s.Removed != "" {
			w.Provenance.Removed = append(w.Provenance.Removed, s.Removed)
		}
	}
	return w.Save(path)
}

// Step is one fit of a backward elimination.
type Step struct {
	Removed    string             `json:"removed,omitempty"` // the feature dropped for this step, "" for the full fit
	Features   int                `json:"features"`          // number of remaining features
	Train      agreement.Doubled  `json:"train"`
	Validation *agreement.Doubled `json:"validation,omitempty"` // nil without validation rows
	Kept       bool               `json:"kept"`                 // false for a last step that lost too much
}

// backward drops features one at a time, until R on the training rows falls more than the tolerance
// below that of all features or one feature is left. The thesis drops the feature of least weight
// (Sala Soler 2014); least |t| takes standard errors into account. backward returns the last fit
// that is kept, and every step, beginning with all features.
func (t *trainer) backward(ctx context.Context) (kept *ModelSummary, steps []Step, err error) {
	size := func(m *ModelSummary, j int) float64 { return math.Abs(m.Points[j]) }
	if t.Linear.Select == selectBackward {
		size = (*ModelSummary).t
		if fit := t.full; fit.StdErr == nil {
			return kept, nil, fmt.Errorf("%s: cannot select by t: the rows are of %d games or situations, for %d "+
				"features: expected more than features; or use --select %s",
				t.Rows[0], fit.Errors.Clusters, len(fit.Features), selectLeastWeight)
		}
	}
	fit := t.full
	removed := ""
	for {
		isKept := fit.Train.R >= t.full.Train.R-t.Linear.Tolerance
		steps = append(steps, Step{removed, len(fit.Features), fit.Train, fit.Validation, isKept})
		if !isKept {
			return kept, steps, nil
		}
		kept = fit
		if len(fit.Features) == 1 {
			return kept, steps, nil
		}
		worst := 0
		for j := range fit.Features {
			if size(fit, j) < size(fit, worst) {
				worst = j
			}
		}
		removed = fit.Features[worst]
		all, err := t.fitter.fitModels(ctx, slices.Delete(slices.Clone(fit.Features), worst, worst+1))
		if err != nil {
			return kept, nil, err
		}
		fit = all[0]
	}
}
