package regress

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/parallel"
	"kroo/internal/revision"
)

// Request describes a fit.
type Request struct {
	Rows          []string // datasets of labels for patterns, or one of features
	Validation    []string `name:"validate" help:"datasets of the same kind to measure on"`
	Exact         Config   `name:"."` // for features, by dense least squares
	PatternConfig          // for labels, by conjugate gradients

	Columns []string `name:"columns" group:"Fits of features" help:"features to fit, by name, of those of the dataset (default all)"`
	Full    string   // file for the weights of all features before selection; may be ""

	// Prior names the weights that penalties pull to: a model of the same set, compiled weights (if
	// the game can decompile them), or a name such as default.
	Prior  string  `name:"prior" file:"in" group:"Fits of patterns" help:"weights to start from and stay close to: default, compiled weights, or a model of the same set; columns without rows keep theirs"`
	Trust  float64 `name:"trust" group:"Fits of patterns" help:"weight of the prior, in rows per new row (default 1)"` // see sparse.Prior
	Round  int     `name:"round" group:"Fits of patterns" help:"number of the training round, recorded in the weights"`
	Parent string  // provenance: hash of the weights of the previous round

	Where   string `name:"where" help:"rows that count, such as 'phase>=20, label<0': see train help filters"`
	Weight  string `name:"weight" group:"Tables of other programs" help:"column of row weights, such as weight (default 1 for each row)"`
	Curve   bool   `name:"curve" help:"fit shares of the rows too, for a learning curve: would more rows help? (with --validate)"`
	Out     string `name:"output" flag:"output,o" file:"made" help:"weights to write: .weights for labels, .json for features"` // for labels, together with the model NAME.model
	Made    string // provenance: the command that made the weights; may be ""
	Workers int    `name:"workers" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"` // does not affect the result
	// Reading reports the rows of labels read.
	Reading parallel.Progress
}

// Fit fits weights to datasets and writes them. Rows of features get weights of an antisymmetric
// set by dense least squares, with standard errors and an optional selection; rows of labels get
// pattern weights by conjugate gradients.
func Fit[P games.Position[P]](ctx context.Context, sets features.Sets[P], patterns features.Patterns[P], req Request, progress parallel.Progress) (f Fitted, err error) {
	if len(req.Rows) == 0 {
		return f, errors.New("no rows: expected datasets of labels, or one of features")
	}
	m, err := datasets.ReadManifest(req.Rows[0])
	switch {
	case err != nil:
	case m.Meta.Kind == datasets.Features:
		var s Summary
		s, err = fitFeatures(ctx, sets, req, progress)
		f.Features = &s
	case patterns.Parse == nil:
		err = fmt.Errorf("%s: %s has no pattern features: make a table with train features, and fit that", req.Rows[0], m.Meta.Game)
	case m.Meta.Kind == datasets.Labels:
		var s PatternSummary
		s, err = fitLabels(ctx, patterns, req, progress)
		f.Patterns = &s
	default:
		err = fmt.Errorf("%s: contains %s: expected labels or features", req.Rows[0], m.Meta.Kind)
	}
	return f, err
}

// fitFeatures fits weights of a game's feature sets, writes them and returns a summary. It streams
// large datasets, reading them again for each fit.
func fitFeatures[P games.Position[P]](ctx context.Context, sets features.Sets[P], req Request, progress parallel.Progress) (Summary, error) {
	if len(req.Rows) != 1 || len(req.Validation) > 1 {
		return Summary{}, fmt.Errorf("%d datasets of features, %d to validate: expected one, and at most one", len(req.Rows), len(req.Validation))
	}
	if err := atomicfile.Check(req.Out); err != nil {
		return Summary{}, err
	}
	training, err := datasets.Open(ctx, sets.Game.Info, req.Rows[0])
	if err != nil {
		return Summary{}, err
	}
	defer training.Close()
	validation := (*datasets.Table)(nil)
	if len(req.Validation) > 0 {
		if validation, err = datasets.Open(ctx, sets.Game.Info, req.Validation[0]); err != nil {
			return Summary{}, err
		}
		defer validation.Close()
		if err := sameMaking(validation, training.Meta); err != nil {
			return Summary{}, err
		}
	}
	t, err := newTrainer(sets, training.Meta, req)
	if err != nil {
		return Summary{}, fmt.Errorf("%s: %w", req.Rows[0], err)
	}
	out, err := trainTables(ctx, sets.Game, t, training, validation, progress)
	if err != nil {
		return Summary{}, err
	}
	if out.Calibrated, err = calibrateTables(ctx, sets.Game.Info, []*datasets.Table{training}, req.Where); err != nil {
		return Summary{}, err
	}
	if req.Full != "" {
		if err := t.save(out.Full, nil, nil, req.Full); err != nil {
			return Summary{}, err
		}
	}
	return out, t.save(out.Selected, out.Steps, out.Calibration, req.Out)
}

func trainTables[P games.Position[P]](ctx context.Context, g *games.Game[P], t *trainer, training, validation *datasets.Table, progress parallel.Progress) (out Summary, err error) {
	m := t.meta
	t.provenance = features.Provenance{Dataset: training.SHA256, Labels: m.Limits, Engine: m.Engine, Tool: revision.Get(), Made: t.Made, Weight: t.Weight, Where: t.Where}
	rows := training.Rows
	if validation != nil {
		rows += validation.Rows
	}
	// An estimate: a selection may end early.
	work := progress.Tally(0, t.readings()*rows)
	train, err := newTableSamples(g, training, t, work)
	if err != nil {
		return out, err
	}
	if err := train.checkSymmetry(ctx); err != nil {
		return out, err
	}
	var valid samples
	overlap := 0
	if validation != nil {
		t.provenance.Validation = validation.SHA256
		v, err := newTableSamples(g, validation, t, work)
		if err == nil {
			overlap, err = v.leaveOut(ctx, train)
		}
		if err != nil {
			return out, err
		}
		if valid, err = v.small(ctx); err != nil {
			return out, err
		}
	}
	x, err := train.small(ctx)
	if err != nil {
		return out, err
	}
	out, err = t.train(ctx, x, valid)
	out.Overlap = overlap
	work.End()
	if failed := new(readError); errors.As(err, failed) {
		return out, failed.error
	}
	if t.fitter != nil && t.fitter.rows == 0 {
		return out, noRows(t.Rows[0], t.Where)
	}
	if err != nil {
		return out, fmt.Errorf("%s: %w", t.Rows[0], err)
	}
	return out, nil
}

// readings returns how often the rows are read if no selection ends early.
func (t *trainer) readings() int64 {
	fits := 2
	if t.Curve {
		fits += 3 * len(curveShares)
	}
	for _, selection := range []string{t.Exact.Select, t.Exact.Second} {
		if selection != "" && selection != selectNone {
			fits += len(t.names)
		}
	}
	return int64(fits)
}

func noRows(path, where string) error {
	if where == "" {
		return fmt.Errorf("%s: no rows: expected at least one", path)
	}
	return fmt.Errorf("%s: no row matches %.80s: expected at least one", path, where)
}

// sameMaking returns an error if the validation rows differ from the training rows in rules,
// features or label limits.
func sameMaking(validation *datasets.Table, train datasets.Meta) error {
	meta := validation.Meta
	for _, c := range []struct{ what, got, want string }{
		{"rules", meta.Rules, train.Rules},
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
