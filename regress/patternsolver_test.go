package regress

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"kroo/features"
	"kroo/games"
	"kroo/internal/testkit"
)

// table is sparse rows in memory.
type table struct {
	width           int
	rows            []sparseRow
	labels, weights []float32
}

func (t *table) add(label, weight float64, ones []uint32, vals ...features.Entry) {
	t.rows = append(t.rows, sparseRow{ones, vals})
	t.labels, t.weights = append(t.labels, float32(label)), append(t.weights, float32(weight))
}

func (t *table) sparse() *sparseRows {
	return streamOf(t.width, t.labels, t.weights, func(i int, r *sparseRow) {
		r.ones = append(r.ones[:0], t.rows[i].ones...)
		r.vals = append(r.vals[:0], t.rows[i].vals...)
	})
}

// streamOf streams rows from memory.
func streamOf(width int, labels, weights []float32, read func(i int, r *sparseRow)) *sparseRows {
	return &sparseRows{width: width, batches: func(ctx context.Context, size func(int) int) iter.Seq2[*sparseBatch, error] {
		return func(yield func(*sparseBatch, error) bool) {
			from := 0
			for k := 0; from < len(labels); k++ {
				to := min(from+size(k), len(labels))
				first := from
				b := &sparseBatch{labels: labels[from:to], read: func(i int, r *sparseRow) { read(first+i, r) }}
				b.cluster = func(i int) uint32 { return uint32(first + i) }
				if weights != nil {
					b.weights = weights[from:to]
				}
				if !yield(b, ctx.Err()) {
					return
				}
				from = to
			}
		}
	}}
}

// inMemoryOnly keeps all packed rows in memory.
var inMemoryOnly = storage{memory: math.MaxInt64}

// dense returns the rows as a full matrix, with labels and weights.
func (t *table) dense() (x *mat.Dense, y, weight []float64) {
	x = mat.NewDense(len(t.rows), t.width, nil)
	for i, r := range t.rows {
		for _, j := range r.ones {
			x.Set(i, int(j), x.At(i, int(j))+1)
		}
		for _, e := range r.vals {
			x.Set(i, int(e.Index), x.At(i, int(e.Index))+float64(e.Value))
		}
		y, weight = append(y, float64(t.labels[i])), append(weight, float64(t.weights[i]))
	}
	return x, y, weight
}

// randomTable draws rows with labels that follow random weights plus noise. Ones are unevenly
// distributed over the columns and sometimes repeated; one row in three has a value; row weights
// vary.
func randomTable(rng *rand.Rand, rows, width, ones int) *table {
	t := &table{width: width}
	truth := make([]float64, width)
	for j := range truth {
		truth[j] = 100 * rng.NormFloat64()
	}
	for range rows {
		var r sparseRow
		y := 100 * rng.NormFloat64()
		for range rng.IntN(ones + 1) {
			j := int(float64(width) * math.Pow(rng.Float64(), 3))
			r.ones = append(r.ones, uint32(j))
			y += truth[j]
		}
		if rng.IntN(3) == 0 {
			j, v := rng.IntN(width), float32(rng.IntN(21)-10)/4
			r.vals = append(r.vals, features.Entry{Index: uint32(j), Value: v})
			y += truth[j] * float64(v)
		}
		t.add(max(-1000, min(1000, y)), float64(rng.IntN(5))/2, r.ones, r.vals...)
	}
	return t
}

// prepare reads the rows twice: it counts their columns, and packs them.
func prepare(ctx context.Context, rows *sparseRows, workers int, s storage) (*matrix, error) {
	counts, err := rows.count(ctx, workers)
	if err != nil {
		return nil, err
	}
	return pack(ctx, rows, counts, workers, s)
}

func mustPrepare(t testing.TB, rows *sparseRows) *matrix {
	t.Helper()
	m := testkit.Must(prepare(t.Context(), rows, 0, inMemoryOnly))(t)
	return m
}

func mustMinimise(t testing.TB, m *matrix, o solverOptions) *minimum {
	t.Helper()
	r := testkit.Must(m.minimise(t.Context(), o))(t)
	return r
}

// agree compares numbers with a relative tolerance.
func agree(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for j := range want {
		if !(math.Abs(got[j]-want[j]) <= tolerance*(1+math.Abs(want[j]))) {
			t.Fatalf("%s: number %d is %v, want %v", what, j, got[j], want[j])
		}
	}
}

// familiesAt returns families that end at the given columns.
func familiesAt(ends ...int) (all []features.Family) {
	from := 0
	for _, to := range ends {
		all = append(all, features.Family{From: from, To: to})
		from = to
	}
	return all
}

