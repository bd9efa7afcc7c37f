package regress

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"kroo/features"
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
	return &sparseRows{labels: t.labels, weights: t.weights, width: t.width, read: func(i int, r *sparseRow) {
		r.ones, r.vals = append(r.ones[:0], t.rows[i].ones...), append(r.vals[:0], t.rows[i].vals...)
	}}
}

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

func mustPrepare(t testing.TB, rows *sparseRows, cacheSize int64) *matrix {
	t.Helper()
	m, err := prepare(t.Context(), rows, cacheSize, 0)
	testkit.NoError(t, err)
	return m
}

func mustMinimise(t testing.TB, m *matrix, o solverOptions) *minimum {
	t.Helper()
	r, err := m.fit(t.Context(), o)
	testkit.NoError(t, err)
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
		r := mustMinimise(t, mustPrepare(t, rows.sparse(), 0), solverOptions{families: familiesAt(half, columns), ridges: []float64{3, 17}, tolerance: 1e-9})
		if !r.converged {
			t.Errorf("not converged: %+v", r)
		}
		agree(t, "weights", r.weights, normalEquations(t, rows, ridge), 1e-6)
	}
}

// minimise is a simple implementation of the other losses: L-BFGS on the objective, written out for
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
			if o.loss == chances {
				total += weight[i] * o.scale * o.scale * (a - q) * (a - q) / 2
				slope *= 1 - a*a
			} else { // -p ln(a') - (1-p) ln(1-a'), with chances from 0 to 1
				p, r := (1+q)/2, (1+a)/2
				total -= weight[i] * o.scale * o.scale * (p*math.Log(r) + (1-p)*math.Log(1-r))
			}
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

func TestChancesAndCrossEntropyFindTheMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 10 {
		rows := randomTable(rng, 400, 1+rng.IntN(25), 4)
		for _, loss := range []lossFunction{chances, crossEntropy} {
			o := solverOptions{loss: loss, scale: 400, ridges: []float64{5}, tolerance: 1e-9, rounds: 200}
			r := mustMinimise(t, mustPrepare(t, rows.sparse(), 0), o)
			if !r.converged {
				t.Errorf("%v: not converged", loss)
			}
			agree(t, loss.String(), r.weights, minimise(t, rows, o), 2e-4)
		}
	}
}

// The losses agree with finite differences, and with squares near zero.
func TestLossesAndTheirDerivatives(t *testing.T) {
	for _, l := range []lossFunction{squares, chances, crossEntropy} {
		for u := -900.0; u <= 900; u += 37 {
			for y := -1000.0; y <= 1000; y += 93 {
				const h = 1e-3
				low, _, _ := l.at(u-h, y, 300)
				high, _, _ := l.at(u+h, y, 300)
				v, slope, curvature := l.at(u, y, 300)
				if v < 0 || curvature <= 0 || math.Abs((high-low)/(2*h)-slope) > 1e-3 {
					t.Fatalf("%v at %g for %g: %g, slope %g, curvature %g; by differences %g", l, u, y, v, slope, curvature, (high-low)/(2*h))
				}
			}
		}
		if v, _, _ := l.at(3, 1, 300); math.Abs(v-2) > 1e-3 {
			t.Errorf("%v of 3 for 1 is %g, want 2", l, v)
		}
		if back, err := parseLoss(l.String()); err != nil || back != l {
			t.Errorf("%v reads as %v, %v", l, back, err)
		}
	}
	_, err := parseLoss("cubes")
	testkit.Refused(t, err, "cross-entropy")
}

func TestSameBitsForAnyWorkersAndCache(t *testing.T) {
	rows := mixed(3).sparse()
	o := solverOptions{loss: chances, scale: 400, ridges: []float64{10}, rounds: 2, steps: 6}
	var want *minimum
	for _, l := range []struct {
		workers   int
		cacheSize int64
	}{{1, 0}, {2, 0}, {3, 0}, {8, 0}, {2, -1}, {3, 3 << 20}} {
		m, err := prepare(t.Context(), rows, l.cacheSize, l.workers)
		testkit.NoError(t, err)
		if m.columns.parts < 2 || len(m.packed) < 3 {
			t.Fatalf("%d parts, %d chunks: the test needs more", m.columns.parts, len(m.packed))
		}
		got := mustMinimise(t, m, o)
		if want == nil {
			want = got
		}
		if !slices.Equal(got.weights, want.weights) || got.train != want.train || got.steps != want.steps {
			t.Errorf("%+v: other bits than one worker", l)
		}
	}
}

