package regress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/checksum"
	"kroo/internal/parallel"
	"kroo/regress/sparse"
)

// CurvePoint is a point of a learning curve: a fit to a share of the rows, measured on the validation
// rows.
type CurvePoint struct {
	Rows       int             `json:"rows"`
	Train      agreement.Stats `json:"train"`
	Validation agreement.Stats `json:"validation"`
	// Gain is by how much the mean absolute error on the validation rows is below that of the point
	// before, points, and GainErr its standard error by game; NaN is written as 0.
	Gain    float64 `json:"gain"`
	GainErr float64 `json:"gain_err"`
}

// curveShares are the shares of the rows that a learning curve has fits of, besides all of them.
var curveShares = []float64{1. / 16, 1. / 8, 1. / 4, 1. / 2}

// inShare reports whether the rows of a group, a hash, are in a share of all. Those of a share are in
// every larger one.
func inShare(group uint32, share float64) bool {
	return float64(checksum.Mix(uint64(group))>>11)/(1<<53) < share
}

// share is a share of the rows, whole groups.
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

var errNoCurve = errors.New("a learning curve without validation rows: expected some to measure on")

// learningCurve fits shares of the rows as all of them have been fitted, to the weights given.
func (f *patternFit[P]) learningCurve(ctx context.Context, all []float64) error {
	var before []float64 // absolute errors of the point before
	point := func(rows int, train agreement.Stats, weights []float64, v agreement.Stats) {
		p := CurvePoint{Rows: rows, Train: train, Validation: v}
		errs := f.validation.errors(weights)
		if before != nil {
			p.Gain, p.GainErr = gainOf(before, errs, f.validation.group)
		}
		before, f.summary.Curve = errs, append(f.summary.Curve, p)
	}
	for _, share := range curveShares {
		rows := newColumnRows(f.rows.share(share), f.set)
		if len(rows.positions) < 2 {
			continue
		}
		m, err := sparse.Prepare(ctx, rows, f.layout(f.Workers))
		if err != nil {
			return err
		}
		o := f.options
		o.Progress, o.Checkpoint, o.Resume, o.Trials, o.TrialMade = nil, nil, nil, nil, nil
		r, err := m.Fit(ctx, o)
		if err != nil {
			return err
		}
		v, err := sparse.Evaluate(ctx, f.validation, r.Weights, maxPoints, f.Workers)
		if err != nil {
			return err
		}
		point(len(rows.positions), r.Train, r.Weights, v)
	}
	point(len(f.rows.positions), f.summary.Train, all, *f.summary.Validation)
	return nil
}

// errors are the absolute errors of a fit on the rows, in points.
func (r *columnRows[P]) errors(weights []float64) []float64 {
	errs := make([]float64, len(r.positions))
	parallel.For(0, r.Blocks(), func(_, block int) {
		s := r.scratch.Get().(*columnRow)
		defer r.scratch.Put(s)
		for k := block * blockRows; k < min((block+1)*blockRows, len(errs)); k++ {
			s.ones, s.vals = r.set.AppendRow(s.ones[:0], s.vals[:0], r.positions[k])
			sum := 0.0
			for _, c := range s.ones {
				sum += weights[c]
			}
			for _, v := range s.vals {
				sum += weights[v.Index] * float64(v.Value)
			}
			errs[k] = math.Abs(clamped(sum) - float64(r.labels[k]))
		}
	})
	return errs
}

// gainOf is the mean of errors before less that after, of the same rows, with its standard error by
// group.
func gainOf(before, after []float64, group []uint32) (gain, err float64) {
	for i := range before {
		gain += (before[i] - after[i]) / float64(len(before))
	}
	off := agreement.NewClusters(1)
	for i := range before {
		off.Add(uint64(group[i]), before[i]-after[i]-gain)
	}
	if err = off.MeanError(); err != err { // one group alone
		return gain, 0
	}
	return gain, err
}

// curveText is a learning curve with what it says, "" for none.
func curveText(points []CurvePoint, g games.Info) string {
	if len(points) < 2 {
		return ""
	}
	var b strings.Builder
	unit := g.PointsPerUnit()
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "rows\ttraining MAE, %ss\tvalidation MAE, %ss\tlower by\t± error by game\tvalidation R\t\n", g.Unit, g.Unit)
	for i, p := range points {
		gain, err := "–", "–"
		if i > 0 {
			gain, err = fmt.Sprintf("%.3f", p.Gain/unit), fmt.Sprintf("%.3f", p.GainErr/unit)
		}
		fmt.Fprintf(w, "%d\t%.3f\t%.3f\t%s\t%s\t%.4f\t\n", p.Rows, p.Train.MAE/unit, p.Validation.MAE/unit, gain, err, p.Validation.R)
	}
	w.Flush()
	return b.String() + curveVerdict(points, g) + "\n"
}

// noGain is the share of its error that a fit must lose to a doubling of the rows for more rows to be
// worth their labels.
const noGain = 0.01

// curveVerdict says whether more rows would help, by what the last doubling of them brought, beyond
// chance.
func curveVerdict(points []CurvePoint, g games.Info) string {
	last, before, unit := points[len(points)-1], points[len(points)-2], g.PointsPerUnit()
	said := fmt.Sprintf("%d instead of %d rows lower the validation error by %.3f ± %.3f %ss: ", last.Rows, before.Rows, last.Gain/unit, last.GainErr/unit, g.Unit)
	switch enough := noGain * last.Validation.MAE; {
	case last.Gain-2*last.GainErr > enough:
		return said + "more rows would help"
	case last.Gain+2*last.GainErr > enough:
		return said + "too few validation rows to see whether more would help"
	}
	return said + "more rows would not help; other features, another ridge or better labels might"
}