// normalEquations is a simple implementation of least squares: (XᵀWX + Λ) w = XᵀWy.
func normalEquations(t *testing.T, rows *table, ridge []float64) []float64 {
	t.Helper()
	x, y, weight := rows.dense()
	var wx, a mat.Dense
	wx.Apply(func(i, _ int, v float64) float64 { return v * weight[i] }, x)
	right := mat.NewVecDense(rows.width, nil)
	right.MulVec(wx.T(), mat.NewVecDense(len(y), y))
	a.Mul(x.T(), &wx)
	for j, r := range ridge {
		a.Set(j, j, a.At(j, j)+r)
	}
	var w mat.VecDense
	testkit.NoError(t, w.SolveVec(&a, right))
	return w.RawVector().Data
}

func TestLeastSquaresSolveTheNormalEquations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		columns := 2 + rng.IntN(40)
		rows := randomTable(rng, 200+rng.IntN(400), columns, 6)
		half := columns / 2
		ridge := slices.Concat(slices.Repeat([]float64{3}, half), slices.Repeat([]float64{17}, columns-half))
		r := mustMinimise(t, mustPrepare(t, rows.sparse()), solverOptions{families: familiesAt(half, columns), ridges: []float64{3, 17}, tolerance: 1e-9})
		if !r.converged {
			t.Errorf("not converged: %+v", r)
		}
		agree(t, "weights", r.weights, normalEquations(t, rows, ridge), 1e-6)
	}
}

// minimise is a simple implementation of a fit of chances: L-BFGS on the objective, written out for
// a full matrix.
func minimise(t *testing.T, rows *table, o solverOptions) []float64 {
	t.Helper()
	x, y, weight := rows.dense()
	n, columns := x.Dims()
	objective := func(grad, w []float64) float64 {
		total := o.ridges[0] / 2 * floats.Dot(w, w)
		for j := range grad {
			grad[j] = o.ridges[0] * w[j]
		}
		for i := range n {
			row := x.RawRowView(i)
			a, q := math.Tanh(floats.Dot(row, w)/o.scale), math.Tanh(y[i]/o.scale)
			slope := o.scale * (a - q)
			total += weight[i] * o.scale * o.scale * (a - q) * (a - q) / 2
			slope *= 1 - a*a
			if grad != nil {
				floats.AddScaled(grad, weight[i]*slope, row)
			}
		}
		return total
	}
	p := optimize.Problem{
		Func: func(w []float64) float64 { return objective(nil, w) },
		Grad: func(grad, w []float64) { objective(grad, w) },
	}
	settings := &optimize.Settings{GradientThreshold: 1e-4, MajorIterations: 5000}
	r, _ := optimize.Minimize(p, make([]float64, columns), settings, &optimize.LBFGS{}) // the test checks the gradient instead
	grad := make([]float64, columns)
	objective(grad, r.X)
	if !(floats.Norm(grad, math.Inf(1)) < 0.1) {
		t.Fatalf("the slow minimisation did not end: gradient %v", grad)
	}
	return r.X
}

func TestChancesFindTheMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 10 {
		rows := randomTable(rng, 400, 1+rng.IntN(25), 4)
		o := solverOptions{loss: chances, scale: 400, ridges: []float64{5}, tolerance: 1e-9, rounds: 200}
		r := mustMinimise(t, mustPrepare(t, rows.sparse()), o)
		if !r.converged {
			t.Error("not converged")
		}
		agree(t, "weights", r.weights, minimise(t, rows, o), 2e-4)
	}
}

