package regress

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/games"
)

// data is a matrix with its labels; the zero value has no rows.
type data struct {
	X *mat.Dense // one row a position, one column a feature: own − opponent's value
	Y []float64  // labels in points
	W []float64  // rows that each counts for; nil counts each once
	C []uint64   // group of each (datasets.GroupOf); nil takes each for one of its own

	Readings [][]float64 // other labels: see readings
}

// matrix makes of feature rows the matrix of the named features, of those that the meta
// names, one row a position and one column a feature: differences own − opponent's, and
// the numbers that another program has computed. Next to it are the labels in points, the
// weights that a column of a name holds, "" is none, the clusters, and the readings of the labels.
func matrix[P games.Position[P]](g *games.Game[P], rows []datasets.Row[P], m datasets.Meta, names []string, weight string, readings []string) (data, error) {
	if len(rows) == 0 || len(names) == 0 {
		return data{}, fmt.Errorf("%d rows of %d features: expected some of both", len(rows), len(names))
	}
	var d data
	values, err := featuresOf[P](m, names)
	if err != nil {
		return data{}, err
	}
	if d.W, err = weightsOf(g, rows, m, weight); err != nil {
		return data{}, err
	}
	x := make([]float64, 0, len(rows)*len(names))
	d.Y, d.C = make([]float64, len(rows)), make([]uint64, len(rows))
	for i, r := range rows {
		if len(r.Own) != len(m.Features) || len(r.Opp) != len(m.Features) || len(r.Values) != len(m.Columns) {
			return data{}, fmt.Errorf("row %d has %d own and %d opponent's features: expected %d", i, len(r.Own), len(r.Opp), len(m.Features))
		}
		x = values(x, r)
		d.Y[i], d.C[i] = r.Label, uint64(datasets.GroupOf(g, 0, r.Position, r.Game))
	}
	d.X = mat.NewDense(len(rows), len(names), x)
	for _, reading := range readings {
		y := make([]float64, len(rows))
		for i, r := range rows {
			y[i] = readAs(reading, r.Label, r.Exact)
		}
		d.Readings = append(d.Readings, y)
	}
	return d, nil
}

// featuresOf appends the values of the named features of a row.
func featuresOf[P games.Position[P]](m datasets.Meta, names []string) (func(dst []float64, r datasets.Row[P]) []float64, error) {
	at := make([]int, len(names))
	for j, name := range names {
		if slices.Contains(names[:j], name) {
			return nil, fmt.Errorf("feature %.80q is named twice: name each once", name)
		}
		if at[j] = slices.Index(featureNames(m), name); at[j] < 0 {
			return nil, fmt.Errorf("there is no feature %.80q among the rows' own: expected some of %.300s", name, strings.Join(featureNames(m), ", "))
		}
	}
	return func(dst []float64, r datasets.Row[P]) []float64 {
		for _, j := range at {
			if j < len(r.Own) {
				dst = append(dst, float64(r.Own[j])-float64(r.Opp[j]))
			} else {
				dst = append(dst, r.Values[j-len(r.Own)])
			}
		}
		return dst
	}, nil
}

// featureNames are the features of a dataset: those of its set, and then the columns that
// another program has computed.
func featureNames(m datasets.Meta) []string { return slices.Concat(m.Features, m.Columns) }

// weightsOf are the weights of rows, nil for none.
func weightsOf[P games.Position[P]](g *games.Game[P], rows []datasets.Row[P], m datasets.Meta, column string) ([]float64, error) {
	if column == "" {
		return nil, nil
	}
	of, err := datasets.Number(g, m, column)
	if err != nil {
		return nil, fmt.Errorf("weight: %w", err)
	}
	w := make([]float64, len(rows))
	for i, r := range rows {
		w[i] = of(r)
		if err := checkWeight(column, w[i], i); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// checkWeight refuses what is no number of rows, as the weight of a row.
func checkWeight(column string, w float64, row int) error {
	if !(w >= 0 && w <= largest) {
		return fmt.Errorf("the weight %s is %g in row %d: expected 0 to %g", column, w, row, largest)
	}
	return nil
}

// errNoWeight says that no row counts.
func errNoWeight(column string) error {
	return fmt.Errorf("the weight %s is 0 in every row: expected more", column)
}

// weightOf is the weight of a row.
func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Labels and features beyond these sizes are refused, so that no sum of squares
// overflows or vanishes.
const (
	largest  = 1e9
	smallest = 1e-9 // a column must hold something of this size
)

// counting is how many of n rows have a weight above 0.
func counting[W float32 | float64](weights []W, n int) (count int) {
	if weights == nil {
		return n
	}
	for _, w := range weights {
		if w > 0 {
			count++
		}
	}
	return count
}

func columnName(names []string, j int) string {
	if names == nil {
		return fmt.Sprintf("column %d", j)
	}
	return fmt.Sprintf("feature %s", names[j])
}

func sensible(v float64) bool { return math.Abs(v) <= largest } // false for NaN
