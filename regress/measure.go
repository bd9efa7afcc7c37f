package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/parallel"
	"kroo/internal/revision"
)

// Quality measures how well predictions agree with labels. Rows count as labelled, for the side to
// move, not doubled; predictions are clamped to ±1000 points, as labels are.
type Quality struct {
	agreement.Stats
	MAEUnits  float64 `json:"mae_units"`  // MAE in the game's unit, such as seeds
	RMSEUnits float64 `json:"rmse_units"` // RMSE in the same unit
}

// Measurement is the quality of an evaluation on datasets of labels.
type Measurement struct {
	Quality
	// RDoubled is the correlation as defined in the thesis, for antisymmetric evaluations only:
	// over doubled rows, with predictions not clamped.
	RDoubled *float64 `json:"r_doubled,omitempty"`
	// RErr and MAEErr (in the game's unit) are standard errors that allow for correlated rows of a
	// game; nil if there are too few games. Clusters is the number of games and of single rows.
	RErr     *float64       `json:"r_err,omitempty"`
	MAEErr   *float64       `json:"mae_units_err,omitempty"`
	Clusters int            `json:"clusters"`
	Phases   []PhaseQuality `json:"phases"`    // those with rows
	Unit     string         `json:"unit"`      // of the game, singular
	Phase    string         `json:"phase"`     // what a phase counts
	Limits   string         `json:"limits"`    // of the labelling searches
	Labeller string         `json:"evaluator"` // of the labelling searches
}

// PhaseQuality is the quality on the rows with From ≤ phase ≤ To.
type PhaseQuality struct {
	From int `json:"from"`
	To   int `json:"to"`
	Quality
}

// phases is the number of equal parts into which a game is divided.
const phases = 6

// MeasureOptions select the rows to measure on.
type MeasureOptions struct {
	Paths  []string // datasets, at least one
	Where  string   // filter of their rows (train help filters); "" means all
	Weight string   // column of row weights; "" counts each row once
	// Antisymmetric means that the evaluation only changes sign when the turn passes.
	Antisymmetric bool
	Progress      parallel.Progress // rows read; may be nil
}

// Predictor is an evaluation to measure: either a function of positions, in points for the side to
// move, or weights for columns of another program, for datasets of features that have these
// columns.
type Predictor[P games.Position[P]] struct {
	Predict func(P) float64
	Weights *features.Weights // used if Predict is nil
}

// Measure compares the predictions of an evaluation with the labels of datasets.
func Measure[P games.Position[P]](ctx context.Context, g *games.Game[P], o MeasureOptions, predictor Predictor[P]) (Measurement, error) {
	m := meter[P]{game: g}
	for _, err := range m.rows(ctx, o, predictor, nil) {
		if err != nil {
			return Measurement{}, err
		}
	}
	return m.result(o.Antisymmetric), nil
}

// predictedRow is a row with its prediction, in points and not clamped.
type predictedRow[P games.Position[P]] struct {
	fileRow[P]
	prediction, weight float64
}