// The losses agree with finite differences, and with squares near zero.
func TestLossesAndTheirDerivatives(t *testing.T) {
	for _, loss := range []string{squares, chances} {
		l := solverOptions{loss: loss, scale: 300}
		for u := -900.0; u <= 900; u += 37 {
			for y := -1000.0; y <= 1000; y += 93 {
				const h = 1e-3
				low, _, _ := l.lossAt(u-h, y)
				high, _, _ := l.lossAt(u+h, y)
				v, slope, curvature := l.lossAt(u, y)
				if v < 0 || curvature <= 0 || math.Abs((high-low)/(2*h)-slope) > 1e-3 {
					t.Fatalf("%s at %g for %g: %g, slope %g, curvature %g; by differences %g", loss, u, y, v, slope, curvature, (high-low)/(2*h))
				}
			}
		}
		if v, _, _ := l.lossAt(3, 1); math.Abs(v-2) > 1e-3 {
			t.Errorf("%s of 3 for 1 is %g, want 2", loss, v)
		}
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	rows := mixed(3).sparse()
	o := solverOptions{loss: chances, scale: 400, ridges: []float64{10}, rounds: 2, steps: 6}
	var want *minimum
	for _, workers := range []int{1, 2, 3, 8} {
		m := testkit.Must(prepare(t.Context(), rows, workers, inMemoryOnly))(t)
		if m.columns.parts < 2 || m.chunks.len() < 3 {
			t.Fatalf("%d parts, %d chunks: the test needs more", m.columns.parts, m.chunks.len())
		}
		got := mustMinimise(t, m, o)
		if want == nil {
			want = got
		}
		if !slices.Equal(got.weights, want.weights) || got.train != want.train || got.steps != want.steps {
			t.Errorf("%d workers: other bits than one", workers)
		}
	}
}

func TestTrainingStatisticsAreThoseOfThePredictions(t *testing.T) {
	rows := mixed(3)
	for i := range rows.labels {
		rows.labels[i] *= 9 // so that predictions are clamped
	}
	r := mustMinimise(t, mustPrepare(t, rows.sparse()), solverOptions{ridges: []float64{10}, rounds: 1, steps: 10})
	stats, _, err := rows.sparse().measure(t.Context(), 2, r.weights)
	testkit.NoError(t, err)
	s := stats[0]
	greatest := 0.0
	for _, row := range rows.rows {
		greatest = max(greatest, clamp(row.product(r.weights)))
	}
	agree(t, "statistics", []float64{r.train.R, r.train.MAE, r.train.RMSE}, []float64{s.R, s.MAE, s.RMSE}, 1e-9)
	if s.Rows != 9000 || r.train.Rows != s.Rows || s.R < 0.1 || greatest != games.MaxPoints {
		t.Errorf("%+v", s)
	}
}

// A prior is equivalent to least squares on its residuals, with a ridge of the curvature of each
// column.
func TestPriorSolvesTheNormalEquationsOfItsResiduals(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	for range 10 {
		columns := 2 + rng.IntN(30)
		rows := &table{width: columns}
		for range 300 { // at most one value per column and row
			var vals []features.Entry
			for j := range columns {
				if rng.IntN(3) == 0 {
					vals = append(vals, features.Entry{Index: uint32(j), Value: float32(rng.IntN(21)-10) / 4})
				}
			}
			rows.add(100*rng.NormFloat64(), float64(rng.IntN(5))/2, nil, vals...)
		}
		prior, trust := make([]float64, columns), float64(rng.IntN(3))/2
		for j := range prior {
			prior[j] = 100 * rng.NormFloat64()
		}
		x, y, weight := rows.dense()
		ridge := slices.Repeat([]float64{3}, columns)
		rest := *rows
		rest.labels = nil
		for i := range y {
			rest.labels = append(rest.labels, float32(y[i]-floats.Dot(x.RawRowView(i), prior)))
			for j := range ridge {
				ridge[j] += trust * weight[i] * x.At(i, j) * x.At(i, j)
			}
		}
		want := normalEquations(t, &rest, ridge)
		floats.Add(want, prior)
		got := mustMinimise(t, mustPrepare(t, rows.sparse()), solverOptions{ridges: []float64{3}, tolerance: 1e-10, prior: prior, trust: trust})
		agree(t, "weights", got.weights, want, 1e-5)
	}
}

// Columns that no row has keep the prior's weights; a prior of zeros that counts for no rows has no
// effect.
func TestPriorOfColumnsMissingFromTheRows(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(22, 1)), 500, 20, 5)
	o := solverOptions{loss: chances, scale: 200, ridges: []float64{1}}
	plain := mustMinimise(t, mustPrepare(t, rows.sparse()), o)
	rows.width = 23
	o.prior = make([]float64, 23)
	o.prior[21] = 7
	got := mustMinimise(t, mustPrepare(t, rows.sparse()), o).weights
	if !slices.Equal(got[:20], plain.weights) || got[20] != 0 || got[21] != 7 {
		t.Errorf("%v: want %v, 0, 7, 0", got, plain.weights)
	}
}

