package profile

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/parallel"
)

// Agreement is how an evaluation agrees with the labels of some rows, predictions
// clamped to ±1000 points.
type Agreement struct {
	Weights string `json:"weights"`
	agreement.Stats
	Phases []ResidualGroup `json:"phases"`
}

func newAgreement(weights string, predicted, y, phases []float64) Agreement {
	var all agreement.Sums
	for i, p := range predicted {
		all.Add(p, y[i], 1)
	}
	return Agreement{weights, all.Stats(), groups(phases, predicted, y)}
}

// Residuals compare an evaluation with the labels: label minus prediction, in
// points for the side to move.
type Residuals struct {
	Agreement
	Features []FeatureResidual `json:"features,omitempty"`
	Worst    []WorstRow        `json:"worst"`

	predicted []float64
}

// ResidualGroup is the residuals of some rows.
type ResidualGroup struct {
	Value int     `json:"value"` // of the phase, or of a feature's difference
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

// WorstRow is a row with a large residual.
type WorstRow struct {
	Board      string  `json:"board"`
	Label      float64 `json:"label"`
	Prediction float64 `json:"prediction"`
	diagram    string
}

// worstRows is how many of the worst rows are shown.
const worstRows = 5

// residuals compares what an evaluation predicts, in points, with the labels.
func (t *table[P]) residuals(name string, predicted []float64) (*Residuals, error) {
	if t.rows() == 0 {
		return nil, fmt.Errorf("%s: no rows left: expected some, to compare weights with", t.manifest.File)
	}
	y, err := t.needLabels()
	if err != nil {
		return nil, err
	}
	r := &Residuals{predicted: predicted}
	r.Agreement = newAgreement(name, r.predicted, y, t.field("phase").values)
	for _, f := range t.manifest.Meta.Features {
		r.Features = append(r.Features, FeatureResidual{f, groups(t.difference(f), r.predicted, y)})
	}
	rows := make([]int32, len(y))
	for i := range rows {
		rows[i] = int32(i)
	}
	byResidual(rows, y, r.predicted)
	for _, i := range rows[:min(len(rows), worstRows)] {
		r.Worst = append(r.Worst, WorstRow{t.game.Print(t.positions[i]), y[i], r.predicted[i], t.game.Diagram(t.positions[i])})
	}
	return r, nil
}

// predictions are an evaluation's values of the rows, within ±1000 points.
func (t *table[P]) predictions(predict func(P) float64) []float64 {
	values := make([]float64, t.rows())
	parallel.For(0, len(values), func(_, i int) {
		values[i] = max(-games.MaxPoints, min(games.MaxPoints, predict(t.positions[i])))
	})
	return values
}

// groups sums residuals up by an integer, lowest first.
func groups(by, predicted, y []float64) (all []ResidualGroup) {
	at := map[int]*agreement.Sums{}
	for i, v := range by {
		g := at[int(v)]
		if g == nil {
			g = new(agreement.Sums)
			at[int(v)] = g
		}
		g.Add(predicted[i], y[i], 1)
	}
	for _, v := range slices.Sorted(maps.Keys(at)) {
		s := at[v].Stats()
		all = append(all, ResidualGroup{v, s.Rows, at[v].Bias(), s.MAE, s.RMSE})
	}
	return all
}

// byResidual sorts rows by their residual, the largest first; equal ones by number.
func byResidual(rows []int32, y, predicted []float64) {
	size := func(i int32) float64 { return math.Abs(y[i] - predicted[i]) }
	slices.SortFunc(rows, func(i, j int32) int { return cmp.Or(cmp.Compare(size(j), size(i)), cmp.Compare(i, j)) })
}
