package regress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kroo/features"
	"kroo/internal/agreement"
	"kroo/internal/checksum"
)

// moments are the sums from which the normal equations of any columns follow.
type moments struct {
	rows     int
	counting int     // rows with a weight above 0
	weight   float64 // of all rows
	gram     *mat.SymDense
	xy       *mat.VecDense
	low      []float64 // of each column, then of the labels
	high     []float64
}

// gramRows is the number of rows added to the Gram matrix at a time, few enough to stay in the
// second-level cache. With 230 columns this takes a quarter of the time and gives the same bits.
const gramRows = 128

func newMoments(columns int) *moments {
	m := &moments{gram: mat.NewSymDense(columns, nil), xy: mat.NewVecDense(columns, nil)}
	for range columns + 1 {
		m.low, m.high = append(m.low, math.Inf(1)), append(m.high, math.Inf(-1))
	}
	return m
}

func (m *moments) add(b *block) {
	n, cols := b.x.Dims()
	m.rows += n
	m.counting += positive(b.w, n)
	for i := range n {
		m.weight += weightOf(b.w, i)
		for j, v := range b.x.RawRowView(i) {
			m.low[j], m.high[j] = min(m.low[j], v), max(m.high[j], v)
		}
	}
	m.low[cols], m.high[cols] = min(m.low[cols], floats.Min(b.y)), max(m.high[cols], floats.Max(b.y))
	x, y := b.x, b.y
	if b.w != nil { // the normal equations of the weighted rows are those of the rows times the weights' roots
		x, y = new(mat.Dense), make([]float64, n)
		x.Apply(func(i, _ int, v float64) float64 { return v * math.Sqrt(b.w[i]) }, b.x)
		for i := range y {
			y[i] = b.y[i] * math.Sqrt(b.w[i])
		}
	}
	for from := 0; from < n; from += gramRows {
		m.gram.SymRankK(m.gram, 1, x.Slice(from, min(from+gramRows, n), 0, cols).T())
	}
	blas64.Gemv(blas.Trans, 1, x.RawMatrix(), blas64.Vector{N: n, Data: y, Inc: 1}, 1, m.xy.RawVector())
}

// merge adds the sums of later rows.
func (m *moments) merge(o *moments) {
	m.rows, m.counting, m.weight = m.rows+o.rows, m.counting+o.counting, m.weight+o.weight
	m.gram.AddSym(m.gram, o.gram)
	m.xy.AddVec(m.xy, o.xy)
	for j := range m.low {
		m.low[j], m.high[j] = min(m.low[j], o.low[j]), max(m.high[j], o.high[j])
	}
}

// fitter fits any of the columns of samples.
type fitter struct {
	*moments
	names   []string // of the columns
	samples samples
	ridge   float64
	several severalRows
}

// newFitter reads the samples, whose columns have the given names, once.
func newFitter(ctx context.Context, s samples, names []string, ridge float64) (*fitter, error) {
	f := &fitter{moments: newMoments(len(names)), names: names, samples: s, ridge: ridge}
	err := s.pass(ctx, func() sink {
		group := newMoments(len(names))
		var seen []uint32
		return sink{func(b *block) error {
			for i, c := range b.c {
				if weightOf(b.w, i) > 0 {
					seen = append(seen, clusterHash(c))
				}
			}
			if err := b.check(names); err != nil {
				return cannotFit(err)
			}
			group.add(b)
			return nil
		}, func() {
			f.merge(group)
			f.several.seen = append(f.several.seen, seen...)
		}}
	})
	f.several.close()
	return f, err
}

func cannotFit(err error) error { return fmt.Errorf("cannot fit: %w", err) }

// fit fits models of the given columns. It reads the samples once more for all of them together.
func (f *fitter) fit(ctx context.Context, columns ...[]int) ([]*ModelSummary, error) {
	models := make([]*ModelSummary, len(columns))
	for i, c := range columns {
		var err error
		if models[i], err = f.solve(c); err != nil {
			return nil, cannotFit(err)
		}
	}
	if err := f.refine(ctx, models); err != nil {
		return nil, err
	}
	return models, f.finish(ctx, models)
}

