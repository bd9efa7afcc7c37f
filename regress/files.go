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

// FitRequest says what to fit.
type FitRequest struct {
	Config
	Training   string   // dataset of features
	Validation string   // another one to measure on; "" is none
	Columns    []string // features to fit, of those of the datasets; nil is all
	Weight     string   // column of the rows' weights; "" counts each row once
	Curve      bool     // fit shares of the rows too, to see whether more would help; takes a validation dataset
	Where      string   // filter of the rows of both (train help filters); "" is all
	Out        string   // weights to write
	Made       string   // what they say of the command that made them; "" is nothing
	Full       string   // where to write those before selection; "" is nowhere
}

// FitFiles fits weights of a game's sets, writes them, and says how good they are. It holds some
// rows in memory at a time, and reads the datasets again for each fit, unless they are small.
func FitFiles[P games.Position[P]](ctx context.Context, sets features.Sets[P], req FitRequest, progress parallel.Progress) (Summary, error) {
	if err := atomicfile.Check(req.Out); err != nil {
		return Summary{}, err
	}
	training, err := datasets.Open(ctx, sets.Game.Info, req.Training)
	if err != nil {
		return Summary{}, err
	}
	defer training.Close()
	validation := (*datasets.Table)(nil)
	if req.Validation != "" {
		if validation, err = datasets.Open(ctx, sets.Game.Info, req.Validation); err != nil {
			return Summary{}, err
		}
		defer validation.Close()
		if err := sameMaking(validation, training.Meta); err != nil {
			return Summary{}, err
		}
	}
	out, err := fitTables(ctx, sets, req, training, validation, progress)
	if err != nil {
		return Summary{}, err
	}
	if out.Calibrated, err = calibrateTables(ctx, sets.Game.Info, []*datasets.Table{training}, req.Where); err != nil {
		return Summary{}, err
	}
	out.Weights.Calibration = out.Calibrated.Calibration
	if req.Full != "" {
		full, err := out.fullWeights()
		if err == nil {
			err = full.Save(req.Full)
		}
		if err != nil {
			return Summary{}, err
		}
	}
	return out.Summary, out.Weights.Save(req.Out)
}

func fitTables[P games.Position[P]](ctx context.Context, sets features.Sets[P], req FitRequest, training, validation *datasets.Table, progress parallel.Progress) (*Outcome, error) {
	meta := training.Meta
	o := TrainOptions{
		Meta: meta, Config: req.Config, Names: req.Columns, Weight: req.Weight, Curve: req.Curve,
		Provenance: features.Provenance{Dataset: training.SHA256, Labels: meta.Limits, Engine: meta.Engine, Tool: revision.Get(), Made: req.Made, Weight: req.Weight, Where: req.Where},
	}
	t, err := newTrainer(sets, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", req.Training, err)
	}
	rows := training.Rows
	if validation != nil {
		rows += validation.Rows
	}
	// How often a selection reads the rows is known at its end: it may fit all features one by one.
	work := progress.Tally(0, t.readings()*rows)
	read := func(table *datasets.Table) (*tableSamples[P], error) {
		return newTableSamples(sets.Game, table, t.TrainOptions, req.Where, work)
	}
	train, err := read(training)
	if err != nil {
		return nil, err
	}
	if err := train.checkSymmetry(ctx); err != nil {
		return nil, err
	}
	var valid samples
	overlap := 0
	if validation != nil {
		t.Provenance.Validation = validation.SHA256
		v, err := read(validation)
		if err == nil {
			overlap, err = v.leaveOut(ctx, train)
		}
		if err != nil {
			return nil, err
		}
		if valid, err = v.small(ctx); err != nil {
			return nil, err
		}
	}
	x, err := train.small(ctx)
	if err != nil {
		return nil, err
	}
	out, err := t.train(ctx, x, valid, overlap)
	work.End()
	if said := new(readError); errors.As(err, said) {
		return nil, said.error
	}
	if t.fitter != nil && t.fitter.rows == 0 {
		return nil, noRows(req.Training, req.Where)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", req.Training, err)
	}
	return out, nil
}

// readings is how often the rows are read, if no selection ends early.
func (t *trainer) readings() int64 {
	fits := 2
	if t.Curve {
		fits += 2 * len(curveShares)
	}
	for _, selection := range []string{t.Select, t.Beside} {
		if selection != "" && selection != selectNone {
			fits += len(t.Names)
		}
	}
	return int64(fits)
}

func noRows(path, where string) error {
	if where == "" {
		return fmt.Errorf("%s: it has no rows: expected some", path)
	}
	return fmt.Errorf("%s: no row has %.80s: expected some", path, where)
}

// sameMaking refuses validation rows that are not of the same making as the training
// rows: rules, features and label limits.
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
