package regress

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Solved is a least-squares fit to rows that have been added up.
type Solved struct {
	// Columns that have weights, and those that have none because they are combinations of
	// columns before them.
	Columns, Aliased []int
	// Sources are the columns that make up each of Aliased.
	Sources [][]int
	Weights []float64     // of Columns
	VIF     []float64     // of Columns, as in [Model]
	Inverse *mat.SymDense // of the Gram matrix of Columns
}

// Solve fits weights to columns of which the Gram matrix xᵀx is known, and xᵀy. None of the columns
// may be 0 in all rows. It is as exact as [LeastSquares] but for columns that are nearly combinations of
// others: sums do not show what less than a millionth of a column differs by.
func Solve(gram *mat.SymDense, xy []float64) (*Solved, error) {
	copied := mat.NewSymDense(len(xy), nil)
	copied.CopySym(gram)
	all := scaled(copied, mat.VecDenseCopyOf(mat.NewVecDense(len(xy), xy)))
	s := &Solved{}
	s.divide(all.gram)
	n := &normal{length: pick(all.length, s.Columns), gram: mat.NewSymDense(len(s.Columns), nil), xy: mat.NewVecDense(len(s.Columns), nil)}
	for k, j := range s.Columns {
		n.xy.SetVec(k, all.xy.AtVec(j))
		for i := range k + 1 {
			n.gram.SetSym(i, k, all.gram.At(s.Columns[i], j))
		}
	}
	var of solution
	if !of.cholesky(n, 0) {
		return nil, errors.New("cannot fit: the Gram matrix is not positive definite: expected features of a sensible size")
	}
	var err error
	if s.VIF, err = n.vif(); err != nil {
		return nil, err
	}
	s.Inverse = mat.NewSymDense(len(s.Columns), nil)
	for k, u := range of.u {
		s.Weights = append(s.Weights, u/n.length[k])
		for i := range k + 1 {
			s.Inverse.SetSym(i, k, of.inverse.At(i, k)/n.length[i]/n.length[k])
		}
	}
	return s, nil
}

// sumsTolerance is the share of a column's sum of squares below which what the columns before it
// leave of it is rounding.
const sumsTolerance = 1e-12

// divide tells the columns that are combinations of others, by the Gram matrix of columns scaled
// to length 1: row by row of its Cholesky factor.
func (s *Solved) divide(gram *mat.SymDense) {
	var factor [][]float64 // of Columns
	for j := range gram.SymmetricDim() {
		row := make([]float64, 0, len(s.Columns)+1)
		rest := 1.0
		for k, c := range s.Columns {
			v := gram.At(c, j)
			for i, f := range factor[k][:k] {
				v -= f * row[i]
			}
			v /= factor[k][k]
			row = append(row, v)
			rest -= v * v
		}
		if rest < sumsTolerance {
			s.Aliased, s.Sources = append(s.Aliased, j), append(s.Sources, s.sources(factor, row))
			continue
		}
		factor = append(factor, append(row, math.Sqrt(rest)))
		s.Columns = append(s.Columns, j)
	}
}

// sources are the columns that a combination is made of, by its row of the factor.
func (s *Solved) sources(factor [][]float64, row []float64) (all []int) {
	weights := make([]float64, len(row))
	for k := len(row) - 1; k >= 0; k-- {
		weights[k] = row[k]
		for i := k + 1; i < len(row); i++ {
			weights[k] -= factor[i][k] * weights[i]
		}
		weights[k] /= factor[k][k]
	}
	for k, w := range weights {
		if math.Abs(w) > 1e-6 {
			all = append(all, s.Columns[k])
		}
	}
	return all
}

// pick is some of the values.
func pick[T any](all []T, places []int) (some []T) {
	for _, i := range places {
		some = append(some, all[i])
	}
	return some
}