// illConditioned is the condition number of a Gram matrix beyond which its solution has fewer than
// about eight correct digits.
const illConditioned = 1e8

// refine corrects the weights of ill-conditioned models by the gradients of the rows, which sums
// do not resolve (the corrected seminormal equations; Björck, Linear Algebra and its Applications
// 88/89, 1987). It reads the samples twice more for all of them, or not at all.
func (f *fitter) refine(ctx context.Context, models []*ModelSummary) error {
	var ill []*ModelSummary
	for _, m := range models {
		if m.Condition > illConditioned {
			ill = append(ill, m)
		}
	}
	for step := 0; step < 2 && ill != nil; step++ {
		gradients := gradientsOf(ill)
		err := f.samples.pass(ctx, func() sink {
			group := gradientsOf(ill)
			return sink{func(b *block) error {
				for i, m := range ill {
					m.addGradient(group[i], b)
				}
				return nil
			}, func() {
				for i, g := range group {
					gradients[i].AddVec(gradients[i], g)
				}
			}}
		})
		if err != nil {
			return err
		}
		for i, m := range ill {
			m.correct(gradients[i], f.ridge)
		}
	}
	return nil
}

func gradientsOf(models []*ModelSummary) (zeros []*mat.VecDense) {
	for _, m := range models {
		zeros = append(zeros, mat.NewVecDense(len(m.Points), nil))
	}
	return zeros
}

// addGradient adds the gradient of rows: the products of their errors with the columns scaled to
// length 1.
func (m *ModelSummary) addGradient(sum *mat.VecDense, b *block) {
	x := columnsOf(b.x, m.solved.Columns)
	for i, p := range m.predict(x) {
		off := weightOf(b.w, i) * (b.y[i] - p)
		for j, v := range x.RawRowView(i) {
			sum.SetVec(j, sum.AtVec(j)+off*v/m.solved.length[j])
		}
	}
}

// correct makes the step at which the gradient vanishes.
func (m *ModelSummary) correct(gradient *mat.VecDense, ridge float64) {
	for j, w := range m.Points {
		gradient.SetVec(j, gradient.AtVec(j)-ridge*w*m.solved.length[j])
	}
	var step mat.VecDense
	step.MulVec(m.solved.inverse, gradient)
	for j := range m.Points {
		m.Points[j] += step.AtVec(j) / m.solved.length[j]
	}
}

// check returns an error if columns cannot be fitted.
func (f *fitter) check(columns []int) error {
	switch last := len(f.names); {
	case f.rows == 0:
		return errors.New("no rows: expected more rows than features")
	case f.rows <= len(columns):
		return fmt.Errorf("%d rows for %d features: expected more rows than features", f.rows, len(columns))
	case f.low[last] == f.high[last]:
		return fmt.Errorf("every label is %g: expected labels that differ", f.low[last])
	case f.counting <= len(columns):
		return fmt.Errorf("%d rows with a weight above 0 for %d features: expected more rows than features", f.counting, len(columns))
	}
	for _, j := range columns {
		switch low, high := f.low[j], f.high[j]; {
		case low == high:
			return fmt.Errorf("feature %s is %g in every row: expected it to vary; use more rows, or leave it out (--columns)", f.names[j], low)
		case max(-low, high) < smallest:
			return fmt.Errorf("feature %s is below %g in every row: expected larger numbers", f.names[j], smallest)
		}
	}
	return nil
}

// solve finds the weights.
func (f *fitter) solve(columns []int) (*ModelSummary, error) {
	if err := f.check(columns); err != nil {
		return nil, err
	}
	gram, xy := mat.NewSymDense(len(columns), nil), make([]float64, len(columns))
	for j, a := range columns {
		xy[j] = f.xy.AtVec(a)
		for i, b := range columns[:j+1] {
			gram.SetSym(i, j, f.gram.At(a, b))
		}
	}
	s, err := solve(gram, xy, f.ridge)
	if err != nil {
		return nil, err
	}
	s.Columns, s.Aliased = pick(columns, s.Columns), pick(columns, s.Aliased)
	m := &ModelSummary{Features: pick(f.names, s.Columns), Aliased: pick(f.names, s.Aliased), Points: s.Weights, Condition: s.Condition, solved: s}
	if !slices.Contains(s.VIF, math.Inf(1)) { // JSON has no infinity
		m.VIF = s.VIF
	}
	return m, nil
}

