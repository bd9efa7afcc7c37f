package regress

import (
	"context"
	"fmt"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/revision"
)

// FitRequest says what to fit.
type FitRequest struct {
	Config
	Training   string // dataset of features
	Validation string // another one to measure on; "" is none
	Out        string // weights to write
	Made       string // what they say of the command that made them; "" is nothing
	Full       string // where to write those before selection; "" is nowhere
}

// FitFiles fits weights of a game's sets, writes them, and says how good they are.
func FitFiles[P games.Position[P]](ctx context.Context, sets features.Sets[P], req FitRequest, progress func(done, total int64)) (Summary, error) {
	progress(0, 1)
	if err := atomicfile.Check(req.Out); err != nil {
		return Summary{}, err
	}
	if err := checkFeatures(req.Training, req.Validation); err != nil {
		return Summary{}, err
	}
	meta, rows, err := datasets.Read[datasets.FeatureRow[P]](sets.Game, req.Training)
	if err != nil {
		return Summary{}, err
	}
	o := TrainOptions{
		Meta: meta, Config: req.Config,
		Provenance: features.Provenance{Labels: meta.Limits, Engine: meta.Engine, Tool: revision.Get(), Made: req.Made},
	}
	if o.Provenance.Dataset, err = datasets.FileHash(req.Training); err != nil {
		return Summary{}, err
	}
	var valid []datasets.FeatureRow[P]
	if req.Validation != "" {
		if valid, err = validationRows(sets.Game, req.Validation, meta); err != nil {
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
	if req.Full != "" {
		full, err := out.fullWeights()
		if err == nil {
			err = full.Save(req.Full)
		}
		if err != nil {
			return Summary{}, err
		}
	}
	progress(1, 1)
	return out.Summary, out.Weights.Save(req.Out)
}

// validationRows reads rows that must be of the same making as the training
// rows: rules, features and label limits.
func validationRows[P games.Position[P]](g *games.Game[P], path string, train datasets.Meta) ([]datasets.FeatureRow[P], error) {
	meta, rows, err := datasets.Read[datasets.FeatureRow[P]](g, path)
	if err != nil {
		return nil, err
	}
	for _, c := range []struct{ what, got, want string }{
		{"rules", meta.Rules, train.Rules},
		{"feature set", meta.FeatureSet, train.FeatureSet},
		{"limits", meta.Limits, train.Limits},
		{"evaluator", meta.Evaluator, train.Evaluator},
	} {
		if c.got != c.want {
			return nil, fmt.Errorf("%s: %s %q: expected %q, as in the training rows", path, c.what, c.got, c.want)
		}
	}
	return rows, nil
}