// A fit that is stopped anywhere and resumed gives the same bits.
func TestResumedFitHasTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for name, prior := range map[string]*priorWeights{"no prior": nil, "a prior": {weights: make([]float64, 500), rows: 0.5}} {
		rows := randomTable(rng, 9000, 500, 12).sparse()
		m := mustPrepare(t, rows, 0)
		passes, stop := 0, -1 // the pass to stop in
		first, read := rows.read, context.CancelFunc(nil)
		m.sparseRows.read = func(i int, r *sparseRow) {
			if i == 5000 {
				if passes++; passes-1 == stop {
					read()
				}
			}
			first(i, r)
		}
		m.room.Store(0) // every pass reads the rows
		o := solverOptions{loss: chances, scale: 400, ridges: []float64{3}, rounds: 3, steps: 8, tolerance: 1e-12, prior: prior}
		want := mustMinimise(t, m, o)
		all := passes
		if all < 12 {
			t.Fatalf("%d passes: the test needs more", all)
		}
		for stop = range all - 1 {
			ctx, cancel := context.WithCancel(t.Context())
			passes, read = 0, cancel
			again := o
			o.save = func(state func() checkpoint) { again.saved = state() }
			_, err := m.fit(ctx, o)
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: stopped in pass %d: %v", name, stop, err)
			}
			passes = all
			if got := mustMinimise(t, m, again); !slices.Equal(got.weights, want.weights) || got.steps != want.steps {
				t.Fatalf("%s: stopped in pass %d and resumed: other weights or %d steps: expected %d", name, stop, got.steps, want.steps)
			}
		}
	}
}

// A fit that is killed after any step resumes from its last checkpoint and gives the same bits.
// Rounds count from its start, even if the limit is below the rounds already made.
func TestCheckpointsResumeToTheSameBits(t *testing.T) {
	m := mustPrepare(t, randomTable(rand.New(rand.NewPCG(4, 2)), 4000, 300, 9).sparse(), 0)
	o := solverOptions{loss: chances, scale: 400, ridges: []float64{3}, rounds: 3, steps: 6, tolerance: 1e-12}
	var states []checkpoint
	o.save = func(state func() checkpoint) { states = append(states, state()) }
	want := mustMinimise(t, m, o)
	if len(states) != want.steps || want.steps < 8 {
		t.Fatalf("%d checkpoints of %d steps", len(states), want.steps)
	}
	o.save = nil
	for i := range states {
		o.saved = states[i]
		if got := mustMinimise(t, m, o); !slices.Equal(got.weights, want.weights) || got.steps != want.steps {
			t.Errorf("from checkpoint %d: %d steps, other weights or not: expected %d and the same", i, got.steps, want.steps)
		}
	}
	o.rounds = 1
	if r := mustMinimise(t, m, o); r.rounds != 2 || r.converged {
		t.Errorf("%d rounds: expected 2, those of the saved fit", r.rounds)
	}
	o.ridges = []float64{2}
	_, err := m.fit(t.Context(), o)
	testkit.Refused(t, err, "other options")
	other := mustPrepare(t, randomTable(rand.New(rand.NewPCG(5, 2)), 4000, 300, 9).sparse(), 0)
	o.ridges = []float64{3}
	_, err = other.fit(t.Context(), o)
	testkit.Refused(t, err, "other rows")
}

