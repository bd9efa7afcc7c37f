package regress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kroo/features"
	"kroo/internal/agreement"
)

// maxCondition is the condition number of the scaled Gram matrix beyond which a Cholesky solve
// would give fewer than about six correct digits of a weight.
const maxCondition = 1e10

// rankTolerance is the share of the largest singular value or eigenvalue below which one counts as rounding
// error.
const rankTolerance = 1e-10

// Methods of solving normal equations. SVD is the fallback if columns are nearly collinear.
const (
	cholesky = "cholesky"
	svd      = "svd"
)

// model is a fitted function.
type model struct {
	// Columns are the columns with weights; Aliased are those without, because they are linear
	// combinations of earlier columns (NA in R). A fit with a ridge has weights for all.
	Columns, Aliased []int

	Weights []float64 // points per unit of each of Columns
	// StdErr are the standard errors: ordinary ones, for independent rows of equal variance, if
	// each row is its own cluster, otherwise clustered ones. Errors has the kind. Nil if there are
	// too few clusters.
	StdErr []float64
	Errors features.Errors
	T      []float64 // Weights/StdErr
	// VIF are the variance inflation factors 1/(1−R²), with R² from the regression of each column
	// on the others over doubled rows; +Inf for a linear combination of others. The ridge is
	// ignored.
	VIF       []float64
	Stats     agreement.Doubled // on the training rows
	Sigma     float64           // estimated standard deviation of labels about the function, points
	Ridge     float64           // relative to the data: added to the diagonal of the Gram matrix scaled to columns of length 1
	Condition float64           // of the scaled Gram matrix with the ridge; large if nearly collinear
	Method    string            // svd indicates nearly collinear columns

	reading  int        // of the labels fitted
	length   []float64  // of the columns
	variance []float64  // ordinary variances of the weights of columns scaled to length 1, for sigma 1
	inverse  mat.Matrix // of the Gram matrix of scaled columns with the ridge
}

func cannotFit(err error) error { return fmt.Errorf("cannot fit: %w", err) }

// fitter fits any of the columns of samples.
type fitter struct {
	*moments
	ridge    float64
	clusters *repeated
}

// newFitter reads the samples, whose columns have the given names, once.
func newFitter(ctx context.Context, s samples, names []string, ridge float64) (f *fitter, err error) {
	f = &fitter{ridge: ridge, clusters: newRepeated(s.maxRows(), len(names))}
	f.moments, err = momentsOf(ctx, s, names, f.clusters)
	f.clusters.close()
	return f, err
}

// target is what to fit: columns, and a reading of the labels.
type target struct {
	columns []int
	reading int
}

// fit fits models. It reads the samples once more for all of them together.
func (f *fitter) fit(ctx context.Context, targets ...target) ([]*model, error) {
	models := make([]*model, len(targets))
	for i, w := range targets {
		var err error
		if models[i], err = f.solve(ctx, w.reading, w.columns); err != nil {
			return nil, cannotFit(err)
		}
	}
	return models, f.finish(ctx, models)
}

// solve finds the weights.
func (f *fitter) solve(ctx context.Context, reading int, columns []int) (*model, error) {
	if err := f.check(reading, columns); err != nil {
		return nil, err
	}
	n := f.normal(reading, columns)
	condition, err := n.condition(f.ridge)
	if err != nil {
		return nil, err
	}
	var x *mat.Dense // a matrix with the rows' Gram matrix
	var y []float64
	if condition > maxCondition {
		if x, y, err = f.reduced(ctx, reading, columns); err != nil {
			return nil, err
		}
	}
	if condition > maxCondition && f.ridge == 0 {
		if left, aliased := independent(x, n.length); aliased != nil {
			some, err := f.solve(ctx, reading, pick(columns, left))
			if err == nil {
				some.Aliased = pick(columns, aliased)
			}
			return some, err
		}
	}
	m := &model{reading: reading, Columns: columns, Ridge: f.ridge, Method: cholesky, Condition: condition, length: n.length}
	if condition > maxCondition || !m.cholesky(n) {
		if x == nil {
			x, y, err = f.reduced(ctx, reading, columns)
		}
		if err == nil {
			err = m.svd(x, y)
		}
	} else {
		m.VIF, err = n.vif()
	}
	return m, err
}

