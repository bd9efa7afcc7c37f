package regress

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/games"
)

// data is a matrix with its labels; the zero value holds no rows.
type data struct {
	X *mat.Dense // one row a position, one column a feature: own − opponent's value
	Y []float64  // labels in points
}

// matrix makes of feature rows the matrix of differences own − opponent's, one
// row a position and one column a feature, and the labels in points. Every row
// must hold the given number of features.
func matrix[P games.Position[P]](rows []datasets.FeatureRow[P], features int) (data, error) {
	if len(rows) == 0 || features <= 0 {
		return data{}, fmt.Errorf("%d rows of %d features: expected some of both", len(rows), features)
	}
	x, y := make([]float64, 0, len(rows)*features), make([]float64, len(rows))
	for i, r := range rows {
		if len(r.Own) != features || len(r.Opp) != features {
			return data{}, fmt.Errorf("row %d has %d own and %d opponent's features: expected %d", i, len(r.Own), len(r.Opp), features)
		}
		for j := range r.Own {
			x = append(x, float64(r.Own[j])-float64(r.Opp[j]))
		}
		y[i] = r.Label
	}
	return data{mat.NewDense(len(rows), features, x), y}, nil
}

// Labels and features beyond these sizes are refused, so that no sum of squares
// overflows or vanishes.
const (
	largest  = 1e9
	smallest = 1e-9 // a column must hold something of this size
)

// check refuses what cannot be fitted. names are used in errors; without them
// columns are numbered.
func check(x *mat.Dense, y []float64, names []string) error {
	if x == nil || x.IsEmpty() {
		return errors.New("no rows: expected more rows than features")
	}
	rows, cols := x.Dims()
	if len(y) != rows {
		return fmt.Errorf("%d labels for %d rows: expected as many", len(y), rows)
	}
	if names != nil && len(names) != cols {
		return fmt.Errorf("%d names for %d columns: expected as many", len(names), cols)
	}
	if rows <= cols {
		return fmt.Errorf("%d rows for %d features: expected more rows than features", rows, cols)
	}
	if err := checkLabels(y); err != nil {
		return err
	}
	if columnsAreGood(x) {
		return nil
	}
	column := make([]float64, rows)
	for j := range cols { // find out which is not, and why
		if err := checkColumn(mat.Col(column, j, x), columnName(names, j)); err != nil {
			return err
		}
	}
	return nil
}

func checkLabels(y []float64) error {
	bad, first := 0, 0
	for i, v := range y {
		if !sensible(v) {
			if bad == 0 {
				first = i
			}
			bad++
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d labels are no number of points, the first, %g, in row %d: expected -%g to %g", bad, len(y), y[first], first, largest, largest)
	}
	if constant(y) {
		return fmt.Errorf("every label is %g: expected labels that differ", y[0])
	}
	return nil
}

// columnsAreGood tells whether checkColumn takes every column. It reads row by
// row, as they lie in memory.
func columnsAreGood(x *mat.Dense) bool {
	rows, cols := x.Dims()
	first := x.RawRowView(0)
	varies, most := make([]bool, cols), make([]float64, cols)
	for i := range rows {
		for j, v := range x.RawRowView(i) {
			if !sensible(v) {
				return false
			}
			varies[j] = varies[j] || v != first[j]
			most[j] = max(most[j], math.Abs(v))
		}
	}
	return !slices.Contains(varies, false) && slices.Min(most) >= smallest
}

func checkColumn(v []float64, name string) error {
	for i, a := range v {
		if !sensible(a) {
			return fmt.Errorf("%s is %g in row %d: expected -%g to %g", name, a, i, largest, largest)
		}
	}
	if constant(v) {
		return fmt.Errorf("%s is %g in every row: expected it to vary; use more rows or fewer features", name, v[0])
	}
	if floats.Norm(v, math.Inf(1)) < smallest {
		return fmt.Errorf("%s is below %g in every row: expected larger numbers", name, smallest)
	}
	return nil
}

func columnName(names []string, j int) string {
	if names == nil {
		return fmt.Sprintf("column %d", j)
	}
	return fmt.Sprintf("feature %s", names[j])
}

func sensible(v float64) bool { return math.Abs(v) <= largest } // false for NaN

func constant(v []float64) bool {
	return !slices.ContainsFunc(v, func(a float64) bool { return a != v[0] })
}
