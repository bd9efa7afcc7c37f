package regress

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Evaluate measures a model on other rows than it was fitted to. x must have
// the model's columns.
func Evaluate(m *Model, x *mat.Dense, y []float64) (Stats, error) {
	if x == nil || x.IsEmpty() {
		return Stats{}, fmt.Errorf("cannot evaluate: no rows")
	}
	rows, cols := x.Dims()
	if cols != len(m.Weights) || rows != len(y) {
		return Stats{}, fmt.Errorf("cannot evaluate: %d rows of %d columns with %d labels: expected %d columns and a label a row", rows, cols, len(y), len(m.Weights))
	}
	for i := range rows {
		if row := x.RawRowView(i); !sensible(y[i]) || !(floats.Norm(row, math.Inf(1)) <= largest) {
			return Stats{}, fmt.Errorf("cannot evaluate: label %g, features %v in row %d: expected -%g to %g", y[i], row, i, largest, largest)
		}
	}
	return statistics(m.Predict(x), y), nil
}

// statistics of predictions over doubled rows. Doubling changes no mean square
// or mean error; it makes both means zero, so that the correlation is about
// zero. Without variation it is reported as 0.
func statistics(pred, y []float64) Stats {
	var py, pp, yy, squares, absolute float64
	for i, p := range pred {
		py += p * y[i]
		pp += p * p
		yy += y[i] * y[i]
		squares += (p - y[i]) * (p - y[i])
		absolute += math.Abs(p - y[i])
	}
	n := float64(len(y))
	s := Stats{Rows: len(y), MAE: absolute / n, RMSE: math.Sqrt(squares / n)}
	if yy > 0 {
		s.R2 = 1 - squares/yy
	}
	s.R = correlation(py, pp, yy)
	return s
}

// correlation is that of variables of mean zero; 0 where one does not vary.
func correlation(py, pp, yy float64) float64 {
	if pp == 0 || yy == 0 {
		return 0
	}
	return max(-1, min(1, py/math.Sqrt(pp)/math.Sqrt(yy)))
}
