package inspect

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kroo/games"
	"kroo/regress/sparse"
)

// Residuals compare an evaluation with the labels: label minus prediction, in
// points for the side to move, predictions clamped to ±1000.
type Residuals struct {
	Weights string `json:"weights"`
	sparse.Stats
	Phases   []ResidualGroup   `json:"phases"`
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

// residuals compares an evaluation, in points, with the labels.
func (t *table[P]) residuals(name string, predict func(P) float64) (*Residuals, error) {
	if t.rows() == 0 {
		return nil, fmt.Errorf("%s: no rows left: expected some, to compare weights with", t.manifest.File)
	}
	y := t.labels()
	if y == nil {
		return nil, fmt.Errorf("%s holds %s: expected labels, to compare weights with", t.manifest.File, t.manifest.Meta.Kind)
	}
	r := &Residuals{Weights: name, predicted: make([]float64, len(y))}
	var m sparse.Moments
	for i, p := range t.positions {
		r.predicted[i] = max(-games.MaxPoints, min(games.MaxPoints, predict(p)))
		m.Add(r.predicted[i], y[i], 1)
	}
	r.Stats = m.Stats()
	r.Phases = r.groups(t.field("phase").values, y)
	for _, f := range t.manifest.Meta.Features {
		r.Features = append(r.Features, FeatureResidual{f, r.groups(t.difference(f), y)})
	}
	for _, i := range r.worst(y) {
		r.Worst = append(r.Worst, WorstRow{t.game.Print(t.positions[i]), y[i], r.predicted[i], t.game.Diagram(t.positions[i])})
	}
	return r, nil
}

// groups sums residuals up by an integer, lowest first.
func (r *Residuals) groups(by, y []float64) []ResidualGroup {
	at := map[int]*ResidualGroup{}
	for i, v := range by {
		g := at[int(v)]
		if g == nil {
			g = &ResidualGroup{Value: int(v)}
			at[int(v)] = g
		}
		d := y[i] - r.predicted[i]
		g.Rows++
		g.Mean += d
		g.MAE += math.Abs(d)
		g.RMSE += d * d
	}
	var all []ResidualGroup
	for _, g := range at {
		n := float64(g.Rows)
		all = append(all, ResidualGroup{g.Value, g.Rows, g.Mean / n, g.MAE / n, math.Sqrt(g.RMSE / n)})
	}
	slices.SortFunc(all, func(a, b ResidualGroup) int { return cmp.Compare(a.Value, b.Value) })
	return all
}

// worst finds the rows of largest residual, of equal ones the first.
func (r *Residuals) worst(y []float64) []int {
	var rows []int
	size := func(i int) float64 { return math.Abs(y[i] - r.predicted[i]) }
	for i := range y {
		if len(rows) == worstRows && size(i) <= size(rows[worstRows-1]) {
			continue
		}
		at, _ := slices.BinarySearchFunc(rows, size(i), func(row int, s float64) int {
			if size(row) >= s { // larger ones, and as large ones before it, stay before
				return -1
			}
			return 1
		})
		rows = slices.Insert(rows, at, i)
		rows = rows[:min(len(rows), worstRows)]
	}
	return rows
}
