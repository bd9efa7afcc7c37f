package regress

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kroo/internal/testkit"
)

// simulate draws rows of integer differences, with labels that follow the weights plus normal
// noise.
func simulate(rng *rand.Rand, rows int, weights []float64, noise float64) data {
	x := mat.NewDense(rows, len(weights), nil)
	y := make([]float64, rows)
	for i := range rows {
		for j, w := range weights {
			v := float64(rng.IntN(7) - rng.IntN(7))
			if j > 0 && rng.IntN(2) == 0 { // neighbours are correlated, as house counts are
				v = x.At(i, j-1)
			}
			x.Set(i, j, v)
			y[i] += w * v
		}
		y[i] += noise * rng.NormFloat64()
	}
	return data{X: x, Y: y}
}

var truth = []float64{36, -20, 5, 40, -3}

// data are samples in memory; the zero value has no rows.
type data struct {
	X    *mat.Dense
	Y, W []float64
	C    []uint64 // nil makes each row its own cluster
}

// groupRows is the number of rows per group.
const groupRows = 1 << 16

func (d data) samples() samples {
	var groups [][]*block
	for from := 0; from < len(d.Y); from += groupRows {
		var group []*block
		for at := from; at < min(from+groupRows, len(d.Y)); at += 1 << 12 {
			group = append(group, d.block(at, min(at+1<<12, len(d.Y))))
		}
		groups = append(groups, group)
	}
	return stripes{blocks: groups}
}

func (d data) block(from, to int) *block {
	_, cols := d.X.Dims()
	b := &block{x: d.X.Slice(from, to, 0, cols).(*mat.Dense), y: d.Y[from:to]}
	for i := from; i < to; i++ {
		b.rows, b.c = append(b.rows, int64(i)), append(b.c, uint64(i))
	}
	if d.W != nil {
		b.w = d.W[from:to]
	}
	if d.C != nil {
		b.c = d.C[from:to]
	}
	return b
}

// options of a fit of data.
type options struct {
	Ridge    float64
	Weights  []float64
	Clusters []uint64
}

// fitter returns a fitter of the rows, whose columns are named by their numbers unless there are names.
func (d data) fitter(valid data, names []string, ridge float64) (*fitter, error) {
	_, cols := d.X.Dims()
	for j := len(names); j < cols; j++ {
		names = append(names, fmt.Sprint(j))
	}
	if d.Y != nil {
		if err := d.block(0, len(d.Y)).check(names); err != nil {
			return nil, err
		}
	}
	return newFitter(context.Background(), "rows", names, ridge, d.samples(), valid.samples())
}

// leastSquares fits all columns.
func leastSquares(x *mat.Dense, y []float64, o options) (*ModelSummary, error) {
	f, err := data{X: x, Y: y, W: o.Weights, C: o.Clusters}.fitter(data{}, nil, o.Ridge)
	if err != nil {
		return nil, err
	}
	models, err := f.fitModels(context.Background(), f.names)
	if err != nil {
		return nil, err
	}
	return models[0], nil
}

