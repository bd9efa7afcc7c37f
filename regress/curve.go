package regress

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/checksum"
	"kroo/internal/doc"
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

var errNoValidation = errors.New("a learning curve needs validation rows to measure on")

// gain has the differences between the absolute errors of two fits, with weights, by cluster.
type gain struct{ *agreement.Clusters }

func newGains(n int) (all []gain) {
	for range n {
		all = append(all, gain{agreement.NewClusters(2)})
	}
	return all
}

func (g gain) add(cluster uint64, before, now, label, weight float64) {
	g.Add(cluster, weight*(math.Abs(before-label)-math.Abs(now-label)), weight)
}

// set records the mean difference with its standard error.
func (g gain) set(p *CurvePoint) {
	total := g.Total()
	p.Gain = total[0] / total[1]
	off := mat.NewDense(2, 2, []float64{1 / total[1], 0, -p.Gain / total[1], 0}) // deviation from the mean
	if err := g.Errors(off)[0]; err == err {                                     // more than one cluster
		p.GainErr = err
	}
}

// learningCurve fits shares of the rows with the settings of the full fit.
func (f *patternFit[P]) learningCurve(ctx context.Context) (points []CurvePoint, err error) {
	if f.summary.Validation == nil {
		return nil, errNoValidation
	}
	v := f.validation.rows(f.set)
	var before []float64
	for _, share := range curveShares {
		rows, fit := f.rows, f.best
		if share < 1 {
			rows = f.labelled.only(func(i int) bool { return inShare(f.labelled.group[i], share) }).rows(f.set)
			if rows.len() < 2 {
				continue
			}
			m, err := prepare(ctx, rows, f.Workers)
			if err == nil {
				fit, err = m.fit(ctx, f.options)
			}
			if err != nil {
				return nil, err
			}
		}
		now, err := v.predict(ctx, fit.weights, f.Workers)
		if err != nil {
			return nil, err
		}
		p := CurvePoint{Rows: rows.len(), Train: fit.train, Validation: v.stats(now)}
		g := newGains(1)[0]
		for i := range before {
			g.add(uint64(f.validation.group[i]), before[i], now[i], float64(v.labels[i]), float64(v.weight(i)))
		}
		if before != nil {
			g.set(&p)
		}
		points, before = append(points, p), now
	}
	return points, nil
}

// learningCurve fits all features to shares of the rows.
func (t *trainer) learningCurve(ctx context.Context) (points []CurvePoint, err error) {
	if t.full.Validation == nil {
		return nil, errNoValidation
	}
	var models []*ModelSummary
	for _, share := range curveShares {
		all := []*ModelSummary{t.full}
		if share < 1 {
			f, err := t.fitTo(ctx, t.samples.part(share), nil)
			if err != nil {
				return nil, err
			}
			if all, err = f.fit(ctx, t.names); err != nil {
				continue // too few rows for the features: the curve starts later
			}
		}
		models = append(models, all[0])
		points = append(points, CurvePoint{Rows: all[0].Train.Rows, Train: undoubled(all[0].Train)})
	}
	gains, err := measure(ctx, models, t.valid, len(models))
	if err != nil {
		return nil, err
	}
	for i := range points {
		if points[i].Validation = undoubled(*models[i].Validation); i > 0 {
			gains[i].set(&points[i])
		}
	}
	return points, nil
}

// undoubled converts statistics of doubled rows for a learning curve. Errors are the same.
func undoubled(d agreement.Doubled) agreement.Stats {
	return agreement.Stats{Rows: d.Rows, R: d.R, MAE: d.MAE, RMSE: d.RMSE}
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
		return text + "too few validation rows to decide whether more rows would help"
	}
	return text + "more rows would not help; other features, another ridge or better labels might"
}
