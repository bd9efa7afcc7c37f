package regress

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/checksum"
	"kroo/internal/doc"
	"kroo/regress/sparse"
)

// CurvePoint is a point of a learning curve: a fit to a share of the rows, measured on the
// validation rows.
type CurvePoint struct {
	Rows       int             `json:"rows"`
	Train      agreement.Stats `json:"train"`
	Validation agreement.Stats `json:"validation"`
	// Gain is the reduction of the mean absolute error on the validation rows since the point
	// before, in points, and GainErr its standard error by game; NaN is written as 0.
	Gain    float64 `json:"gain"`
	GainErr float64 `json:"gain_err"`
}

// curveShares are the shares of the rows that a learning curve fits.
var curveShares = []float64{1. / 16, 1. / 8, 1. / 4, 1. / 2, 1}

// inShare reports whether a group of rows, identified by a hash, belongs to a share. Shares are
// nested.
func inShare(group uint32, share float64) bool {
	return float64(checksum.Mix(uint64(group))>>11)/(1<<53) < share
}

// share returns a share of the rows, in whole groups.
func (l *labelled[P]) share(share float64) *labelled[P] {
	s := *l
	s.positions, s.labels, s.group, s.weights = nil, nil, nil, nil
	for i, group := range l.group {
		if !inShare(group, share) {
			continue
		}
		s.positions, s.labels, s.group = append(s.positions, l.positions[i]), append(s.labels, l.labels[i]), append(s.group, group)
		if l.weights != nil {
			s.weights = append(s.weights, l.weights[i])
		}
	}
	return &s
}

var errNoCurve = errors.New("a learning curve needs validation rows to measure on")

// misses are the absolute errors of a fit, in points.
type misses struct {
	errors, weights []float64
	clusters        []uint64
}

func (m *misses) add(cluster uint64, prediction, label, weight float64) {
	m.errors, m.weights, m.clusters = append(m.errors, math.Abs(prediction-label)), append(m.weights, weight), append(m.clusters, cluster)
}

// shareFit fits a share of the rows and returns its errors on the validation rows. The point has no
// rows if there are too few.
type shareFit func(share float64) (CurvePoint, misses, error)

// learningCurve fits shares of the rows.
func learningCurve(fit shareFit) (points []CurvePoint, err error) {
	var before misses
	for _, share := range curveShares {
		p, now, err := fit(share)
		if err != nil {
			return nil, err
		}
		if p.Rows == 0 {
			continue
		}
		if points != nil {
			p.Gain, p.GainErr = now.gain(before)
		}
		points, before = append(points, p), now
	}
	return points, nil
}

// gain returns the reduction of the mean error from an earlier fit on the same rows, with its
// standard error by cluster.
func (m misses) gain(before misses) (gain, err float64) {
	weight := floats.Sum(m.weights)
	for i, w := range m.weights {
		gain += w * (before.errors[i] - m.errors[i]) / weight
	}
	off := agreement.NewClusters(1)
	for i, w := range m.weights {
		off.Add(m.clusters[i], w*(before.errors[i]-m.errors[i]-gain))
	}
	if err = off.Errors(mat.NewDense(1, 1, []float64{1 / weight}))[0]; err != err { // a single cluster
		return gain, 0
	}
	return gain, err
}

// learningCurve fits shares of the rows with the settings of the full fit, which led to r.
func (f *patternFit[P]) learningCurve(ctx context.Context, r *sparse.Result) ([]CurvePoint, error) {
	return learningCurve(func(share float64) (p CurvePoint, m misses, err error) {
		r, rows := r, f.rows
		if share < 1 {
			if rows = newColumnRows(f.rows.share(share), f.set); len(rows.positions) < 2 {
				return p, m, nil
			}
			matrix, err := sparse.Prepare(ctx, rows, f.layout(f.Workers))
			if err != nil {
				return p, m, err
			}
			o := f.options
			o.Progress, o.Checkpoint, o.Resume, o.Trials, o.TrialMade = nil, nil, nil, nil, nil
			if r, err = matrix.Fit(ctx, o); err != nil {
				return p, m, err
			}
		}
		p = CurvePoint{Rows: len(rows.positions), Train: r.Train}
		p.Validation, err = sparse.Evaluate(ctx, f.validation, r.Weights, maxPoints, f.Workers)
		return p, f.validation.misses(r.Weights), err
	})
}

// misses returns the absolute errors of weights on the rows.
func (r *columnRows[P]) misses(weights []float64) (m misses) {
	var s columnRow
	for k, p := range r.positions {
		s.ones, s.vals = r.set.AppendRow(s.ones[:0], s.vals[:0], p)
		sum := 0.0
		for _, c := range s.ones {
			sum += weights[c]
		}
		for _, v := range s.vals {
			sum += weights[v.Index] * float64(v.Value)
		}
		m.add(uint64(r.group[k]), clamped(sum), float64(r.labels[k]), float64(r.weight(k)))
	}
	return m
}

