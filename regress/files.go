package regress

import (
	"context"
	"fmt"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/revision"
)

// FitRequest says what to fit.
type FitRequest struct {
	Config
	Training   string   // dataset of features
	Validation string   // another one to measure on; "" is none
	Columns    []string // features to fit, of those of the datasets; nil is all
	Weight     string   // column of the rows' weights; "" counts each row once
	Where      string   // filter of the rows of both (datasets.ParseFilter); "" is all
	Out        string   // weights to write
	Made       string   // what they say of the command that made them; "" is nothing
	Full       string   // where to write those before selection; "" is nowhere
}

// FitFiles fits weights of a game's sets, writes them, and says how good they are.
func FitFiles[P games.Position[P]](ctx context.Context, sets features.Sets[P], req FitRequest, progress func(done, total int64)) (Summary, error) {
	if err := atomicfile.Check(req.Out); err != nil {
		return Summary{}, err
	}
	if err := checkFeatures(req.Training, req.Validation); err != nil {
		return Summary{}, err
	}
	work, err := req.pace(progress)
	if err != nil {
		return Summary{}, err
	}
	meta, rows, err := featureRows(ctx, sets.Game, req.Training, req.Where, work)
	if err != nil {
		return Summary{}, err
	}
	o := TrainOptions{
		Meta: meta, Config: req.Config, Names: req.Columns, Weight: req.Weight, work: work,
		Provenance: features.Provenance{Labels: meta.Limits, Engine: meta.Engine, Tool: revision.Get(), Made: req.Made, Weight: req.Weight, Where: req.Where},
	}
	if o.Provenance.Dataset, err = datasets.FileHash(req.Training); err != nil {
		return Summary{}, err
	}
	var valid []datasets.FeatureRow[P]
	if req.Validation != "" {
		if valid, err = validationRows(ctx, sets.Game, req.Validation, req.Where, meta, work); err != nil {
			return Summary{}, err
		}
		if o.Provenance.Validation, err = datasets.FileHash(req.Validation); err != nil {
			return Summary{}, err
		}
	}
	out, err := Train(ctx, sets, rows, valid, o)
	if err != nil {
		return Summary{}, fmt.Errorf("%s: %w", req.Training, err)
	}
	if out.Calibrated, err = calibrateFiles(ctx, sets.Game.Info, []string{req.Training}, req.Where); err != nil {
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
	work.end()
	return out.Summary, out.Weights.Save(req.Out)
}

// pace is the work of the request: the rows of its datasets, and the fits that a selection can take.
func (req FitRequest) pace(progress func(done, total int64)) (*pace, error) {
	m, err := datasets.ReadManifest(req.Training)
	if err != nil {
		return nil, err
	}
	validation := int64(0)
	if req.Validation != "" {
		v, err := datasets.ReadManifest(req.Validation)
		if err != nil {
			return nil, err
		}
		validation = v.Rows
	}
	fits := 2 + len(req.Subsets)
	for _, selection := range []string{req.Select, req.Beside} {
		if selection != "" && selection != selectNone {
			fits += len(featureNames(m.Meta))
		}
	}
	return newPace(m.Rows, validation, fits, progress), nil
}

// featureRows reads the rows of a dataset that a filter wants.
func featureRows[P games.Position[P]](ctx context.Context, g *games.Game[P], path, where string, work *pace) (datasets.Meta, []datasets.FeatureRow[P], error) {
	var rows []datasets.FeatureRow[P]
	t, err := datasets.Open(ctx, g.Info, path)
	if err != nil {
		return datasets.Meta{}, nil, err
	}
	defer t.Close()
	before := int64(0)
	q := datasets.Query{Where: where, Progress: func(done, _ int64) { work.read(done - before); before = done }}
	for r, err := range datasets.Scan[datasets.FeatureRow[P]](ctx, g, t, q) {
		if err != nil {
			return datasets.Meta{}, nil, err
		}
		rows = append(rows, r)
	}
	if rows == nil {
		err = noRows(path, where)
	}
	return t.Meta, rows, err
}

func noRows(path, where string) error {
	if where == "" {
		return fmt.Errorf("%s: it has no rows: expected some", path)
	}
	return fmt.Errorf("%s: no row has %.80s: expected some", path, where)
}

// validationRows reads rows that must be of the same making as the training
// rows: rules, features and label limits.
func validationRows[P games.Position[P]](ctx context.Context, g *games.Game[P], path, where string, train datasets.Meta, work *pace) ([]datasets.FeatureRow[P], error) {
	meta, rows, err := featureRows(ctx, g, path, where, work)
	if err != nil {
		return nil, err
	}
	for _, c := range []struct{ what, got, want string }{
		{"rules", meta.Rules, train.Rules},
		{"feature set", meta.FeatureSet, train.FeatureSet},
		{"columns", strings.Join(meta.Columns, ", "), strings.Join(train.Columns, ", ")},
		{"limits", meta.Limits, train.Limits},
		{"evaluator", meta.Evaluator, train.Evaluator},
	} {
		if c.got != c.want {
			return nil, fmt.Errorf("%s: %s %q: expected %q, as in the training rows", path, c.what, c.got, c.want)
		}
	}
	return rows, nil
}
