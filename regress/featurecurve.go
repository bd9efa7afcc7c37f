package regress

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"kroo/internal/agreement"
	"kroo/internal/checksum"
)

// partial is a share of samples, whole clusters.
type partial struct {
	samples
	share float64
}

func (p partial) pass(ctx context.Context, begin func() tally) error {
	return p.samples.pass(ctx, func() tally { return &partialTally{begin(), p.share} })
}

// partialTally hands the rows of a share on.
type partialTally struct {
	tally
	share float64
}

func (t *partialTally) add(b *block) error {
	var kept []int
	for i := range b.y[0] {
		cluster := uint64(b.row(i))
		if b.c != nil {
			cluster = b.c[i]
		}
		if inShare(uint32(checksum.Mix(cluster)), t.share) {
			kept = append(kept, i)
		}
	}
	if kept == nil {
		return nil
	}
	return t.tally.add(b.only(kept))
}

// only is a copy of some rows of a block.
func (b *block) only(rows []int) *block {
	_, cols := b.x.Dims()
	o := &block{row: func(i int) int64 { return b.row(rows[i]) }, x: mat.NewDense(len(rows), cols, nil)}
	for k, i := range rows {
		o.x.SetRow(k, b.x.RawRowView(i))
	}
	for _, y := range b.y {
		o.y = append(o.y, pick(y, rows))
	}
	if b.w != nil {
		o.w = pick(b.w, rows)
	}
	if b.c != nil {
		o.c = pick(b.c, rows)
	}
	return o
}

// learningCurve fits all features to shares of the rows, and measures each fit on the validation
// rows.
func (t *trainer) learningCurve(ctx context.Context, train, valid samples) (points []CurvePoint, err error) {
	var before *Model
	point := func(m *Model, v agreement.Doubled) error {
		p := CurvePoint{Rows: m.Stats.Rows, Train: undoubled(m.Stats), Validation: undoubled(v)}
		if before != nil {
			p.Gain = points[len(points)-1].Validation.MAE - v.MAE
			if p.GainErr, err = gainError(ctx, before, m, p.Gain, valid); err != nil {
				return err
			}
		}
		before, points = m, append(points, p)
		return nil
	}
	for _, share := range curveShares {
		f, err := newFitter(ctx, partial{train, share}, len(t.Names), nil, t.Names, t.Ridge)
		if err != nil {
			return nil, err
		}
		models, err := f.fit(ctx, wish{columns: everyColumn(len(t.Names))})
		if err != nil {
			continue // too few rows for the features: the curve begins later
		}
		v, err := evaluate(ctx, models, valid)
		if err == nil {
			err = point(models[0], v[0])
		}
		if err != nil {
			return nil, err
		}
	}
	return points, point(t.full.model, *t.full.Validation)
}

// undoubled are the figures of doubled rows as a learning curve has them. Errors are the same.
func undoubled(d agreement.Doubled) agreement.Stats {
	return agreement.Stats{Rows: d.Rows, R: d.R, MAE: d.MAE, RMSE: d.RMSE}
}

// gainTally adds up by how much the absolute errors of a model are below those of one before, off
// their mean.
type gainTally struct {
	before, after *Model
	mean          float64
	off           *agreement.Clusters
	weight        *float64

	clusters []uint64
	values   []float64
	sum      float64
}

func (t *gainTally) add(b *block) error {
	errors := func(m *Model) []float64 {
		pred := m.predict(columnsOf(b.x, m.Columns))
		for i, y := range b.y[0] {
			pred[i] = math.Abs(pred[i] - y)
		}
		return pred
	}
	before, after := errors(t.before), errors(t.after)
	for i := range before {
		cluster := uint64(b.row(i))
		if b.c != nil {
			cluster = b.c[i]
		}
		w := weightOf(b.w, i)
		t.clusters, t.values, t.sum = append(t.clusters, cluster), append(t.values, w*(before[i]-after[i]-t.mean)), t.sum+w
	}
	return nil
}

func (t *gainTally) end() error {
	for i, c := range t.clusters {
		t.off.Add(c, t.values[i])
	}
	*t.weight += t.sum
	return nil
}

// gainError is the standard error, by cluster, of the mean by which the errors of a model are below
// those of one before.
func gainError(ctx context.Context, before, after *Model, mean float64, rows samples) (float64, error) {
	off, weight := agreement.NewClusters(1), 0.0
	err := rows.pass(ctx, func() tally { return &gainTally{before: before, after: after, mean: mean, off: off, weight: &weight} })
	e := off.Errors(mat.NewDense(1, 1, []float64{1 / weight}))[0]
	if err != nil || e != e { // one cluster alone
		return 0, err
	}
	return e, nil
}
