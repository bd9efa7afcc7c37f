// Package regress fits the weights of evaluation functions to labelled positions, selects features
// and measures how well evaluations agree with labels ([Measure]).
//
// [Fit] fits two kinds of functions:
//
//   - Weights of an antisymmetric set ([features.Set]), by dense least squares, for any game with
//     such sets. [Tabulate] makes the table of features from labels. Fit removes validation rows
//     that are also in the training rows, fits all features, drops some by backward elimination,
//     and fits captures alone for comparison.
//   - Weights of pattern features, thousands to millions, for the side to move. Fit reads labels,
//     computes the features as it goes, minimises squared errors or errors in winning chances by
//     conjugate gradients, with a ridge per family of features, and writes the model and the
//     compiled weights.
//
// An antisymmetric function has no intercept: the prediction for a row is the sum of weight times
// (own − opponent's value). This is equivalent to doubling every row, with the position as each
// side sees it and separate weights for a feature of one's own and of the opponent's (Sala Soler
// 2014). As in the thesis, the statistics of these fits are over the doubled rows, whose means are
// zero, and of unclamped predictions, which can lie beyond ±1000 points although labels cannot.
// Standard errors count every row once. They are ordinary ones, for independent rows of equal
// variance, if each row is its own cluster ([datasets.ClusterOf]); rows of games get clustered ones
// (Liang and Zeger 1986).
//
// The first kind is called dense in the code, the second one that of patterns:
//
//	dense    densefit.go (the steps of a fit), densesamples.go (rows as blocks of a matrix),
//	         densefitter.go (sums over rows, models, standard errors), leastsquares.go (the solver)
//	patterns patternfit.go (the steps), patternmatrix.go (rows packed for the solver), packedrows.go (in
//	         memory or in a file), patternsolver.go (the solver)
//	both     labelled.go and sparse.go (rows of labels, also for Measure and WriteDesign), summary.go
//
// The statistics of pattern fits and of Measure are others, not to be compared with these: of rows as
// labelled, not doubled, and of predictions clamped to ±1000 points.
package regress

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/parallel"
	"kroo/internal/spec"
	"kroo/internal/wording"
)

// Request describes a fit.
type Request struct {
	Rows          []string // datasets of labels for patterns, or one of features
	Validation    []string `name:"validate" help:"datasets of the same kind to measure on"`
	Linear        Config   `name:"."` // for features, by dense least squares
	PatternConfig          // for labels, by conjugate gradients

	Columns []string `name:"columns" group:"Fits of features" help:"features to fit, by name, of those of the dataset (default all)"`

	// Prior names the weights that penalties pull to: a model of the same set, compiled weights (if
	// the game can decompile them), or a name such as default.
	Prior string `name:"prior" file:"in" group:"Fits of patterns" help:"weights to start from and stay close to: default, compiled weights, or a model of the same set; columns without rows keep theirs"`
	// Trust is used as it is: the default of 1 is that of the command line. See solverOptions.trust.
	Trust  float64 `name:"trust" group:"Fits of patterns" help:"weight of the prior, in rows per new row (default 1)"`
	Round  int     `name:"round" group:"Fits of patterns" help:"number of the training round, recorded in the weights"`
	Parent string  // provenance: hash of the weights of the previous round

	Where   string `name:"where" help:"rows that count, such as 'phase>=20, label<0': see train help filters"`
	Weight  string `name:"weight" group:"Tables of other programs" help:"column of row weights, such as weight (default 1 for each row)"`
	Curve   bool   `name:"curve" help:"fit shares of the rows too, for a learning curve: would more rows help? (with --validate)"`
	Out     string `name:"output" flag:"output,o" file:"made" help:"weights to write: .weights for labels, .json for features"` // for labels, together with the model NAME.model
	Made    string // provenance: the command that made the weights; may be ""
	Workers int    `name:"workers" range:"0..1024" group:"Search" help:"threads (default one per processor)"` // does not affect the result
	// Memory does not affect the result: packed rows that do not fit are in a file next to the output.
	Memory spec.Size `name:"memory" group:"Fits of patterns" help:"memory for the rows, such as 512MB or 4GB; the rest of them are in a temporary file next to the output (default half of what is free)"`
	// Reading reports the rows of labels read, each of which is read twice.
	Reading parallel.Progress
}

// Fit fits weights to datasets and writes them. Rows of features get weights of an antisymmetric
// set by dense least squares, with standard errors and an optional selection; rows of labels get
// pattern weights by conjugate gradients.
func Fit[P games.Position[P]](
	ctx context.Context, sets features.Sets[P], req Request, progress parallel.Progress,
) (s Summary, err error) {
	if len(req.Rows) == 0 {
		return s, errors.New("no rows: expected datasets of labels, or one of features")
	}
	m, err := datasets.ReadManifest(req.Rows[0])
	switch {
	case err != nil:
		return s, err
	case m.Meta.Kind == datasets.Features:
		return fitFeatures(ctx, sets, req, progress)
	case sets.Patterns == nil:
		return s, fmt.Errorf("%s: %s has no pattern features: make a table with train features, and fit that",
			req.Rows[0], m.Meta.Game)
	case m.Meta.Kind == datasets.Labels:
		return fitPatterns(ctx, sets, req, progress)
	}
	return s, fmt.Errorf("%s: contains %s: expected labels or features", req.Rows[0], m.Meta.Kind)
}

