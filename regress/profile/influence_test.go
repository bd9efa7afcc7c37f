package profile

import (
	"cmp"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/internal/testkit"
	"kroo/regress"
)

// matrixOf returns the differences and labels of rows in memory.
func matrixOf(rows []row) (x *mat.Dense, y []float64) {
	x = mat.NewDense(len(rows), len(rows[0].Own)+len(rows[0].Values), nil)
	for i, r := range rows {
		for j := range r.Own {
			x.Set(i, j, float64(r.Own[j])-float64(r.Opp[j]))
		}
		for j, v := range r.Values {
			x.Set(i, len(r.Own)+j, v)
		}
		y = append(y, r.Label)
	}
	return x, y
}

// The weights are those of a fit, whether a cluster's rows are contiguous in the file or scattered.
func TestWeightsOfFeaturesMatchAFit(t *testing.T) {
	scattered, rows := featureFile(t, 600)
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.Game, b.Game) })
	m, err := datasets.ReadManifest(scattered)
	testkit.NoError(t, err)
	together := writeRows(t, "sorted.parquet", m.Meta, rows)
	fit, err := regress.Fit(t.Context(), patterns.Sets, regress.Request{Rows: []string{together}, Out: filepath.Join(t.TempDir(), "w.json")}, nil)
	testkit.NoError(t, err)
	want := fit.Full
	for _, path := range []string{scattered, together} {
		s := profileOf(t, path, Options{})
		if *s.Errors != *want.Errors {
			t.Errorf("errors %+v, want %+v", *s.Errors, *want.Errors)
		}
		for j, f := range s.Features {
			if !near(*f.Together, want.Points[j]) || !near(*f.StdErr, want.StdErr[j]) || !near(*f.VIF, want.VIF[j]) {
				t.Errorf("%s: %v ± %v, vif %v: want %v ± %v, %v", f.Name, *f.Together, *f.StdErr, *f.VIF, want.Points[j], want.StdErr[j], want.VIF[j])
			}
		}
	}
}

// Compares with simple implementations: residuals of two regressions, and the diagonal of the
// projection on the columns.
func TestPartialCorrelationAndLeverageMatchTheirDefinitions(t *testing.T) {
	path, rows := featureFile(t, 300)
	s := profileOf(t, path, Options{})
	x, y := matrixOf(rows)
	n, k := x.Dims()
	left := func(of []float64, without int) []float64 { // residuals of a fit with an intercept
		others := mat.NewDense(n, k, nil)
		at := 0
		for j := range k {
			if j != without {
				others.SetCol(at, mat.Col(nil, j, x))
				at++
			}
		}
		others.SetCol(k-1, slices.Repeat([]float64{1}, n))
		var w, fitted mat.VecDense
		v := mat.NewVecDense(n, slices.Clone(of))
		testkit.NoError(t, w.SolveVec(others, v))
		fitted.MulVec(others, &w)
		v.SubVec(v, &fitted)
		return v.RawVector().Data
	}
	for j, f := range s.Features {
		if want := stat.Correlation(left(mat.Col(nil, j, x), j), left(y, j), nil); math.Abs(*f.Partial-want) > 1e-9 {
			t.Errorf("%s: partial correlation %v, want %v", f.Name, *f.Partial, want)
		}
	}
	var gram, inverse, half, hat mat.Dense
	gram.Mul(x.T(), x)
	testkit.NoError(t, inverse.Inverse(&gram))
	half.Mul(x, &inverse)
	hat.Mul(&half, x.T())
	var w, fitted mat.VecDense
	testkit.NoError(t, w.SolveVec(x, mat.NewVecDense(n, y)))
	fitted.MulVec(x, &w)
	byLeverage, byResidual, above := make([]int, n), make([]int, n), 0
	for i := range n {
		byLeverage[i], byResidual[i] = i, i
		if hat.At(i, i) > 2*float64(k)/float64(n) {
			above++
		}
	}
	off := func(i int) float64 { return math.Abs(y[i] - fitted.AtVec(i)) }
	slices.SortStableFunc(byLeverage, func(i, j int) int { return cmp.Compare(hat.At(j, j), hat.At(i, i)) })
	slices.SortStableFunc(byResidual, func(i, j int) int { return cmp.Compare(off(j), off(i)) })
	oneOfEach := func(order []int) (some []int) { // one row per cluster
		seen := map[uint64]bool{}
		for _, i := range order {
			if c := uint64(datasets.GroupOf(oware.Descriptor(), 0, rows[i].Position, rows[i].Game)); !seen[c] {
				seen[c] = true
				some = append(some, i)
			}
		}
		return some
	}
	byLeverage, byResidual = oneOfEach(byLeverage), oneOfEach(byResidual)
	f := s.Influence
	if f.Above != above || f.Weights != k || !near(f.Mean, float64(k)/float64(n)) || len(f.Leverage) != fittedRows || len(f.Residuals) != fittedRows {
		t.Errorf("%d rows above twice %v with %d weights, want %d", f.Above, f.Mean, f.Weights, above)
	}
	for place, i := range byLeverage[:fittedRows] {
		if got := f.Leverage[place]; !near(got.Leverage, hat.At(i, i)) {
			t.Errorf("leverage %v at place %d, want %v", got, place, hat.At(i, i))
		}
	}
	for place, i := range byResidual[:fittedRows] {
		if got := f.Residuals[place]; got.Row != int64(i+1) || got.Board != rows[i].Position.String() || !near(got.Prediction, fitted.AtVec(i)) {
			t.Errorf("%+v at place %d, want row %d with %v", got, place, i+1, fitted.AtVec(i))
		}
	}
}