// The estimate is never below the steps done or above the limit, and from halfway on it is within a
// factor of two. Only in the last eighth it may be the next step.
func TestProgressEstimatesTheSteps(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(41, 1)), 6000, 800, 9)
	o := solverOptions{loss: chances, scale: 400, ridges: []float64{0.2}, tolerance: 1e-6}
	var reports [][2]int64
	o.progress = func(done, total int64, _ string) { reports = append(reports, [2]int64{done, total}) }
	r := mustMinimise(t, mustPrepare(t, rows.sparse()), o)
	if !r.converged || len(reports) != r.steps || r.steps < 20 {
		t.Fatalf("%d reports of %d steps, converged %t", len(reports), r.steps, r.converged)
	}
	for i, p := range reports {
		off := float64(p[1]) / float64(r.steps)
		if p[0] != int64(i+1) || p[1] < p[0] || p[1] > 30*100 || 2*i > r.steps && (off < 0.5 || off > 2) ||
			8*i < 7*r.steps && p[1] == p[0]+1 {
			t.Errorf("step %d of %d: reported %v", i+1, r.steps, p)
		}
	}
}

// inFolds divides n rows into folds by number.
func inFolds(n, count int, of func(row int) int) folds {
	f := folds{count: count}
	for i := range n {
		f.of = append(f.of, uint8(of(i)))
	}
	return f
}

// slowHeldOut is a simple implementation of cross-validation: it fits the rows of all folds but one and
// measures the others.
func slowHeldOut(t *testing.T, rows *table, f folds, ridge float64) (mse float64) {
	t.Helper()
	total, weights := 0.0, 0.0
	for k := range f.count {
		part := *rows
		part.weights = slices.Clone(rows.weights)
		for i := range part.weights {
			if f.of[i] == uint8(k) {
				part.weights[i] = 0
			}
		}
		w := normalEquations(t, &part, slices.Repeat([]float64{ridge}, rows.width))
		for i := range rows.rows {
			if f.of[i] == uint8(k) {
				e := rows.rows[i].product(w) - float64(rows.labels[i])
				total += float64(rows.weights[i]) * e * e
				weights += float64(rows.weights[i])
			}
		}
	}
	return total / weights
}

func TestCrossValidationAgreesWithSimpleOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	var chosen []float64
	for _, scale := range []float32{0.25, 0.02} { // so that no prediction is clamped
		rows := randomTable(rng, 600, 60, 4)
		for i := range rows.labels {
			rows.labels[i] = rows.labels[i]*scale + float32(20*rng.NormFloat64())
		}
		f := inFolds(600, 3, func(row int) int { return row * 7 / 3 % 3 })
		want, least := 0.0, math.Inf(1)
		for _, ridge := range candidates {
			if mse := slowHeldOut(t, rows, f, ridge); mse < least {
				want, least = ridge, mse
			}
		}
		o, last := solverOptions{tolerance: 1e-8, ridges: []float64{1}}, int64(0)
		o.progress = func(done, total int64, _ string) {
			if done <= last || total < done {
				t.Errorf("reported %d of %d after %d", done, total, last)
			}
			last = done
		}
		best, err := mustPrepare(t, rows.sparse()).chooseRidge(t.Context(), o, f)
		testkit.NoError(t, err)
		held := best.held
		if best.ridge != want || math.Abs(held.RMSE-math.Sqrt(least)) > 1e-6*held.RMSE || held.Rows != 600 || best.steps != last {
			t.Errorf("%g with %+v, %d steps of %d: want %g with an error of %g", best.ridge, held, best.steps, last, want, math.Sqrt(least))
		}
		chosen = append(chosen, best.ridge)
	}
	if chosen[0] >= chosen[1] {
		t.Errorf("ridges %v: expected a stronger one for mere noise", chosen)
	}
}

