package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	"kroo/features"
	"kroo/internal/agreement"
	"kroo/regress"
)

// FeatureStats describes a feature of a features table: the difference of what
// it counts for the side to move and for the other side.
type FeatureStats struct {
	Name  string  `json:"name"`
	Mean  float64 `json:"mean"`
	SD    float64 `json:"sd"`
	R     float64 `json:"r"`     // correlation with the label
	Alone float64 `json:"alone"` // points a unit, fitted alone over doubled rows
	// With all other features fitted too; absent if the feature is the same in
	// all rows or those before it determine it.
	Together *float64  `json:"together,omitempty"` // points a unit
	StdErr   *float64  `json:"stderr,omitempty"`   // of Together; absent also if the rows are of too few games
	VIF      *float64  `json:"vif,omitempty"`      // variance inflation factor
	Effect   []Effect  `json:"effect"`             // by value of the difference; nil of a column that another program has computed
	With     []float64 `json:"correlations"`       // with every feature, in their order
}

// Effect is what the labels are where a feature's difference has a value.
type Effect struct {
	Difference int     `json:"difference"`
	Rows       int     `json:"rows"`
	Label      float64 `json:"label"` // mean, points
}

// features describes the features of a features table, nil for others, and says of what kind
// their standard errors are.
func (t *table[P]) features() ([]FeatureStats, *features.Errors, error) {
	m := t.manifest.Meta
	names := slices.Concat(m.Features, m.Fitted())
	if len(names) == 0 || t.rows() == 0 {
		return nil, nil, nil
	}
	differences := make([][]float64, len(names))
	for j, name := range names {
		differences[j] = t.difference(name)
	}
	all := make([]FeatureStats, len(names))
	y := t.labels()
	for j, x := range differences {
		mean, sd := stat.PopMeanStdDev(x, nil)
		all[j] = FeatureStats{Name: names[j], Mean: mean, SD: sd, R: agreement.Correlation(x, y), Alone: slope(x, y)}
		if j < len(m.Features) {
			all[j].Effect = effects(x, y)
		}
		for _, other := range differences {
			all[j].With = append(all[j].With, agreement.Correlation(x, other))
		}
	}
	errors, err := t.fitTogether(all, differences, y)
	return all, errors, err
}

// difference is the mover's number of a feature minus the other side's.
func (t *table[P]) difference(name string) []float64 {
	if slices.Contains(t.manifest.Meta.Columns, name) {
		return t.field(name).values
	}
	own, opp := t.field("own_"+datasets.ColumnName(name)), t.field("opp_"+datasets.ColumnName(name))
	d := make([]float64, t.rows())
	for i := range d {
		d[i] = own.values[i] - opp.values[i]
	}
	return d
}

// slope is the weight of a feature fitted alone, without an intercept.
func slope(x, y []float64) float64 {
	var xx, xy float64
	for i := range x {
		xx += x[i] * x[i]
		xy += x[i] * y[i]
	}
	if xx == 0 {
		return 0
	}
	return xy / xx
}

// effects are the mean labels by value.
func effects(x, y []float64) (all []Effect) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	byValue := make([]Effect, int(high-low)+1)
	for i, v := range x {
		e := &byValue[int(v-low)]
		e.Rows++
		e.Label += y[i]
	}
	for i, e := range byValue {
		if e.Rows > 0 {
			all = append(all, Effect{int(low) + i, e.Rows, e.Label / float64(e.Rows)})
		}
	}
	return all
}

// fitTogether fits the features that vary, all at once.
func (t *table[P]) fitTogether(all []FeatureStats, differences [][]float64, y []float64) (*features.Errors, error) {
	var varying []int
	for j := range all {
		if all[j].SD > 0 {
			varying = append(varying, j)
		}
	}
	if len(varying) == 0 || len(y) <= len(varying) || stat.PopVariance(y, nil) == 0 {
		return nil, nil
	}
	x := mat.NewDense(len(y), len(varying), nil)
	for k, j := range varying {
		x.SetCol(k, differences[j])
	}
	clusters := make([]uint64, len(y))
	for i, game := range t.field("game").values {
		clusters[i] = regress.Cluster(t.game, 0, datasets.PositionRow[P]{Position: t.positions[i], Game: int32(game)})
	}
	m, err := regress.Fit(x, y, regress.Options{Clusters: clusters})
	if err != nil {
		return nil, err
	}
	for k, column := range m.Columns {
		f := &all[varying[column]]
		f.Together, f.VIF = &m.Weights[k], &m.VIF[k]
		if m.StdErr != nil {
			f.StdErr = &m.StdErr[k]
		}
	}
	return &m.Errors, nil
}

// featureTables are two tables for people: the features, and how they hang
// together.
func (s *Profile) featureTables() [][][]string {
	if len(s.Features) == 0 {
		return nil
	}
	one := [][]string{{"feature", "mean", "sd", "r with label", "alone", "together", "± error", "vif"}}
	two := [][]string{{"feature"}}
	for _, f := range s.Features {
		row := []string{f.Name, fmt.Sprintf("%.3f", f.Mean), fmt.Sprintf("%.3f", f.SD), fmt.Sprintf("%.3f", f.R), fmt.Sprintf("%.3f", s.inUnits(f.Alone)), "–", "–", "–"}
		if f.Together != nil {
			row[5], row[7] = fmt.Sprintf("%.3f", s.inUnits(*f.Together)), fmt.Sprintf("%.1f", *f.VIF)
		}
		if f.StdErr != nil {
			row[6] = fmt.Sprintf("%.3f", s.inUnits(*f.StdErr))
		}
		one = append(one, row)
		two[0] = append(two[0], f.Name)
		with := []string{f.Name}
		for _, r := range f.With {
			with = append(with, strings.Replace(fmt.Sprintf("%.0f", 100*r), "-0", "0", 1))
		}
		two = append(two, with)
	}
	return [][][]string{one, two}
}
