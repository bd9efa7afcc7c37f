package regress

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/features"
	"kroo/internal/atomicfile"
	"kroo/internal/revision"
)

// FitRequest says what to fit.
type FitRequest struct {
	Config
	Training   string // dataset of features
	Validation string // another one to measure on; "" is none
	Out        string // weights to write
	Full       string // where to write those before selection; "" is nowhere
}

// FitFiles fits weights, writes them, and says how good they are.
func FitFiles(ctx context.Context, req FitRequest, progress func(done, total int64)) (Summary, error) {
	const fits = 2
	progress(0, fits)
	if err := atomicfile.Check(req.Out); err != nil {
		return Summary{}, err
	}
	if err := checkFeatures(req.Training, req.Validation); err != nil {
		return Summary{}, err
	}
	meta, rows, err := datasets.ReadFeatures(req.Training)
	if err != nil {
		return Summary{}, err
	}
	o := TrainOptions{
		Meta: meta, Ridge: req.Ridge, Select: SelectNone, Tolerance: req.Tolerance,
		Provenance: features.Provenance{Labels: meta.Limits, Engine: meta.Engine, Tool: revision.Get()},
	}
	if o.Provenance.Dataset, err = datasets.FileHash(req.Training); err != nil {
		return Summary{}, err
	}
	var valid []datasets.FeatureRow
	if req.Validation != "" {
		if valid, err = validationRows(req.Validation, meta); err != nil {
			return Summary{}, err
		}
		if o.Provenance.Validation, err = datasets.FileHash(req.Validation); err != nil {
			return Summary{}, err
		}
	}
	if req.Full != "" {
		full, err := Train(rows, valid, o)
		if err != nil {
			return Summary{}, fmt.Errorf("%s: %w", req.Training, err)
		}
		if err := full.Weights.Save(req.Full); err != nil {
			return Summary{}, err
		}
	}
	progress(1, fits)
	if err := ctx.Err(); err != nil {
		return Summary{}, err
	}
	o.Select, o.Beside, o.Subsets, o.Proven = req.Select, req.Beside, req.Subsets, req.Proven
	out, err := Train(rows, valid, o)
	if err != nil {
		return Summary{}, fmt.Errorf("%s: %w", req.Training, err)
	}
	progress(fits, fits)
	return summarise(meta.Game, out), out.Weights.Save(req.Out)
}

// validationRows reads rows that must be of the same making as the training
// rows: rules, features and label limits.
func validationRows(path string, train datasets.Meta) ([]datasets.FeatureRow, error) {
	meta, rows, err := datasets.ReadFeatures(path)
	if err != nil {
		return nil, err
	}
	for _, c := range []struct{ what, got, want string }{
		{"game", meta.Game, train.Game},
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

func summarise(game string, o *Outcome) Summary {
	s := Summary{Game: game, Full: modelSummary(o.Full), Selected: modelSummary(o.Final), Overlap: o.Overlap}
	if o.Captures != nil {
		s.Captures = modelSummary(*o.Captures)
	}
	s.Subsets = modelSummaries(o.Subsets)
	for _, r := range o.Readings {
		s.Readings = append(s.Readings, ReadingSummary{r.Proven, modelSummaries(r.Subsets)})
	}
	s.Steps, s.Beside, s.BesideFeatures = stepSummaries(o.Steps), stepSummaries(o.Beside), selected(o.Beside)
	return s
}

func stepSummaries(steps []Step) (list []StepSummary) {
	for _, step := range steps {
		list = append(list, StepSummary{
			Removed: step.Removed, Features: len(step.Features), Train: step.Train, Validation: step.Validation, Kept: step.Accepted,
		})
	}
	return list
}

func modelSummaries(list []Result) (all []ModelSummary) {
	for _, r := range list {
		all = append(all, modelSummary(r))
	}
	return all
}

func modelSummary(r Result) ModelSummary {
	m := ModelSummary{Features: r.Features, Points: r.Model.Weights, Condition: r.Model.Condition, Train: r.Model.Stats, Validation: r.Validation}
	if r.Model.Rank == len(m.Points) { // else some weights have no standard error
		m.StdErr = r.Model.StdErr
		if !slices.Contains(r.Model.VIF, math.Inf(1)) {
			m.VIF = r.Model.VIF
		}
	}
	return m
}
