package regress

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Solved is a least-squares fit to sums over rows.
type Solved struct {
	// Columns have weights; Aliased have none because they are linear combinations of earlier
	// columns (NA in R). A fit with a ridge has weights for all.
	Columns, Aliased []int
	// Sources are the columns that make up each of Aliased.
	Sources [][]int
	Weights []float64 // points per unit of each of Columns
	// VIF are the variance inflation factors 1/(1−R²), with R² from the regression of each of
	// Columns on the others over doubled rows; nil for a fit with a ridge.
	VIF     []float64
	Inverse *mat.SymDense // of the Gram matrix of Columns, with the ridge
	// ScaledCondition is the ratio of the largest to the smallest singular value of Columns scaled to
	// length 1, with the ridge as further rows (Belsley, Kuh and Welsch, Regression Diagnostics, 1980).
	ScaledCondition float64

	variance []float64 // ordinary variances of the weights, for sigma 1
}

// Solve fits weights to columns, given the Gram matrix xᵀx and xᵀy. No column may be 0 in all rows.
// Sums do not resolve differences of less than a millionth of a column.
//
// The ridge is relative to the data (Config.RelativeRidge): it is added to the diagonal of the Gram
// matrix scaled to columns of length 1. The ridge of pattern fits has another unit, rows
// (PatternConfig.RidgeRows), and is added to the sum over the rows as it is. The flag --ridge sets both.
func Solve(gram *mat.SymDense, xy []float64, ridge float64) (*Solved, error) {
	length := make([]float64, len(xy))
	for j := range length {
		length[j] = math.Sqrt(gram.At(j, j))
		if length[j] == 0 { // in all rows that count
			length[j] = 1
		}
	}
	cos := func(i, j int) float64 { return gram.At(i, j) / (length[i] * length[j]) }
	s := &Solved{Columns: upTo(len(xy))}
	if ridge == 0 {
		s.divide(cos)
	}
	n := len(s.Columns)
	if n == 0 {
		return nil, errors.New("every column is 0: expected features that vary")
	}
	g := mat.NewSymDense(n, nil)
	penalised := mat.NewSymDense(n, nil)
	right := mat.NewVecDense(n, nil)
	for k, j := range s.Columns {
		right.SetVec(k, xy[j]/length[j])
		for i, c := range s.Columns[:k+1] {
			g.SetSym(i, k, cos(c, j))
			penalised.SetSym(i, k, g.At(i, k))
		}
		penalised.SetSym(k, k, g.At(k, k)+ridge)
	}
	var e mat.EigenSym
	var c mat.Cholesky
	var w mat.VecDense
	var inverse mat.SymDense
	if !e.Factorize(penalised, false) || !c.Factorize(penalised) || c.SolveVecTo(&w, right) != nil ||
		c.InverseTo(&inverse) != nil {
		return nil, errors.New("the Gram matrix is not positive definite: expected features of a sensible size, or " +
			"a larger ridge")
	}
	values := e.Values(nil) // ascending
	s.ScaledCondition = min(math.Sqrt(values[n-1]/max(values[0], 0)), math.MaxFloat64)
	var half, covariance mat.Dense // of a ridge fit: (G+λ)⁻¹ G (G+λ)⁻¹
	half.Mul(&inverse, g)
	covariance.Mul(&half, &inverse)
	s.Inverse = mat.NewSymDense(n, nil)
	for k, j := range s.Columns {
		s.Weights = append(s.Weights, w.AtVec(k)/length[j])
		s.variance = append(s.variance, max(covariance.At(k, k), 0)/(length[j]*length[j]))
		if ridge == 0 {
			s.VIF = append(s.VIF, inverse.At(k, k))
		}
		for i, c := range s.Columns[:k+1] {
			s.Inverse.SetSym(i, k, inverse.At(i, k)/(length[c]*length[j]))
		}
	}
	return s, nil
}

// sumsTolerance is the share of a column's sum of squares below which its residual on earlier
// columns counts as rounding error.
const sumsTolerance = 1e-12

// divide finds the aliased columns from the scaled Gram matrix, row by row of its Cholesky factor.
func (s *Solved) divide(gram func(i, j int) float64) {
	var factor [][]float64 // of Columns
	all := s.Columns
	s.Columns = nil
	for _, j := range all {
		row := make([]float64, 0, len(s.Columns)+1)
		rest := 1.0
		for k, c := range s.Columns {
			v := gram(c, j)
			for i, f := range factor[k][:k] {
				v -= f * row[i]
			}
			v /= factor[k][k]
			row = append(row, v)
			rest -= v * v
		}
		if gram(j, j) == 0 || rest < sumsTolerance {
			s.Aliased = append(s.Aliased, j)
			s.Sources = append(s.Sources, s.sources(factor, row))
			continue
		}
		factor = append(factor, append(row, math.Sqrt(rest)))
		s.Columns = append(s.Columns, j)
	}
}

// sources returns the columns of a linear combination, given its row of the factor.
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