// noWeight is the error for a column of weights without one above 0.
func noWeight(column string) error {
	return fmt.Errorf("the weight %s is 0 in every row: expected a number above 0", column)
}

func noRows(path, where string) error {
	if where == "" {
		return fmt.Errorf("%s: no rows: expected at least one", path)
	}
	return fmt.Errorf("%s: no row matches %.80s: expected at least one", path, where)
}

// Headings of the flags that apply to only one kind of fit.
const (
	OfPatterns = "Fits of patterns" // of datasets of labels
	OfFeatures = "Fits of features"
)

// Config configures a fit of weights of antisymmetric sets.
type Config struct {
	Select string `name:"select" default:"none" choices:"none backward least-weight" group:"Fits of features" help:"none, backward (drops the least |t|) or least-weight"`
	// Tolerance is the loss of R that backward elimination accepts. The thesis does not state its stopping
	// rule; the default ends where the thesis does, at captures, <1, <3 and >12: from its twelve features to
	// these, dropping the least weight costs 0.0035 of R (20 000 boards, labels of 100 000 nodes in steps of
	// two), one more step 0.0046. With labels of 2.7 million nodes it costs 0.0055, and elimination stops two
	// features earlier; docs/experiments.md lists every step.
	Tolerance     float64 `name:"tolerance" default:"0.004" range:"0..1" group:"Fits of features" help:"loss of R that --select accepts"`
	RelativeRidge float64 `name:"ridge" flag:"-" range:"0..1e12" help:"penalty on large weights, relative to the data"` // see [Solve]
	// All features of Subsets must be among those of the rows.
	Subsets []string `name:"subsets" flag:"-" help:"feature sets to fit without selection, for comparison"`
}

// Check returns an error if a setting is out of range.
func (c Config) Check() error { return spec.Check(&c) }

// PatternConfig configures a fit of pattern weights. Zero values mean the defaults, except for Set.
type PatternConfig struct {
	Set   string  `name:"set" group:"Fits of patterns" help:"families of pattern features, joined by +, see train help sets (default in oware store+houses+pairs+triples)"`
	Loss  string  `name:"loss" default:"squares" choices:"squares chances" group:"Fits of patterns" help:"squares or chances"`
	Scale float64 `name:"scale" default:"400" range:"1e-6..1e6" group:"Fits of patterns" help:"scale of winning chances, in hundredths of the game's unit: centi-seeds in oware"` // a score s has the winning chance tanh(s/Scale)
	// RidgeRows is the penalty of a weight: the number of rows with label 0 that it is equivalent to.
	RidgeRows float64            `name:"ridge" flag:"-" range:"0..1e9" help:"penalty of a weight: the number of rows with label 0 that it is worth"`
	Ridges    map[string]float64 `name:"ridges" flag:"-" help:"penalties of single families"`
	Choose    bool               `name:"choose" flag:"-" help:"choose the ridge by cross-validation, instead of ridge and ridges"`
	Folds     int                `name:"folds" default:"5" range:"2..20" group:"Fits of patterns" help:"folds of --ridge cv"`
	Tolerance float64            `name:"tolerance" flag:"-" range:"1e-12..0.1" help:"relative gradient that ends the solver (default 0.001)"`
}

// CheckPatterns returns an error if a setting is out of range for a fit of the game's pattern sets.
func CheckPatterns[P games.Position[P]](of features.Sets[P], c PatternConfig) error {
	_, _, err := parsePatterns(of, c)
	return err
}

// parsePatterns returns the set of a fit and the solver's options, or an error if a setting is out
// of range.
func parsePatterns[P games.Position[P]](
	of features.Sets[P], c PatternConfig,
) (set features.ColumnSet[P], o solverOptions, err error) {
	set, err = of.Patterns.Parse(c.Set)
	if err != nil {
		if like := wording.FindSimilar(c.Set, of.Names()); len(like) > 0 {
			err = fmt.Errorf("%w; did you mean the antisymmetric set %s?", err, wording.List(like, "or"))
		}
		return set, o, err
	}
	spec.Default(&c)
	o = solverOptions{loss: c.Loss, families: set.Families(), tolerance: c.Tolerance}
	if o.loss == chances {
		o.scale = c.Scale / (100 * float64(of.Game.UnitsPerWin) / games.MaxPoints) // converts hundredths of the unit to points
	}
	var families []string
	for _, f := range o.families {
		families = append(families, f.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Ridges)) {
		if !slices.Contains(families, name) {
			return set, o, fmt.Errorf("ridge of %.40s: set %s has only %s", name, set, strings.Join(families, ", "))
		}
	}
	for _, f := range o.families {
		ridge, ok := c.Ridges[f.Name]
		if !ok {
			ridge = c.RidgeRows
		}
		if !(ridge >= 0 && ridge <= 1e9) {
			return set, o, fmt.Errorf("ridge of %s is %g: expected 0 to 1e9", f.Name, ridge)
		}
		o.ridges = append(o.ridges, ridge)
	}
	return set, o, spec.Check(&c)
}