func TestTrainingStatisticsAreThoseOfThePredictions(t *testing.T) {
	rows := mixed(3).sparse()
	for i := range rows.labels {
		rows.labels[i] *= 9 // so that predictions are clamped
	}
	r := mustMinimise(t, mustPrepare(t, rows, 0), solverOptions{ridges: []float64{10}, rounds: 1, steps: 10})
	predictions, err := rows.predict(t.Context(), r.weights, 2)
	testkit.NoError(t, err)
	s := rows.stats(predictions)
	agree(t, "statistics", []float64{r.train.R, r.train.MAE, r.train.RMSE}, []float64{s.R, s.MAE, s.RMSE}, 1e-9)
	if s.Rows != 9000 || r.train.Rows != s.Rows || s.R < 0.1 || slices.Max(predictions) != maxPoints {
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
		p := &priorWeights{make([]float64, columns), float64(rng.IntN(3)) / 2}
		for j := range p.weights {
			p.weights[j] = 100 * rng.NormFloat64()
		}
		x, y, weight := rows.dense()
		ridge := slices.Repeat([]float64{3}, columns)
		rest := *rows
		rest.labels = nil
		for i := range y {
			rest.labels = append(rest.labels, float32(y[i]-floats.Dot(x.RawRowView(i), p.weights)))
			for j := range ridge {
				ridge[j] += p.rows * weight[i] * x.At(i, j) * x.At(i, j)
			}
		}
		want := normalEquations(t, &rest, ridge)
		floats.Add(want, p.weights)
		got := mustMinimise(t, mustPrepare(t, rows.sparse(), 0), solverOptions{ridges: []float64{3}, tolerance: 1e-10, prior: p})
		agree(t, "weights", got.weights, want, 1e-5)
	}
}

// Columns that no row has keep the prior's weights; a prior of zeros that counts for no rows has no
// effect.
func TestPriorOfColumnsMissingFromTheRows(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(22, 1)), 500, 20, 5)
	o := solverOptions{loss: chances, scale: 200, ridges: []float64{1}}
	plain := mustMinimise(t, mustPrepare(t, rows.sparse(), 0), o)
	rows.width = 23
	o.prior = &priorWeights{weights: make([]float64, 23)}
	o.prior.weights[21] = 7
	got := mustMinimise(t, mustPrepare(t, rows.sparse(), 0), o).weights
	if !slices.Equal(got[:20], plain.weights) || got[20] != 0 || got[21] != 7 {
		t.Errorf("%v: want %v, 0, 7, 0", got, plain.weights)
	}
}

// The more rows the prior counts for, the closer the weights stay to it.
func TestPriorPullsMoreTheMoreRowsItCountsFor(t *testing.T) {
	m := mustPrepare(t, randomTable(rand.New(rand.NewPCG(23, 1)), 800, 30, 5).sparse(), 0)
	p := priorWeights{weights: slices.Repeat([]float64{50}, 30)}
	last := math.Inf(1)
	for _, p.rows = range []float64{0, 1, 10, 1e6} {
		distance := 0.0
		for _, w := range mustMinimise(t, m, solverOptions{loss: crossEntropy, scale: 300, ridges: []float64{1}, prior: &p}).weights {
			distance += math.Abs(w - 50)
		}
		if !(distance < last) {
			t.Errorf("a prior of %v times the rows: %v away, %v with fewer", p.rows, distance, last)
		}
		last = distance
	}
	if last > 1 {
		t.Errorf("a prior of a million times the rows: %v away", last)
	}
}

// The estimate is never below the steps done or above the limit, and from halfway on it is within a
// factor of two.
func TestProgressEstimatesTheSteps(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(41, 1)), 6000, 800, 9)
	o := solverOptions{loss: chances, scale: 400, ridges: []float64{0.2}, tolerance: 1e-6}
	var reports [][2]int64
	o.progress = func(done, total int64, _ string) { reports = append(reports, [2]int64{done, total}) }
	r := mustMinimise(t, mustPrepare(t, rows.sparse(), 0), o)
	if !r.converged || len(reports) != r.steps || r.steps < 20 {
		t.Fatalf("%d reports of %d steps, converged %t", len(reports), r.steps, r.converged)
	}
	for i, p := range reports {
		off := float64(p[1]) / float64(r.steps)
		if p[0] != int64(i+1) || p[1] < p[0] || p[1] > 30*100 || 2*i > r.steps && (off < 0.5 || off > 2) {
			t.Errorf("step %d of %d: reported %v", i+1, r.steps, p)
		}
	}
}
