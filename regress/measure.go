package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

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

// MeasureOptions are an evaluation, and the rows to measure it on.
type MeasureOptions[P games.Position[P]] struct {
	// Predict returns the value of a position, in points for the side to move. If it is nil, Weights
	// apply to columns of another program, in datasets of features that have these columns.
	Predict func(P) float64
	Weights *features.Weights
	// Antisymmetric means that the evaluation only changes sign when the turn passes.
	Antisymmetric bool

	Paths    []string          // datasets, at least one
	Where    string            // filter of their rows (train help filters); "" means all
	Weight   string            // column of row weights; "" counts each row once
	Progress parallel.Progress // rows read; may be nil

	// Out is a dataset of features to write, with the rows measured and the columns
	// [datasets.PredictionColumns]; "" for none. Its note has the Name of the evaluation.
	Out, Name string
	Made      string // the command that writes Out, to record there; may be ""
}

// Measure compares the predictions of an evaluation with the labels of datasets.
func Measure[P games.Position[P]](ctx context.Context, g *games.Game[P], o MeasureOptions[P]) (Measurement, error) {
	tables, err := openTables(ctx, g.Info, o.Paths)
	if err != nil {
		return Measurement{}, err
	}
	defer tables.close()
	m := meter[P]{MeasureOptions: o, game: g, tables: tables}
	if o.Out != "" {
		err = m.write(ctx)
		return m.result(), err
	}
	for _, err := range m.rows(ctx) {
		if err != nil {
			return m.result(), err
		}
	}
	return m.result(), nil
}

// meter accumulates rows.
type meter[P games.Position[P]] struct {
	MeasureOptions[P]
	game   *games.Game[P]
	tables tables

	byPhase   [phases]agreement.Sums
	unclamped agreement.Sums
	errors    agreement.Errors
}

// rows adds the rows and yields them, those to be written with two more values: the prediction,
// clamped, and its residual.
func (m *meter[P]) rows(ctx context.Context) iter.Seq2[tableRow[P], error] {
	return func(yield func(tableRow[P], error) bool) {
		predict, err := m.predictors()
		if err != nil {
			yield(tableRow[P]{}, err)
			return
		}
		q := datasets.Query{Kind: m.tables.kind(), Where: m.Where, Weight: m.Weight}
		for r, err := range scan(ctx, m.game, m.tables, q, m.Progress) {
			if err != nil {
				yield(r, err)
				return
			}
			x := m.add(r, predict[r.file](r.Row))
			if m.Out != "" {
				r.Values = append(slices.Clone(r.Values), x, r.Label-x)
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// predictors returns the predictions of the rows of each table.
func (m *meter[P]) predictors() (list []func(datasets.Row[P]) float64, err error) {
	for _, t := range m.tables {
		predict, err := m.predictor(t.Meta)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Path(), err)
		}
		list = append(list, predict)
	}
	return list, nil
}

// predictor returns the predictions of a dataset's rows.
func (m *meter[P]) predictor(meta datasets.Meta) (func(datasets.Row[P]) float64, error) {
	if first := m.tables[0].Meta; m.Out != "" &&
		!(meta.Kind == first.Kind && meta.Weighted == first.Weighted && meta.Results == first.Results &&
			slices.Equal(meta.Features, first.Features) && slices.Equal(meta.Columns, first.Columns)) {
		return nil, errors.New("its columns are not those of the first dataset: " +
			"expected predictions of one kind of rows, or of one file at a time")
	}
	if m.Predict != nil {
		return func(r datasets.Row[P]) float64 { return m.Predict(r.Position) }, nil
	}
	w := m.Weights
	if meta.Kind != datasets.Features {
		return nil, fmt.Errorf("it contains %s: expected features with the columns %s",
			meta.Kind, strings.Join(w.Columns, ", "))
	}
	at, err := featureColumns(meta, w.Features)
	return func(r datasets.Row[P]) (sum float64) {
		for k, j := range at {
			if j < len(r.Own) {
				sum += w.Points[k] * (float64(r.Own[j]) - float64(r.Opp[j]))
			} else {
				sum += w.Points[k] * r.Values[j-len(r.Own)]
			}
		}
		return sum
	}, cmp.Or(err, meta.CheckRules(m.game.Name, w.Rules))
}

// add adds a row with its prediction, and returns the prediction clamped.
func (m *meter[P]) add(r tableRow[P], prediction float64) float64 {
	x := clamp(prediction)
	m.unclamped.Add(prediction, r.Label, r.counts)
	if r.Game > 0 {
		m.errors.Add(r.cluster(m.game), x, r.Label, r.counts)
	} else {
		m.errors.AddAlone(x, r.Label, r.counts)
	}
	m.byPhase[m.game.Phase(r.Position)*phases/(m.game.MaxPhase+1)].Add(x, r.Label, r.counts)
	return x
}

// clamp limits a prediction to the range of labels.
func clamp(points float64) float64 { return max(-games.MaxPoints, min(games.MaxPoints, points)) }

func (m *meter[P]) quality(x *agreement.Sums) Quality {
	s, points := x.Stats(), m.game.PointsPerUnit()
	return Quality{s, s.MAE / points, s.RMSE / points}
}

func (m *meter[P]) result() Measurement {
	r := Measurement{
		Quality:  m.quality(&m.errors.Sums),
		Unit:     m.game.Unit,
		Phase:    m.game.PhaseName,
		Limits:   oneOrSeveral(m.tables.texts(limitsOf)),
		Labeller: oneOrSeveral(m.tables.texts(func(t *datasets.Table) string { return t.Meta.Evaluator })),
	}
	if m.Antisymmetric {
		doubled := m.unclamped.CountBothSides()
		r.RDoubled = &doubled.R
	}
	r.Clusters = m.errors.Clusters()
	if rErr, maeErr := m.errors.Of(); !math.IsNaN(rErr) && !math.IsNaN(maeErr) {
		maeErr /= m.game.PointsPerUnit()
		r.RErr, r.MAEErr = &rErr, &maeErr
	}
	from := func(part int) int { return (part*(m.game.MaxPhase+1) + phases - 1) / phases }
	for i := range m.byPhase {
		if q := m.quality(&m.byPhase[i]); q.Rows > 0 {
			r.Phases = append(r.Phases, PhaseQuality{from(i), from(i+1) - 1, q})
		}
	}
	return r
}

// oneOrSeveral returns the text of a list of one, and "several" for a longer one.
func oneOrSeveral(list []string) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return list[0]
	}
	return "several"
}

// write writes the dataset of predictions.
func (m *meter[P]) write(ctx context.Context) error {
	if err := datasets.CheckOutput(m.Out); err != nil {
		return err
	}
	meta := m.tables[0].Meta
	meta.Kind = datasets.Features
	meta.Weighted = meta.Weighted || m.Weight != ""
	meta.Grouped = true
	meta.Made = m.Made
	meta.Tool = revision.Get()
	meta.Parent = m.tables[0].SHA256
	meta.Columns = append(slices.Clone(meta.Columns), datasets.PredictionColumns...)
	note := fmt.Sprintf("predictions of %s for %s", m.Name, strings.Join(m.Paths, ", "))
	meta.Note = strings.TrimPrefix(datasets.NoteOf(meta.Note, m.Where)+"; "+note, "; ")
	return datasets.Write(m.game, m.Out, meta, func(yield func(datasets.Row[P], error) bool) {
		for r, err := range m.rows(ctx) {
			if err == nil {
				r.Group = int64(r.cluster(m.game))
			}
			if !yield(r.Row, err) || err != nil {
				return
			}
		}
	})
}