// predict returns the unclamped predictions for rows, in points. x has only the model's columns.
func (m *model) predict(x *mat.Dense) []float64 {
	rows, _ := x.Dims()
	out := make([]float64, rows)
	mat.NewVecDense(rows, out).MulVec(x, mat.NewVecDense(len(m.Weights), m.Weights))
	return out
}

// columnsOf returns the given columns of a matrix.
func columnsOf(x *mat.Dense, columns []int) *mat.Dense {
	rows, cols := x.Dims()
	if slices.Equal(columns, allColumns(cols)) {
		return x
	}
	out := mat.NewDense(rows, len(columns), nil)
	for i := range rows {
		to, from := out.RawRowView(i), x.RawRowView(i)
		for k, j := range columns {
			to[k] = from[j]
		}
	}
	return out
}

// normal is the normal equations in columns scaled to length 1.
type normal struct {
	length []float64 // original length of each column
	gram   *mat.SymDense
	xy     *mat.VecDense
}

// scaled returns the scaled normal equations of a Gram matrix, which it overwrites, and xᵀy.
func scaled(gram *mat.SymDense, xy *mat.VecDense) *normal {
	n := &normal{length: make([]float64, xy.Len()), gram: gram, xy: xy}
	for j := range n.length {
		if n.length[j] = math.Sqrt(n.gram.At(j, j)); n.length[j] == 0 { // in all rows that count
			n.length[j] = 1
		}
	}
	for j, a := range n.length {
		n.xy.SetVec(j, n.xy.AtVec(j)/a)
		for i, b := range n.length[:j+1] {
			n.gram.SetSym(i, j, n.gram.At(i, j)/(a*b))
		}
	}
	return n
}

// penalised returns the scaled Gram matrix with the ridge on its diagonal.
func (n *normal) penalised(ridge float64) *mat.SymDense {
	g := mat.NewSymDense(len(n.length), nil) // CopySym does not allocate
	g.CopySym(n.gram)
	for j := range n.length {
		g.SetSym(j, j, g.At(j, j)+ridge)
	}
	return g
}

// condition returns the ratio of the largest to the smallest eigenvalue, or the largest finite
// number if the smallest is rankTolerance in rounding.
func (n *normal) condition(ridge float64) (float64, error) {
	var e mat.EigenSym
	if !e.Factorize(n.penalised(ridge), false) {
		return 0, errNoEigenvalues
	}
	v := e.Values(nil) // ascending
	return min(v[len(v)-1]/max(v[0], 0), math.MaxFloat64), nil
}