// predict returns the unclamped predictions for rows, in points. x has only the model's columns.
func (m *ModelSummary) predict(x *mat.Dense) []float64 {
	rows, _ := x.Dims()
	out := make([]float64, rows)
	mat.NewVecDense(rows, out).MulVec(x, mat.NewVecDense(len(m.Points), m.Points))
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

// allColumns returns the indices of all columns.
func allColumns(n int) []int {
	all := make([]int, n)
	for j := range all {
		all[j] = j
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

// finish computes statistics, standard errors and t values of models.
func (f *fitter) finish(ctx context.Context, all []*ModelSummary) error {
	sums := newFinishSums(all)
	err := f.samples.pass(ctx, func() sink {
		group := newFinishSums(all)
		return sink{func(b *block) error {
			alone := make([]bool, len(b.c))
			for i, c := range b.c {
				alone[i] = f.several.alone(c)
			}
			for i, m := range all {
				group[i].add(m, b, alone)
			}
			return nil
		}, func() {
			for i, s := range group {
				sums[i].merge(s)
			}
		}}
	})
	for i, m := range all {
		m.finish(f, &sums[i])
	}
	return err
}

// finishSum accumulates the results of a model over rows.
type finishSum struct {
	stats    agreement.Sums
	clusters *agreement.Clusters
	alone    int       // number of clusters of one row, which clusters does not contain
	squares  []float64 // of their gradients: see agreement.Clusters
}

func newFinishSums(all []*ModelSummary) (sums []finishSum) {
	for _, m := range all {
		sums = append(sums, finishSum{clusters: agreement.NewClusters(len(m.Points)), squares: make([]float64, len(m.Points))})
	}
	return sums
}

// add adds rows.
func (s *finishSum) add(m *ModelSummary, b *block, alone []bool) {
	x := columnsOf(b.x, m.solved.Columns)
	pred, k := m.predict(x), len(m.Points)
	var single []float64 // gradients of single-row clusters
	gradient := make([]float64, k)
	for i, label := range b.y {
		weight := weightOf(b.w, i)
		s.stats.Add(pred[i], label, weight)
		if weight == 0 {
			continue // the cluster may have other rows
		}
		for j, v := range x.RawRowView(i) {
			gradient[j] = weight * (label - pred[i]) * v / m.solved.length[j]
		}
		if alone[i] {
			single = append(single, gradient...)
		} else {
			s.clusters.Add(b.c[i], gradient...)
		}
	}
	if single != nil {
		s.alone += len(single) / k
		agreement.AddSquares(s.squares, mat.NewDense(len(single)/k, k, single), mat.DenseCopyOf(m.solved.inverse))
	}
}

// merge adds later rows.
func (s *finishSum) merge(o finishSum) {
	s.stats.Merge(o.stats)
	s.clusters.Merge(o.clusters)
	s.alone += o.alone
	floats.Add(s.squares, o.squares)
}

// finish computes a model's results from the sums over rows.
func (m *ModelSummary) finish(f *fitter, s *finishSum) {
	floats.Add(s.squares, s.clusters.Squares(m.solved.inverse))
	clusters := s.alone + s.clusters.Len()
	m.Train = s.stats.Doubled()
	rows := float64(f.counting)
	free := rows - float64(len(m.Points))
	sigma := m.Train.RMSE * math.Sqrt(rows/free) // of the labels about the function, points
	switch {
	case clusters == f.counting:
		m.Errors = &features.Errors{Kind: features.OrdinaryErrors}
		// Ordinary errors: independent rows with equal variance, divided by the row's weight.
		mean := f.weight / rows
		for j, length := range m.solved.length {
			m.StdErr = append(m.StdErr, sigma*math.Sqrt(mean*m.solved.variance[j])/length)
		}
	case clusters <= len(m.Points):
		m.Errors = &features.Errors{Kind: features.NoErrors, Clusters: clusters}
	default:
		// As in agreement.Clusters, times √((n−1)/(n−k)) for n rows and k weights, the usual
		// correction: with clusters of one row this is MacKinnon and White's HC1 (1985).
		m.Errors = &features.Errors{Kind: features.ClusteredErrors, Clusters: clusters}
		m.StdErr = agreement.ErrorsOf(s.squares, clusters)
		for j, length := range m.solved.length {
			m.StdErr[j] *= math.Sqrt((rows-1)/free) / length
		}
	}
}

// t returns the size of the t value of a weight.
func (m *ModelSummary) t(j int) float64 {
	if m.Points[j] == 0 {
		return 0
	}
	return math.Abs(m.Points[j] / m.StdErr[j]) // infinite in a perfect fit
}

// severalRows finds the clusters of several rows: a cluster of one row needs no sum. It compares 32
// bits of a hash, so a few single-row clusters are misclassified, which is harmless.
type severalRows struct {
	seen  []uint32 // hashes of the clusters of rows with a weight above 0
	there map[uint32]bool
}

func clusterHash(cluster uint64) uint32 { return uint32(checksum.Mix(cluster)) }

// close is called after the hashes of all rows have been added.
func (s *severalRows) close() {
	s.there = map[uint32]bool{}
	slices.Sort(s.seen)
	for i, h := range s.seen {
		if i > 0 && h == s.seen[i-1] {
			s.there[h] = true
		}
	}
	s.seen = nil
}

// alone reports whether a cluster certainly has only one row.
func (s *severalRows) alone(cluster uint64) bool { return !s.there[clusterHash(cluster)] }

// evaluate measures models on other rows with the same columns, of the given names. gains,
// unless they are nil, get what each model gains on the one before.
func evaluate(ctx context.Context, models []*ModelSummary, names []string, s samples, gains []*gain) error {
	total := make([]agreement.Sums, len(models))
	err := s.pass(ctx, func() sink {
		group, gained := make([]agreement.Sums, len(models)), newGains(len(gains))
		return sink{func(b *block) error {
			if err := b.check(names); err != nil {
				return fmt.Errorf("cannot evaluate: %w", err)
			}
			var before []float64
			for i, m := range models {
				now := m.predict(columnsOf(b.x, m.solved.Columns))
				for k, pred := range now {
					group[i].Add(pred, b.y[k], weightOf(b.w, k))
					if gains != nil && i > 0 {
						gained[i].add(b.c[k], before[k], pred, b.y[k], weightOf(b.w, k))
					}
				}
				before = now
			}
			return nil
		}, func() {
			for i, s := range group {
				total[i].Merge(s)
			}
			for i, g := range gained {
				gains[i].merge(g)
			}
		}}
	})
	for i, s := range total {
		if d := s.Doubled(); d.Rows > 0 {
			models[i].Validation = &d
		}
	}
	return err
}

// Solved is a least-squares fit to sums over rows.
type Solved struct {
	// Columns have weights; Aliased have none because they are linear combinations of earlier
	// columns (NA in R). A fit with a ridge has weights for all.
	Columns, Aliased []int
	// Sources are the columns that make up each of Aliased.
	Sources [][]int
	Weights []float64 // points per unit of each of Columns
	// VIF are the variance inflation factors 1/(1−R²), with R² from the regression of each of
	// Columns on the others over doubled rows; +Inf for a linear combination of others. The ridge
	// is ignored.
	VIF       []float64
	Inverse   *mat.SymDense // of the Gram matrix of Columns
	Condition float64       // of the scaled Gram matrix with the ridge; large if nearly collinear

	length   []float64     // of Columns
	inverse  *mat.SymDense // of the Gram matrix of columns scaled to length 1, with the ridge
	variance []float64     // ordinary variances of the weights of these columns, for sigma 1
}

// Solve fits weights to columns, given the Gram matrix xᵀx and xᵀy. No column may be 0 in all rows.
// Sums do not resolve differences of less than a millionth of a column.
func Solve(gram *mat.SymDense, xy []float64) (*Solved, error) {
	s, err := solve(gram, xy, 0)
	if err != nil {
		return nil, cannotFit(err)
	}
	s.Inverse = mat.NewSymDense(len(s.Columns), nil)
	for k, b := range s.length {
		for i, a := range s.length[:k+1] {
			s.Inverse.SetSym(i, k, s.inverse.At(i, k)/a/b)
		}
	}
	return s, nil
}

// solve is Solve with a ridge relative to the data: it is added to the diagonal of the Gram matrix
// scaled to columns of length 1.
func solve(gram *mat.SymDense, xy []float64, ridge float64) (*Solved, error) {
	length := make([]float64, len(xy))
	for j := range length {
		if length[j] = math.Sqrt(gram.At(j, j)); length[j] == 0 { // in all rows that count
			length[j] = 1
		}
	}
	cos := func(i, j int) float64 { return gram.At(i, j) / (length[i] * length[j]) }
	s := &Solved{Columns: allColumns(len(xy))}
	if ridge == 0 {
		s.divide(cos)
	}
	s.length = pick(length, s.Columns)
	n := len(s.Columns)
	if n == 0 {
		return nil, errors.New("every column is 0: expected features that vary")
	}
	g, right := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for k, j := range s.Columns {
		right.SetVec(k, xy[j]/length[j])
		for i := range k + 1 {
			g.SetSym(i, k, cos(s.Columns[i], j))
		}
	}
	penalised := mat.NewSymDense(n, nil)
	penalised.CopySym(g)
	for k := range n {
		penalised.SetSym(k, k, g.At(k, k)+ridge)
	}
	if err := s.spectra(g, penalised); err != nil {
		return nil, err
	}
	return s, s.cholesky(g, penalised, right)
}

// rankTolerance is the share of the largest eigenvalue below which one counts as rounding error.
const rankTolerance = 1e-10

// spectra sets the condition number and the inflation factors: the diagonal of the inverse of the
// Gram matrix, from its eigenvectors. Those of eigenvalue zero are combinations of columns that
// vanish.
func (s *Solved) spectra(gram, penalised *mat.SymDense) error {
	var e mat.EigenSym
	if !e.Factorize(penalised, false) {
		return errNoEigenvalues
	}
	values := e.Values(nil) // ascending
	s.Condition = min(values[len(values)-1]/max(values[0], 0), math.MaxFloat64)
	if !e.Factorize(gram, true) {
		return errNoEigenvalues
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	e.Values(values)
	s.VIF = make([]float64, len(values))
	for k, value := range values {
		for j := range s.VIF {
			switch v := vectors.At(j, k); {
			case value > rankTolerance*values[len(values)-1]:
				s.VIF[j] += v * v / value
			case math.Abs(v) > 1e-6:
				s.VIF[j] = math.Inf(1)
			}
		}
	}
	return nil
}

var errNoEigenvalues = errors.New("the Gram matrix has no eigenvalues: expected features of a sensible size")

// cholesky solves the scaled equations.
func (s *Solved) cholesky(gram, penalised *mat.SymDense, right *mat.VecDense) error {
	var c mat.Cholesky
	var w mat.VecDense
	s.inverse = new(mat.SymDense)
	if !c.Factorize(penalised) || c.SolveVecTo(&w, right) != nil || c.InverseTo(s.inverse) != nil {
		return errors.New("the Gram matrix is not positive definite: expected features of a sensible size, or a larger ridge")
	}
	// Covariance of a ridge fit: (G+λ)⁻¹ G (G+λ)⁻¹.
	var half, cov mat.Dense
	half.Mul(s.inverse, gram)
	cov.Mul(&half, s.inverse)
	for j, length := range s.length {
		s.Weights = append(s.Weights, w.AtVec(j)/length)
		s.variance = append(s.variance, max(cov.At(j, j), 0))
	}
	return nil
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
