package profile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	"kroo/features"
	"kroo/internal/agreement"
	"kroo/regress"
	"kroo/report"
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
	// Error is the standard error of the mean in points, over clusters of rows ([regress.Cluster]); 0
	// of a single one.
	Error float64 `json:"error"`
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
	y, clusters := t.labels(), t.clusters()
	for j, x := range differences {
		mean, sd := stat.PopMeanStdDev(x, nil)
		all[j] = FeatureStats{Name: names[j], Mean: mean, SD: sd, R: agreement.Correlation(x, y), Alone: slope(x, y)}
		if j < len(m.Features) {
			all[j].Effect = effects(x, y, clusters)
		}
		for _, other := range differences {
			all[j].With = append(all[j].With, agreement.Correlation(x, other))
		}
	}
	errors, err := t.fitTogether(all, differences, y, clusters)
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

// clusters are the numbers of what rows depend on each other by.
func (t *table[P]) clusters() []uint64 {
	all := make([]uint64, t.rows())
	for i, game := range t.field("game").values {
		all[i] = regress.Cluster(t.game, 0, datasets.PositionRow[P]{Position: t.positions[i], Game: int32(game)})
	}
	return all
}

// effects are the mean labels by value, lowest first.
func effects(x, y []float64, clusters []uint64) (all []Effect) {
	rows := map[int][]int{}
	for i, v := range x {
		rows[int(v)] = append(rows[int(v)], i)
	}
	for _, v := range slices.Sorted(maps.Keys(rows)) {
		e := Effect{Difference: v, Rows: len(rows[v])}
		for _, i := range rows[v] {
			e.Label += y[i] / float64(e.Rows)
		}
		e.Error = errorOfMean(rows[v], y, clusters, e.Label)
		all = append(all, e)
	}
	return all
}

// errorOfMean is the standard error of a mean over rows: the residuals of a cluster add up, and G
// clusters correct by G/(G-1).
func errorOfMean(rows []int, y []float64, clusters []uint64, mean float64) float64 {
	sums := map[uint64]float64{}
	for _, i := range rows {
		sums[clusters[i]] += y[i] - mean
	}
	n, square := float64(len(sums)), 0.
	if n < 2 {
		return 0
	}
	for _, c := range slices.Sorted(maps.Keys(sums)) { // in one order, for the same bits
		square += sums[c] * sums[c]
	}
	return math.Sqrt(square*n/(n-1)) / float64(len(rows))
}

// effectSections show each feature: how often its difference has a value, and the labels there.
func (s *Profile) effectSections() (all []section) {
	for _, f := range s.Features {
		if len(f.Effect) < 2 {
			continue
		}
		one := section{heading: "labels by " + f.Name, table: [][]string{{"difference", "rows", "mean label, " + s.game.Unit + "s", "± 95 %"}}}
		if all == nil {
			one.text = "A straight line means that one weight says it all; a bend, that counts of their own would say more."
		}
		label := report.Chart{Name: "label-by-" + datasets.ColumnName(f.Name), Title: "Mean label by " + f.Name, X: f.Name + ", own minus opponent's", Y: "label, " + s.game.Unit + "s"}
		count := report.Chart{Name: "rows-by-" + datasets.ColumnName(f.Name), Title: "Rows by " + f.Name, X: label.X, Y: "rows"}
		for _, e := range f.Effect {
			mean, band, x := s.inUnits(e.Label), 1.96*s.inUnits(e.Error), float64(e.Difference)
			one.rows = append(one.rows, e.Rows)
			one.table = append(one.table, []string{strings.Replace(fmt.Sprintf("%+d", e.Difference), "+0", "0", 1), fmt.Sprint(e.Rows), fmt.Sprintf("%+.2f", mean), fmt.Sprintf("%.2f", band)})
			label.Add("mean label", x, mean)
			label.Add("95 % above", x, mean+band)
			label.Add("95 % below", x, mean-band)
			count.Add("rows", x, float64(e.Rows))
		}
		one.figures = drawn(label, count)
		all = append(all, one)
	}
	return all
}

// fitTogether fits the features that vary, all at once.
func (t *table[P]) fitTogether(all []FeatureStats, differences [][]float64, y []float64, clusters []uint64) (*features.Errors, error) {
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