func TestAChoiceWithAnEmptyFoldOrStopped(t *testing.T) {
	m := mustPrepare(t, randomTable(rand.New(rand.NewPCG(23, 1)), 50, 4, 2).sparse())
	two, o := func(row int) int { return row % 2 }, solverOptions{ridges: []float64{1}}
	_, err := m.chooseRidge(t.Context(), o, inFolds(50, 3, two))
	testkit.ErrorContains(t, err, "no row is in part 3 of 3")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.chooseRidge(ctx, o, inFolds(50, 2, two)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// mixed has columns in several parts, and values in some.
func mixed(seed uint64) *table {
	return randomTable(rand.New(rand.NewPCG(seed, 1)), 9000, 300_000, 40)
}

func TestProductsAgreeWithSimpleOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	rows := mixed(10)
	m := mustPrepare(t, rows.sparse())
	if m.columns.parts < 2 {
		t.Fatal("all columns are hot: the test needs more")
	}
	s := newSolver(t.Context(), m, solverOptions{ridges: []float64{2}}, folds{})
	in, out := make([]float64, rows.width), make([]float64, rows.width)
	for j := range in {
		in[j] = float64(float32(rng.NormFloat64()))
		if m.counts.columns[j] > 0 {
			s.system.p[m.columns.slots[j]] = in[j]
			s.system.single[m.columns.slots[j]] = float32(in[j])
			out[j] = 2 * in[j]
		}
	}
	for i, r := range rows.rows {
		s.curvature[i] = rng.Float32()
		u := r.product(in)
		for j, v := range r.entries() {
			out[j] += float64(v) * u * float64(s.curvature[i])
		}
	}
	s.system.rho = 1
	s.advance()
	testkit.NoError(t, s.err)
	agree(t, "product", m.columns.spread(s.system.q, nil), out, 2e-5)
}

func TestDiagonalAgreesWithSimpleOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	rows := &table{width: 100_000}
	for range 5000 { // no repeated column within a row
		var ones []uint32
		for c := 1 + rng.IntN(5000); c < rows.width; c += 1 + rng.IntN(5000) {
			ones = append(ones, uint32(c))
		}
		rows.add(1, 1, ones, features.Entry{Value: 3})
	}
	m := mustPrepare(t, rows.sparse())
	s := newSolver(t.Context(), m, solverOptions{ridges: []float64{2}}, folds{})
	out := make([]float64, rows.width)
	for i, r := range rows.rows {
		s.curvature[i] = rng.Float32()
		for j, v := range r.entries() {
			out[j] += float64(v) * float64(v) * float64(s.curvature[i])
		}
	}
	for j, n := range m.counts.columns {
		if n > 0 {
			out[j] += 2
		}
	}
	s.setDiagonal()
	testkit.NoError(t, s.err)
	agree(t, "diagonal", m.columns.spread(s.diagonal, nil), out, 1e-6)
}

func TestPassesAllocateNothing(t *testing.T) {
	m := mustPrepare(t, mixed(12).sparse())
	s := newSolver(t.Context(), m, solverOptions{loss: chances, scale: 300, ridges: []float64{0}}, folds{})
	s.evaluate()
	testkit.NoError(t, s.err)
	c := testkit.Must(m.chunks.chunk(0, nil))(t)
	z := new(scratch)
	var parts [2]lossSums
	slope := func(row int, u float64) float64 { return s.accumulateRow(c, row, u, &parts) }
	product := func(row int, u float32) float32 { return s.curvature[row] * u }
	for name, pass := range map[string]func(){
		"product":  func() { products(c, s.system.single, &z.z32, m.acc[0], product) },
		"slopes":   func() { products(c, s.weights, &z.z64, m.acc[0], slope) },
		"diagonal": func() { diagonal(c, s.curvature, &z.z32, m.acc[0]) },
	} {
		if n := testing.AllocsPerRun(3, pass); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// Chunks cover the rows once, in order, none longer than a row number of 16 bits allows.
func TestChunksCoverTheRows(t *testing.T) {
	for _, n := range []int{1, 4095, 4096, 4097, 100_000, 200_001, 3_000_000} {
		rows := streamOf(1, make([]float32, n), nil, func(_ int, r *sparseRow) { r.ones = append(r.ones[:0], 0) })
		m := mustPrepare(t, rows)
		next := 0
		for i, c := range m.chunks.chunks {
			if c.first != next || c.rows() < 1 || c.rows() > maxChunk {
				t.Fatalf("%d rows: chunk %d has rows %d from %d: expected them from %d", n, i, c.rows(), c.first, next)
			}
			next += c.rows()
		}
		if next != n {
			t.Errorf("%d rows: the chunks have %d", n, next)
		}
	}
}

func TestFittingNothingIsRejected(t *testing.T) {
	rows := &table{width: 5}
	testkit.ErrorContains(t, errorOf(prepare(t.Context(), rows.sparse(), 0, inMemoryOnly)), "no rows")
	rows.add(1, 1, nil)
	testkit.ErrorContains(t, errorOf(prepare(t.Context(), rows.sparse(), 0, inMemoryOnly)), "no row has any of the 5 columns")
}

// Labels of zero and rows of weight zero give weights of zero.
func TestZeroLabelsOrRowWeightsGiveZeroWeights(t *testing.T) {
	for _, weight := range []float64{0, 1} {
		rows := &table{width: 5}
		rows.add(100*(1-weight), weight, []uint32{1})
		r := mustMinimise(t, mustPrepare(t, rows.sparse()), solverOptions{loss: chances, scale: 300, ridges: []float64{0}})
		if !r.converged || !slices.Equal(r.weights, make([]float64, 5)) || r.train.R != 0 {
			t.Errorf("weight %g: %+v", weight, r)
		}
	}
}