// learningCurve fits all features to shares of the rows.
func (t *trainer) learningCurve(ctx context.Context, train samples) ([]CurvePoint, error) {
	return learningCurve(func(share float64) (p CurvePoint, m misses, err error) {
		fit, v := t.full.model, t.full.Validation
		if share < 1 {
			f, err := newFitter(ctx, partial{train, share}, t.names, t.Exact.Ridge)
			if err != nil {
				return p, m, err
			}
			models, err := f.fit(ctx, target{columns: everyColumn(len(t.names))})
			if err != nil {
				return p, m, nil // too few rows for the features: the curve starts later
			}
			measured, err := evaluate(ctx, models, t.valid)
			if err != nil {
				return p, m, err
			}
			fit, v = models[0], &measured[0]
		}
		err = t.valid.pass(ctx, func() tally { return &missTally{model: fit, to: &m} })
		return CurvePoint{Rows: fit.Stats.Rows, Train: undoubled(fit.Stats), Validation: undoubled(*v)}, m, err
	})
}

// undoubled converts statistics of doubled rows for a learning curve. Errors are the same.
func undoubled(d agreement.Doubled) agreement.Stats {
	return agreement.Stats{Rows: d.Rows, R: d.R, MAE: d.MAE, RMSE: d.RMSE}
}

// missTally collects the errors of a model.
type missTally struct {
	model *model
	to    *misses
	group misses
}

func (t *missTally) add(b *block) error {
	for i, p := range t.model.predict(columnsOf(b.x, t.model.Columns)) {
		t.group.add(b.c[i], p, b.y[0][i], weightOf(b.w, i))
	}
	return nil
}

func (t *missTally) end() error {
	m, g := t.to, t.group
	m.errors, m.weights, m.clusters = append(m.errors, g.errors...), append(m.weights, g.weights...), append(m.clusters, g.clusters...)
	return nil
}

// partial is a share of samples, in whole clusters.
type partial struct {
	samples
	share float64
}

func (p partial) pass(ctx context.Context, begin func() tally) error {
	return p.samples.pass(ctx, func() tally { return &partialTally{begin(), p.share} })
}

// partialTally passes on the rows of a share.
type partialTally struct {
	tally
	share float64
}

func (t *partialTally) add(b *block) error {
	var kept []int
	for i, cluster := range b.c {
		if inShare(uint32(checksum.Mix(cluster)), t.share) {
			kept = append(kept, i)
		}
	}
	if kept == nil {
		return nil
	}
	return t.tally.add(b.only(kept))
}

// only copies some rows of a block.
func (b *block) only(rows []int) *block {
	_, cols := b.x.Dims()
	o := &block{rows: pick(b.rows, rows), x: mat.NewDense(len(rows), cols, nil), c: pick(b.c, rows)}
	for k, i := range rows {
		o.x.SetRow(k, b.x.RawRowView(i))
	}
	for _, y := range b.y {
		o.y = append(o.y, pick(y, rows))
	}
	if b.w != nil {
		o.w = pick(b.w, rows)
	}
	return o
}

// curveSection shows a learning curve with a conclusion.
func curveSection(points []CurvePoint, g games.Info) doc.Section {
	unit := g.PointsPerUnit()
	t := doc.NewTable("rows", "training MAE, "+g.Unit+"s", "validation MAE, "+g.Unit+"s", "lower by", "± error by game", "validation R")
	for i, p := range points {
		gain, err := "–", "–"
		if i > 0 {
			gain, err = digits(3, p.Gain/unit), digits(3, p.GainErr/unit)
		}
		t.Add(p.Rows, digits(3, p.Train.MAE/unit), digits(3, p.Validation.MAE/unit), gain, err, digits(4, p.Validation.R))
	}
	return doc.Section{Heading: "learning curve", Table: t, Note: curveVerdict(points, g)}
}

// noGain is the relative reduction of the error, per doubling of the rows, below which more rows
// are not worth their labels.
const noGain = 0.01

// curveVerdict reports if more rows would help, judging by the significant gain of the last
// doubling.
func curveVerdict(points []CurvePoint, g games.Info) string {
	last, before, unit := points[len(points)-1], points[len(points)-2], g.PointsPerUnit()
	text := fmt.Sprintf("%d rows instead of %d lower the validation error by %.3f ± %.3f %ss: ", last.Rows, before.Rows, last.Gain/unit, last.GainErr/unit, g.Unit)
	switch enough := noGain * last.Validation.MAE; {
	case last.Gain-2*last.GainErr > enough:
		return text + "more rows would help"
	case last.Gain+2*last.GainErr > enough:
		return text + "too few validation rows to tell whether more rows would help"
	}
	return text + "more rows would not help; other features, another ridge or better labels might"
}