func TestAliasedFeaturesAreNamed(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	var rows []row
	for _, r := range labelRows(t, 300) {
		a, b := uint8(rng.IntN(9)), uint8(rng.IntN(9))
		f := row{Position: r.Position, Game: r.Game, Ply: r.Ply, Label: r.Label, Own: []uint8{a, b, a + b, 7}, Opp: []uint8{0, 0, 0, 2}}
		f.Values = []float64{float64(a) + 0.3*rng.NormFloat64()}
		rows = append(rows, f)
	}
	path := writeRows(t, "f.parquet", datasets.Meta{Kind: datasets.Features, Rules: "abapa", FeatureSet: "test", Features: []string{"a", "b", "both", "same"}, Columns: []string{"close"}}, rows)
	s := profileOf(t, path, Options{})
	text := s.Doc().Text(path)
	for _, want := range []string{
		"Constant: same.", "both is a combination of a and b in every row", "Nearly collinear (the others explain at least 90 %): a and close.",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if s.Features[2].Together != nil || s.Features[2].Partial != nil || s.Features[3].Partial != nil || s.Features[4].Together == nil {
		t.Errorf("a feature has a weight and should have none, or lacks its weight: %+v", s.Features)
	}
}

// For few and many distinct values, and for counts that were written to a file.
func TestTalliesDescribeTheirValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for name, draw := range map[string]func() float64{
		"small":    func() float64 { return float64(rng.IntN(7) - 3) },
		"whole":    func() float64 { return float64(rng.IntN(1<<20) - 1<<19) },
		"any":      func() float64 { return 900 * rng.NormFloat64() },
		"constant": func() float64 { return 0.7 },
		"large":    func() float64 { return 1e17 * float64(rng.IntN(3)) },
		"halves":   func() float64 { return float64(rng.IntN(9)-4) / 2 },
	} {
		file := newTempFile(t.Context())
		c, values := file.tally(1<<10), []float64{}
		for range 3000 {
			v := draw()
			values = append(values, v)
			c.add(v)
		}
		c.add(math.NaN())
		slices.Sort(values)
		mean, sd := stat.PopMeanStdDev(values, nil)
		s, distinct := doc.SpreadOf(c.all(), c.rows)
		q := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, values, nil) }
		if c.missing != 1 || c.rows != 3000 || distinct != len(slices.Compact(slices.Clone(values))) || s.Min != values[0] || s.Max != values[2999] ||
			s.Q1 != q(0.25) || s.Median != q(0.5) || s.Q3 != q(0.75) || math.Abs(s.Mean-mean) > 1e-9*(sd+math.Abs(mean)) || !near(s.SD, sd) {
			t.Errorf("%s: %d different, %+v: want mean %v, sd %v", name, distinct, *s, mean, sd)
		}
		testkit.NoError(t, file.Close())
	}
}

// Twice the rows take no more memory, apart from the buffers of sorters. A few distinct values stay in
// memory, however often they occur.
func TestMemoryDoesNotGrowWithRows(t *testing.T) {
	path, _ := featureFile(t, 2000)
	from, err := datasets.Open(t.Context(), oware.Descriptor().Info, path)
	testkit.NoError(t, err)
	defer from.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	heap := func(times int) int64 {
		var before, after runtime.MemStats
		s := newSurvey(t.Context(), oware.Descriptor().Info, from, Options{}, nil)
		testkit.NoError(t, read(oware.Descriptor(), s, "", nil))
		s.orbit = func(int) int64 { return rng.Int64() }
		s.cluster = s.orbit
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range times {
			for i := range s.numbers {
				s.values("label")[i] = float64(rng.IntN(20_000)) / 10
			}
			s.add()
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		for _, c := range s.columns {
			if c.name != "label" && c.counts.runs != nil {
				t.Errorf("the counts of %s went to a file", c.name)
			}
		}
		testkit.NoError(t, s.temp.Close())
		runtime.KeepAlive(s)
		return int64(after.HeapAlloc) - int64(before.HeapAlloc)
	}
	few, many := heap(150), heap(300)
	if many > few+few/4 {
		t.Errorf("%d bytes for 300 000 rows, %d for 600 000", few, many)
	}
}
