package regress

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// aliasTolerance is R's, of lm.
const aliasTolerance = 1e-7

// independent divides columns, of the given lengths, into those that are combinations of the
// ones before them and the others. A column is such a combination if what they leave of it
// has less than aliasTolerance of its length.
func independent(x *mat.Dense, length []float64) (columns, aliased []int) {
	rows, _ := x.Dims()
	var basis [][]float64
	for j := range length {
		v := mat.Col(make([]float64, rows), j, x)
		floats.Scale(1/length[j], v)
		for range 2 { // once leaves too much of rounding
			for _, q := range basis {
				floats.AddScaled(v, -floats.Dot(q, v), q)
			}
		}
		rest := floats.Norm(v, 2)
		if rest < aliasTolerance {
			aliased = append(aliased, j)
			continue
		}
		floats.Scale(1/rest, v)
		columns, basis = append(columns, j), append(basis, v)
	}
	return columns, aliased
}
