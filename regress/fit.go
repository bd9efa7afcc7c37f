package regress

import (
	"context"
	"errors"
	"fmt"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/parallel"
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
	Trust  float64 `name:"trust" group:"Fits of patterns" help:"weight of the prior, in rows per new row (default 1)"` // see priorWeights
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
func Fit[P games.Position[P]](ctx context.Context, sets features.Sets[P], patterns features.Patterns[P], req Request, progress parallel.Progress) (s Summary, err error) {
	if len(req.Rows) == 0 {
		return s, errors.New("no rows: expected datasets of labels, or one of features")
	}
	m, err := datasets.ReadManifest(req.Rows[0])
	switch {
	case err != nil:
		return s, err
	case m.Meta.Kind == datasets.Features:
		return fitFeatures(ctx, sets, req, progress)
	case patterns.Parse == nil:
		return s, fmt.Errorf("%s: %s has no pattern features: make a table with train features, and fit that", req.Rows[0], m.Meta.Game)
	case m.Meta.Kind == datasets.Labels:
		return fitLabels(ctx, patterns, req, progress)
	}
	return s, fmt.Errorf("%s: contains %s: expected labels or features", req.Rows[0], m.Meta.Kind)
}

func noRows(path, where string) error {
	if where == "" {
		return fmt.Errorf("%s: no rows: expected at least one", path)
	}
	return fmt.Errorf("%s: no row matches %.80s: expected at least one", path, where)
}