func mustFit(t *testing.T, d data, o options) *ModelSummary {
	t.Helper()
	m := testkit.Must(leastSquares(d.X, d.Y, o))(t)
	return m
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// doubled is the thesis' form: every row from both players' view, with a column for each feature
// and side.
func doubled(own, opp *mat.Dense, y []float64) (*mat.Dense, []float64) {
	rows, cols := own.Dims()
	x, labels := mat.NewDense(2*rows, 2*cols, nil), make([]float64, 2*rows)
	for i := range rows {
		for j := range cols {
			x.Set(i, j, own.At(i, j))
			x.Set(i, cols+j, opp.At(i, j))
			x.Set(rows+i, j, opp.At(i, j))
			x.Set(rows+i, cols+j, own.At(i, j))
		}
		labels[i], labels[rows+i] = y[i], -y[i]
	}
	return x, labels
}

// leastNorm solves min |xw − y| with the shortest w.
func leastNorm(t *testing.T, x *mat.Dense, y []float64) []float64 {
	t.Helper()
	var s mat.SVD
	if !s.Factorize(x, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var w mat.VecDense
	s.SolveVecTo(&w, mat.NewVecDense(len(y), y), s.Rank(1e-10))
	return w.RawVector().Data
}

func TestDifferencesAreEquivalentToDoubledRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	const rows, cols = 300, 4
	for _, dependent := range []bool{false, true} {
		own, opp, diff := mat.NewDense(rows, cols, nil), mat.NewDense(rows, cols, nil), mat.NewDense(rows, cols, nil)
		y := make([]float64, rows)
		for i := range rows {
			for j := range cols {
				own.Set(i, j, float64(rng.IntN(6)))
				opp.Set(i, j, float64(rng.IntN(6)))
			}
			if dependent { // the two sides' first features have a constant sum, so the doubled columns are collinear
				opp.Set(i, 0, 6-own.At(i, 0))
			}
			y[i] = 30*own.At(i, 0) - 20*opp.At(i, 1) + 100*rng.NormFloat64()
		}
		diff.Sub(own, opp)
		m := mustFit(t, data{X: diff, Y: y}, options{})
		x, labels := doubled(own, opp, y)
		w := leastNorm(t, x, labels)
		for j := range cols {
			if !near(w[j], -w[cols+j], 1e-8) {
				t.Errorf("doubled rows give %v and %v for the sides: want negatives", w[j], w[cols+j])
			}
			if !near(m.Points[j], w[j], 1e-8) {
				t.Errorf("weight %d is %v: doubled rows give %v", j, m.Points[j], w[j])
			}
		}
	}
}

// As in R, the last of collinear columns has no weight, and other weights are unaffected.
func TestAliasedColumnsHaveNoWeight(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	d := simulate(rng, 500, truth[:2], 50)
	plain := mustFit(t, d, options{})
	var x mat.Dense
	x.Augment(d.X, d.X.Slice(0, 500, 1, 2))
	m := mustFit(t, data{X: &x, Y: d.Y}, options{})
	if !slices.Equal(m.solved.Columns, []int{0, 1}) || !slices.Equal(m.solved.Aliased, []int{2}) {
		t.Errorf("columns %v, aliased %v", m.solved.Columns, m.solved.Aliased)
	}
	if !slices.Equal(m.Points, plain.Points) || !slices.Equal(m.StdErr, plain.StdErr) || !slices.Equal(m.solved.VIF, plain.VIF) || m.ScaledCondition != plain.ScaledCondition {
		t.Errorf("%+v: without the copy %+v", m, plain)
	}
	weights := make([]float64, 500) // exclude the rows in which the second column is not 0
	for i := range weights {
		if d.X.At(i, 1) == 0 {
			weights[i] = 3
		}
	}
	if m := mustFit(t, d, options{Weights: weights}); !slices.Equal(m.solved.Columns, []int{0}) || !slices.Equal(m.solved.Aliased, []int{1}) {
		t.Errorf("of a column that is 0 where rows count: columns %v, aliased %v", m.solved.Columns, m.solved.Aliased)
	}
	for i := range 500 {
		x.Set(i, 2, d.X.At(i, 0)-3*d.X.At(i, 1)+1e-8*float64(i%2)) // a combination but for rounding
	}
	if m := mustFit(t, data{X: &x, Y: d.Y}, options{}); !slices.Equal(m.solved.Aliased, []int{2}) || !slices.Equal(m.solved.Sources[0], []int{0, 1}) {
		t.Errorf("aliased %v, made of %v: want 2, of 0 and 1", m.solved.Aliased, m.solved.Sources)
	}
	x.SetCol(2, mat.Col(nil, 1, &x))
	withRidge := mustFit(t, data{X: &x, Y: d.Y}, options{Ridge: 0.1})
	if !near(withRidge.Points[1], withRidge.Points[2], 1e-9) {
		t.Errorf("with ridge: weights %v", withRidge.Points)
	}
}

// Sums alone give five digits of these weights.
func TestNearlyCombinedColumnsAreFittedAsByQR(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	d := simulate(rng, 500, truth, 30)
	setColumn(d.X, 2, func(i int) float64 { return d.X.At(i, 0) - d.X.At(i, 1) + 2e-5*rng.NormFloat64() })
	m := mustFit(t, d, options{})
	var qr mat.QR
	var want mat.Dense
	qr.Factorize(d.X)
	testkit.NoError(t, qr.SolveTo(&want, false, mat.NewDense(500, 1, d.Y)))
	for j, w := range m.Points {
		if !near(w, want.At(j, 0), 1e-7*math.Abs(want.At(j, 0))) {
			t.Errorf("weight %d is %.15g: expected %.15g", j, w, want.At(j, 0))
		}
	}
	if len(m.Points) != 5 || m.ScaledCondition < illConditioned {
		t.Errorf("%d weights, condition %.3g", len(m.Points), m.ScaledCondition)
	}
}

func TestRidgeShrinksASingleWeightAsDocumented(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	d := simulate(rng, 400, truth[:1], 100)
	plain, ridge := mustFit(t, d, options{}), mustFit(t, d, options{Ridge: 0.25})
	if !near(ridge.Points[0], plain.Points[0]/1.25, 1e-9) {
		t.Errorf("weight %v: without ridge %v", ridge.Points[0], plain.Points[0])
	}
}

func TestFitDoesNotDependOnTheNumberOfProcessors(t *testing.T) {
	d := simulate(rand.New(rand.NewPCG(11, 1)), 3000, truth, 100)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	many := mustFit(t, d, options{})
	runtime.GOMAXPROCS(1)
	one := mustFit(t, d, options{})
	if !slices.Equal(many.Points, one.Points) || !slices.Equal(many.StdErr, one.StdErr) || many.Train != one.Train {
		t.Error("the same data give other numbers")
	}
}

func TestFitRejects(t *testing.T) {
	good := func() data { return simulate(rand.New(rand.NewPCG(12, 1)), 50, truth[:3], 10) }
	for name, c := range map[string]struct {
		change func(d *data, o *options)
		want   string
	}{
		"no rows":            {func(d *data, _ *options) { d.Y = nil }, "no rows"},
		"too few rows":       {func(d *data, _ *options) { *d = data{X: mat.NewDense(3, 3, nil), Y: make([]float64, 3)} }, "3 rows for 3 features"},
		"labels not numbers": {func(d *data, _ *options) { d.Y = slices.Repeat([]float64{math.NaN()}, 50); d.Y[0] = 1 }, "the label is NaN in row"},
		"an infinite label":  {func(d *data, _ *options) { d.Y[7] = math.Inf(1) }, "row 8"},
		"a huge label":       {func(d *data, _ *options) { d.Y[7] = 1e300 }, "row 8"},
		"equal labels":       {func(d *data, _ *options) { d.Y = make([]float64, 50) }, "every label is 0"},
		"a number missing":   {func(d *data, _ *options) { d.X.Set(3, 1, math.NaN()) }, "feature 1 is NaN in row 4"},
		"a huge number":      {func(d *data, _ *options) { d.X.Set(3, 1, 1e200) }, "feature 1 is 1e+200 in row 4"},
		"a column of zeros":  {func(d *data, _ *options) { setColumn(d.X, 2, func(int) float64 { return 0 }) }, "feature 2 is 0 in every row"},
		"a constant column":  {func(d *data, _ *options) { setColumn(d.X, 2, func(int) float64 { return 4 }) }, "feature 2 is 4 in every row"},
		"no row counts":      {func(_ *data, o *options) { o.Weights = make([]float64, 50) }, "0 rows with a weight above 0 for 3 features"},
		"few rows count":     {func(_ *data, o *options) { o.Weights = append([]float64{5, 5, 5}, make([]float64, 47)...) }, "3 rows with a weight above 0"},
		"a vanishing column": {func(d *data, _ *options) { setColumn(d.X, 0, func(i int) float64 { return 1e-200 * float64(i) }) }, "feature 0 is at most 4.9e-199"},
	} {
		d, o := good(), options{}
		c.change(&d, &o)
		_, err := leastSquares(d.X, d.Y, o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v: want %q in it", name, err, c.want)
		}
	}
}

func setColumn(x *mat.Dense, j int, f func(i int) float64) {
	rows, _ := x.Dims()
	for i := range rows {
		x.Set(i, j, f(i))
	}
}

// Compares with the sum of products, row by row.
func TestGramMatrixOfManyRows(t *testing.T) {
	const cols = 3
	rows := 2*groupRows + 77
	d := simulate(rand.New(rand.NewPCG(15, 1)), rows, truth[:cols], 1)
	f := testkit.Must(d.fitter(data{}, nil, 0))(t)
	x, g := d.X, f.gram
	for i := range cols {
		for j := range cols {
			want := 0.0
			for r := range rows {
				want += x.At(r, i) * x.At(r, j)
			}
			if g.At(i, j) != want { // whole numbers: no rounding
				t.Errorf("%d %d: %g, want %g", i, j, g.At(i, j), want)
			}
		}
	}
}

// Compares with regressions of each column on the others, over doubled rows.
func TestVIFAgreesWithRegressionsOnTheOthers(t *testing.T) {
	d := simulate(rand.New(rand.NewPCG(40, 1)), 800, truth, 50)
	m := mustFit(t, d, options{})
	for j := range truth {
		others := mat.NewDense(800, len(truth)-1, nil)
		for k, to := 0, 0; k < len(truth); k++ {
			if k != j {
				others.SetCol(to, mat.Col(nil, k, d.X))
				to++
			}
		}
		by := mustFit(t, data{X: others, Y: mat.Col(nil, j, d.X)}, options{})
		if want := 1 / (1 - by.Train.R2); !near(m.VIF[j], want, 1e-6*want) {
			t.Errorf("column %d: %g: want %g", j, m.VIF[j], want)
		}
	}
}

// A 95 % interval contains the true weight in 95 % of cases.
func TestStandardErrorsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const runs = 500
	covered := 0
	for range runs {
		m := mustFit(t, simulate(rng, 200, truth, 150), options{})
		for j, w := range m.Points {
			if near(w, truth[j], 1.972*m.StdErr[j]) { // Student's t, 195 degrees of freedom
				covered++
			}
		}
	}
	n := float64(runs * len(truth))
	share := float64(covered) / n
	if sd := math.Sqrt(0.95 * 0.05 / n); !near(share, 0.95, 4*sd) {
		t.Errorf("%.1f %% of the intervals contain the true weight: want 95 ± %.1f", 100*share, 400*sd)
	}
}

func TestInterceptOfDoubledRowsIsZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	d := simulate(rng, 300, truth, 100)
	rows, cols := d.X.Dims()
	x, y := mat.NewDense(2*rows, cols+1, nil), make([]float64, 2*rows)
	for i := range rows {
		for j := range cols {
			x.Set(i, j, d.X.At(i, j))
			x.Set(rows+i, j, -d.X.At(i, j))
		}
		x.Set(i, cols, 1)
		x.Set(rows+i, cols, 1)
		y[i], y[rows+i] = d.Y[i], -d.Y[i]
	}
	w := leastNorm(t, x, y)
	m := mustFit(t, d, options{})
	for j := range m.Points {
		if !near(m.Points[j], w[j], 1e-8) {
			t.Errorf("weight %d is %v: with an intercept %v", j, m.Points[j], w[j])
		}
	}
	if !near(w[cols], 0, 1e-8) {
		t.Errorf("the intercept is %v: want 0", w[cols])
	}
}

// errorOf returns the error of a call.
func errorOf[V any](_ V, err error) error { return err }