// rows adds the rows of datasets and yields them. check is called for each dataset; it may be nil.
func (m *meter[P]) rows(ctx context.Context, o MeasureOptions, predictor Predictor[P], check func(datasets.Meta) error) iter.Seq2[predictedRow[P], error] {
	return func(yield func(predictedRow[P], error) bool) {
		kind := datasets.Labels
		if first, err := datasets.ReadManifest(o.Paths[0]); err == nil && first.Meta.Kind == datasets.Features {
			kind = datasets.Features
		}
		predict := func(r datasets.Row[P]) float64 { return predictor.Predict(r.Position) }
		weight := func(datasets.Row[P]) float64 { return 1 }
		n, heaviest := 0, 0.
		begin := func(t *datasets.Table) (err error) {
			m.meta(t.Meta)
			if o.Weight != "" {
				weight, err = datasets.Number(m.game, t.Meta, o.Weight)
			}
			if w := predictor.Weights; w != nil && err == nil {
				predict, err = m.weighed(t.Meta, w)
			}
			if err == nil && check != nil {
				err = check(t.Meta)
			}
			return err
		}
		for r, err := range scanRows(ctx, m.game, o.Paths, kind, o.Where, o.Progress, begin) {
			p := predictedRow[P]{fileRow: r}
			if err == nil {
				p.prediction, p.weight = predict(r.Row), weight(r.Row)
				if err = checkWeight(o.Weight, p.weight, n); err != nil {
					err = fmt.Errorf("%s: %w", o.Paths[r.file], err)
				}
			}
			if err == nil {
				n, heaviest = n+1, max(heaviest, p.weight)
				m.add(p)
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
		if heaviest == 0 && o.Weight != "" {
			yield(predictedRow[P]{}, errNoWeight(o.Weight))
		}
	}
}

// weighed returns a predictor that applies weights to columns.
func (m *meter[P]) weighed(meta datasets.Meta, w *features.Weights) (func(datasets.Row[P]) float64, error) {
	if meta.Kind != datasets.Features {
		return nil, fmt.Errorf("it contains %s: expected features with the columns %s", meta.Kind, strings.Join(w.Columns, ", "))
	}
	values, err := featuresOf[P](meta, w.Features)
	x := make([]float64, 0, len(w.Features))
	return func(r datasets.Row[P]) float64 {
		x = values(x[:0], r)
		return floats.Dot(x, w.Points)
	}, cmp.Or(err, meta.CheckRules(m.game.Name, w.Rules))
}

// featuresOf returns a function that appends the values of the named features of a row.
func featuresOf[P games.Position[P]](m datasets.Meta, names []string) (func(dst []float64, r datasets.Row[P]) []float64, error) {
	at := make([]int, len(names))
	for j, name := range names {
		if slices.Contains(names[:j], name) {
			return nil, fmt.Errorf("feature %.80q is named twice: name each once", name)
		}
		if at[j] = slices.Index(featureNames(m), name); at[j] < 0 {
			return nil, fmt.Errorf("the rows have no feature %.80q: expected some of %.300s", name, strings.Join(featureNames(m), ", "))
		}
	}
	return func(dst []float64, r datasets.Row[P]) []float64 {
		for _, j := range at {
			if j < len(r.Own) {
				dst = append(dst, float64(r.Own[j])-float64(r.Opp[j]))
			} else {
				dst = append(dst, r.Values[j-len(r.Own)])
			}
		}
		return dst
	}, nil
}

// meter accumulates rows.
type meter[P games.Position[P]] struct {
	game             *games.Game[P]
	limits, labeller string

	all       agreement.Sums
	byPhase   [phases]agreement.Sums
	unclamped agreement.Sums
	errors    agreement.Errors
}

// meta records limits and labeller of the datasets, or that they differ.
func (m *meter[P]) meta(d datasets.Meta) {
	for _, c := range []struct {
		have *string
		got  string
	}{{&m.limits, d.Limits}, {&m.labeller, d.Evaluator}} {
		if *c.have = cmp.Or(*c.have, c.got); *c.have != c.got {
			*c.have = "several"
		}
	}
}

func (m *meter[P]) add(r predictedRow[P]) {
	m.unclamped.Add(r.prediction, r.Label, r.weight)
	x := clamped(r.prediction)
	m.all.Add(x, r.Label, r.weight)
	if r.Game > 0 {
		m.errors.Add(uint64(r.file)<<32|uint64(r.Game), x, r.Label, r.weight)
	} else {
		m.errors.AddAlone(x, r.Label, r.weight)
	}
	m.byPhase[phaseOf(m.game.Info, m.game.Phase(r.Position))].Add(x, r.Label, r.weight)
}

// clamped limits a prediction to the range of labels.
func clamped(points float64) float64 { return max(-maxPoints, min(maxPoints, points)) }

func phaseOf(i games.Info, phase int) int { return phase * phases / (i.MaxPhase + 1) }

func (m *meter[P]) quality(x *agreement.Sums) Quality {
	s, points := x.Stats(), m.game.PointsPerUnit()
	return Quality{s, s.MAE / points, s.RMSE / points}
}

func (m *meter[P]) result(antisymmetric bool) Measurement {
	r := Measurement{
		Quality: m.quality(&m.all), Unit: m.game.Unit, Phase: m.game.PhaseName, Limits: m.limits, Labeller: m.labeller,
	}
	if antisymmetric {
		doubled := m.unclamped.Doubled()
		r.RDoubled = &doubled.R
	}
	r.Clusters = m.errors.Clusters()
	if rErr, maeErr := m.errors.Of(); rErr == rErr && maeErr == maeErr { // not NaN
		maeErr /= m.game.PointsPerUnit()
		r.RErr, r.MAEErr = &rErr, &maeErr
	}
	to := -1
	for i := range m.byPhase {
		from := to + 1
		for to < m.game.MaxPhase && phaseOf(m.game.Info, to+1) == i {
			to++
		}
		if q := m.quality(&m.byPhase[i]); q.Rows > 0 {
			r.Phases = append(r.Phases, PhaseQuality{from, to, q})
		}
	}
	return r
}

// Predict is like Measure, and writes a dataset of features with the rows measured, adding the
// columns [datasets.PredictionColumns]. weights names the evaluation in the note.
func Predict[P games.Position[P]](ctx context.Context, g *games.Game[P], o MeasureOptions, predictor Predictor[P], weights, out string) (Measurement, error) {
	if err := datasets.CheckOutput(out); err != nil {
		return Measurement{}, err
	}
	first, err := datasets.ReadManifest(o.Paths[0])
	if err != nil {
		return Measurement{}, err
	}
	sameColumns := func(m datasets.Meta) error {
		if m.Kind != first.Meta.Kind || !slices.Equal(m.Features, first.Meta.Features) || !slices.Equal(m.Columns, first.Meta.Columns) {
			return errors.New("its columns are not those of the first dataset: expected predictions of one kind of rows, or of one file at a time")
		}
		return nil
	}
	meta := first.Meta
	meta.Weighted = meta.Weighted || o.Weight != ""
	meta.Kind, meta.Grouped, meta.Made, meta.Tool = datasets.Features, true, "", revision.Get()
	meta.Columns = append(slices.Clone(meta.Columns), datasets.PredictionColumns...)
	meta.FeatureSet = cmp.Or(meta.FeatureSet, "predictions")
	meta.Parent = first.SHA256
	note := fmt.Sprintf("predictions of %s for %s", weights, strings.Join(o.Paths, ", "))
	meta.Note = strings.TrimPrefix(datasets.Noted(meta.Note, o.Where)+"; "+note, "; ")
	m := meter[P]{game: g}
	err = datasets.Write(g, out, meta, func(yield func(datasets.Row[P], error) bool) {
		for p, err := range m.rows(ctx, o, predictor, sameColumns) {
			r := p.Row
			r.Weight = 0
			if meta.Weighted {
				r.Weight = p.weight
			}
			if err == nil && r.Group == 0 {
				r.Group = datasets.GroupOf(g, p.file, r.Position, r.Game)
			}
			x := clamped(p.prediction)
			r.Values = append(slices.Clone(r.Values), x, r.Label-x)
			if !yield(r, err) {
				return
			}
		}
	})
	return m.result(o.Antisymmetric), err
}