// vif returns the diagonal of the inverse of the scaled Gram matrix, from its eigenvectors: those
// of eigenvalue zero are combinations of columns that vanish.
func (n *normal) vif() ([]float64, error) {
	var e mat.EigenSym
	if !e.Factorize(n.gram, true) {
		return nil, errNoEigenvalues
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	values := e.Values(nil)
	return inflation(&vectors, values, rankTolerance*values[len(values)-1]), nil
}

// inflation returns the diagonal of V·diag(1/values)·V' of the vectors V. Vectors with values up to
// tolerance are combinations of columns that vanish.
func inflation(vectors *mat.Dense, values []float64, tolerance float64) []float64 {
	out := make([]float64, len(values))
	for k, value := range values {
		for j := range out {
			switch v := vectors.At(j, k); {
			case value > tolerance:
				out[j] += v * v / value
			case math.Abs(v) > 1e-6:
				out[j] = math.Inf(1)
			}
		}
	}
	return out
}

var errNoEigenvalues = errors.New("the Gram matrix has no eigenvalues: expected features of a sensible size")

// scale sets the weights, given those of scaled columns.
func (m *model) scale(weights []float64) {
	m.Weights = make([]float64, len(weights))
	for j, u := range weights {
		m.Weights[j] = u / m.length[j]
	}
}

// cholesky solves the equations. It returns false if the matrix is not positive definite.
func (m *model) cholesky(n *normal) bool {
	var c mat.Cholesky
	if !c.Factorize(n.penalised(m.Ridge)) {
		return false
	}
	var w mat.VecDense
	var inverse mat.SymDense
	if c.SolveVecTo(&w, n.xy) != nil || c.InverseTo(&inverse) != nil {
		return false
	}
	// Covariance of a ridge fit: (G+λ)⁻¹ G (G+λ)⁻¹.
	var half, cov mat.Dense
	half.Mul(&inverse, n.gram)
	cov.Mul(&half, &inverse)
	m.variance = make([]float64, len(n.length))
	for j := range m.variance {
		m.variance[j] = max(cov.At(j, j), 0)
	}
	m.inverse = &inverse
	m.scale(w.RawVector().Data)
	return true
}

// svd solves the equations from the singular values of the scaled matrix itself, which doubles the
// precision.
func (m *model) svd(x *mat.Dense, y []float64) error {
	m.Method = svd
	rows, cols := x.Dims()
	var scaled mat.Dense
	scaled.Apply(func(_, j int, v float64) float64 { return v / m.length[j] }, x)
	var f mat.SVD
	if !f.Factorize(&scaled, mat.SVDThin) {
		return errors.New("no singular values found: expected features of a sensible size")
	}
	var left, right mat.Dense
	f.UTo(&left)
	f.VTo(&right)
	var uy mat.VecDense
	uy.MulVec(left.T(), mat.NewVecDense(rows, y))

	squares := f.Values(nil) // eigenvalues of the Gram matrix
	var weights []float64
	weights, m.variance = make([]float64, cols), make([]float64, cols)
	root := mat.DenseCopyOf(&right) // of the inverse
	for k, sigma := range squares {
		squares[k] = sigma * sigma
		gain := sigma / (sigma*sigma + m.Ridge)
		for j := range cols {
			v := right.At(j, k)
			weights[j] += v * gain * uy.AtVec(k)
			m.variance[j] += v * v * gain * gain
			root.Set(j, k, v/math.Sqrt(sigma*sigma+m.Ridge))
		}
	}
	var inverse mat.Dense
	inverse.Mul(root, root.T())
	m.inverse = &inverse
	m.scale(weights)
	m.Condition = (squares[0] + m.Ridge) / (squares[cols-1] + m.Ridge)
	m.VIF = inflation(&right, squares, rankTolerance*rankTolerance*squares[0])
	return nil
}

// aliasTolerance is that of R's lm.
const aliasTolerance = 1e-7

// independent separates columns, of the given lengths, from linear combinations of earlier ones. A
// column is aliased if its residual on these is shorter than aliasTolerance times its length.
func independent(x *mat.Dense, length []float64) (columns, aliased []int) {
	rows, _ := x.Dims()
	var basis [][]float64
	for j := range length {
		v := mat.Col(make([]float64, rows), j, x)
		floats.Scale(1/length[j], v)
		for range 2 { // a single pass leaves too much rounding error
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

// Solved is a least-squares fit to sums over rows.
type Solved struct {
	// Columns have weights; Aliased have none because they are linear combinations of earlier
	// columns.
	Columns, Aliased []int
	// Sources are the columns that make up each of Aliased.
	Sources [][]int
	Weights []float64     // of Columns
	VIF     []float64     // of Columns, as in model
	Inverse *mat.SymDense // of the Gram matrix of Columns
}

// Solve fits weights to columns, given the Gram matrix xᵀx and xᵀy. No column may be 0 in all rows.
// It is as precise as a fit to rows, except for nearly collinear columns: sums do not resolve
// differences of less than a millionth of a column.
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
	of := &model{length: n.length}
	if !of.cholesky(n) {
		return nil, errors.New("cannot fit: the Gram matrix is not positive definite: expected features of a sensible size")
	}
	var err error
	if s.VIF, err = n.vif(); err != nil {
		return nil, err
	}
	s.Inverse = mat.NewSymDense(len(s.Columns), nil)
	s.Weights = of.Weights
	for k := range of.Weights {
		for i := range k + 1 {
			s.Inverse.SetSym(i, k, of.inverse.At(i, k)/n.length[i]/n.length[k])
		}
	}
	return s, nil
}

// sumsTolerance is the share of a column's sum of squares below which its residual on earlier
// columns counts as rounding error.
const sumsTolerance = 1e-12

// divide finds the aliased columns from the scaled Gram matrix, row by row of its Cholesky factor.
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

// pick returns the values at the given indices.
func pick[T any](all []T, places []int) (some []T) {
	for _, i := range places {
		some = append(some, all[i])
	}
	return some
}
