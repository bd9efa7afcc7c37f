package regress

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kroo/internal/agreement"
)

// evaluate measures a model on other rows than it was fitted to. x must have
// the model's columns.
func evaluate(m *Model, x *mat.Dense, y, weights []float64) (agreement.Doubled, error) {
	if x == nil || x.IsEmpty() {
		return agreement.Doubled{}, fmt.Errorf("cannot evaluate: no rows")
	}
	rows, cols := x.Dims()
	if cols != len(m.Weights) || rows != len(y) {
		return agreement.Doubled{}, fmt.Errorf("cannot evaluate: %d rows of %d columns with %d labels: expected %d columns and a label a row", rows, cols, len(y), len(m.Weights))
	}
	for i := range rows {
		if row := x.RawRowView(i); !sensible(y[i]) || !(floats.Norm(row, math.Inf(1)) <= largest) {
			return agreement.Doubled{}, fmt.Errorf("cannot evaluate: label %g, features %v in row %d: expected -%g to %g", y[i], row, i, largest, largest)
		}
	}
	return statistics(m.predict(x), y, weights), nil
}

// statistics of predictions over doubled rows.
func statistics(pred, y, weights []float64) agreement.Doubled {
	var s agreement.Sums
	for i, p := range pred {
		s.Add(p, y[i], weightOf(weights, i))
	}
	return s.Doubled()
}
