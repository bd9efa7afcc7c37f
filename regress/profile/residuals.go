package profile

import (
	"maps"
	"math/rand/v2"
	"slices"

	"kroo/datasets"
	"kroo/internal/agreement"
	"kroo/report"
)

// Residuals compare the predictions in a dataset with its labels: label minus prediction, in points
// for the side to move.
type Residuals struct {
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
type residualSums struct {
	all      agreement.Sums
	phases   grouped
	features []string
	groups   []grouped // by the features' differences
	worst    largest
	drawn    []report.Point
	seen     int
	random   *rand.Rand
}

func newResidualSums(features []string) *residualSums {
	r := &residualSums{phases: grouped{}, features: features, worst: largest{size: FittedRow.err}, random: rand.New(rand.NewPCG(1, 1))}
	for range features {
		r.groups = append(r.groups, grouped{})
	}
	return r
}

func (r *residualSums) add(c *chunk) {
	predicted, y := c.values(datasets.PredictionColumns[0]), c.values("label")
	r.phases.add(c.values("phase"), predicted, y)
	for j, g := range r.groups {
		g.add(c.differences[j], predicted, y)
	}
	for i, p := range predicted {
		r.all.Add(p, y[i], 1)
		r.worst.add(FittedRow{Row: c.numbers[i], Label: y[i], Prediction: p})
		r.draw(report.Point{X: p, Y: y[i]})
	}
}

// draw keeps a uniform random sample of the points (reservoir sampling).
func (r *residualSums) draw(p report.Point) {
	if r.seen++; len(r.drawn) < mostDrawn {
		r.drawn = append(r.drawn, p)
	} else if at := r.random.IntN(r.seen); at < mostDrawn {
		r.drawn[at] = p
	}
}

// residuals returns the result.
func (r *residualSums) residuals() *Residuals {
	all := &Residuals{Stats: r.all.Stats(), Phases: r.phases.list(), Worst: r.worst.rows, drawn: r.drawn}
	for j, f := range r.features {
		all.Features = append(all.Features, FeatureResidual{f, r.groups[j].list()})
	}
	return all
}
