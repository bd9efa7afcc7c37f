package profile

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/parallel"
	"kroo/report"
)

// Residuals compare an evaluation with the labels: label minus prediction, in points for the side
// to move, predictions clamped to ±1000 points.
type Residuals struct {
	Weights string `json:"weights"`
	agreement.Stats
	Phases   []ResidualGroup   `json:"phases"`
	Features []FeatureResidual `json:"features,omitempty"`
	Worst    []FittedRow       `json:"worst"`

	drawn []report.Point // predictions and labels of all rows or a random sample
}

// ResidualGroup is the residuals of a group of rows.
type ResidualGroup struct {
	Value int     `json:"value"` // phase, or difference of a feature
	Rows  int     `json:"rows"`
	Mean  float64 `json:"mean"`
	MAE   float64 `json:"mae"`
	RMSE  float64 `json:"rmse"`
}

// FeatureResidual is the residuals by a feature's difference.
type FeatureResidual struct {
	Name   string          `json:"name"`
	Groups []ResidualGroup `json:"groups"`
}

// grouped sums residuals by an integer.
type grouped map[int]*agreement.Sums

func (all grouped) add(by, predicted, y []float64) {
	for i, v := range by {
		g := all[int(v)]
		if g == nil {
			g = new(agreement.Sums)
			all[int(v)] = g
		}
		g.Add(predicted[i], y[i], 1)
	}
}

// list returns the groups in ascending order.
func (all grouped) list() (list []ResidualGroup) {
	for _, v := range slices.Sorted(maps.Keys(all)) {
		s := all[v].Stats()
		list = append(list, ResidualGroup{v, s.Rows, all[v].Bias(), s.MAE, s.RMSE})
	}
	return list
}

// mostDrawn is the greatest number of rows in a figure of residuals.
const mostDrawn = 200_000

// residualSums compare predictions with the labels of rows.
type residualSums[P games.Position[P]] struct {
	weights  string
	predict  func(P) float64 // nil means the predictions in the file
	all      agreement.Sums
	phases   grouped
	features []string
	groups   []grouped // by the features' differences
	worst    largest[P]
	drawn    []report.Point
	seen     int64
	random   *rand.Rand
}

// newResidualSums returns nil if there are no predictions.
func newResidualSums[P games.Position[P]](m datasets.Meta, o Options[P]) *residualSums[P] {
	weights := o.Weights
	switch {
	case m.Kind == datasets.Positions, o.Predict == nil && !m.Predicted():
		return nil
	case o.Predict == nil:
		weights = "the predictions of the file"
	}
	r := &residualSums[P]{weights: weights, predict: o.Predict, phases: grouped{}, features: m.Features, random: rand.New(rand.NewPCG(1, 1))}
	for range m.Features {
		r.groups = append(r.groups, grouped{})
	}
	return r
}

func (r *residualSums[P]) add(t *table[P]) {
	var predicted []float64
	if r.predict != nil {
		predicted = t.predictions(r.predict)
	} else {
		predicted = t.field(datasets.PredictionColumns[0]).values
	}
	y := t.labels()
	r.phases.add(t.field("phase").values, predicted, y)
	for j, f := range r.features {
		r.groups[j].add(t.difference(f), predicted, y)
	}
	for i, p := range predicted {
		r.all.Add(p, y[i], 1)
		r.worst.add(sized[P]{size: math.Abs(y[i] - p), label: y[i], prediction: p, number: t.numbers[i], position: t.positions[i]})
		r.draw(report.Point{X: p, Y: y[i]})
	}
}

// draw keeps a uniform random sample of the points (reservoir sampling).
func (r *residualSums[P]) draw(p report.Point) {
	if r.seen++; len(r.drawn) < mostDrawn {
		r.drawn = append(r.drawn, p)
	} else if at := r.random.Int64N(r.seen); at < mostDrawn {
		r.drawn[at] = p
	}
}

// residuals returns the result.
func (r *residualSums[P]) residuals(g *games.Game[P]) *Residuals {
	all := &Residuals{Weights: r.weights, Stats: r.all.Stats(), Phases: r.phases.list(), Worst: r.worst.list(g), drawn: r.drawn}
	for j, f := range r.features {
		all.Features = append(all.Features, FeatureResidual{f, r.groups[j].list()})
	}
	return all
}

// predictions evaluates the rows, clamped to ±1000 points.
func (t *table[P]) predictions(predict func(P) float64) []float64 {
	values := make([]float64, t.rows())
	parallel.For(0, len(values), func(_, i int) {
		values[i] = max(-games.MaxPoints, min(games.MaxPoints, predict(t.positions[i])))
	})
	return values
}
