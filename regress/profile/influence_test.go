package profile

import (
	"cmp"
	"fmt"
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
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
	"kroo/regress"
	"kroo/report"
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
	fit, err := regress.Fit(t.Context(), owarefeatures.Sets, regress.Request{Rows: []string{together}, Out: filepath.Join(t.TempDir(), "w.json")}, nil)
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
	byLeverage := make([]int, n)
	byResidual := make([]int, n)
	above := 0
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
			if c := datasets.ClusterOf(0, datasets.GroupOf(oware.Descriptor(), rows[i].Position, rows[i].Game)); !seen[c] {
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
		s, distinct := outline.SpreadOf(c.all(), c.rows)
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
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range times {
			for i := range s.numbers {
				s.values("label")[i] = float64(rng.IntN(20_000)) / 10
				s.rowClusters[i] = rng.Uint64()
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

// Compares with simple implementations over rows in memory.
func TestDistancesMatchTheirDefinitions(t *testing.T) {
	all := labelRows(t, 900)
	here, there := all[:300], all[300:]
	for i := range there {
		there[i].Label = max(-1000, there[i].Label-30.5)
	}
	s := profileOf(t, labelFile(t, here), Options{Compare: labelFile(t, there)})
	upTo := func(rows []row, of func(row) float64, v float64) float64 {
		n := 0.0
		for _, r := range rows {
			if of(r) <= v {
				n++
			}
		}
		return n / float64(len(rows))
	}
	best := func(r row) string {
		if !r.HasBest {
			return ""
		}
		return oware.MoveName(r.Best, r.Position.ToMove())
	}
	of := map[string]func(row) float64{
		"label": func(r row) float64 { return r.Label }, "nodes": func(r row) float64 { return float64(r.Nodes) },
		"phase": func(r row) float64 { return float64(r.Position.SeedsInPlay()) }, "exact": func(r row) float64 { return truth(r.Exact) },
	}
	for _, c := range s.Drift.Columns {
		want := 0.0
		if value := of[c.Name]; value != nil {
			for _, r := range all {
				want = max(want, math.Abs(upTo(here, value, value(r))-upTo(there, value, value(r))))
			}
		} else if c.Name == "best" {
			shares := map[string][2]float64{}
			for side, rows := range [][]row{here, there} {
				n := 0.0
				for _, r := range rows {
					n += truth(r.HasBest)
				}
				for _, r := range rows {
					if r.HasBest {
						v := shares[best(r)]
						v[side] += 1 / n
						shares[best(r)] = v
					}
				}
			}
			for _, v := range shares {
				want += math.Abs(v[0]-v[1]) / 2
			}
		} else {
			continue
		}
		delete(of, c.Name)
		if !near(c.Distance, want) {
			t.Errorf("%s: distance %v, want %v", c.Name, c.Distance, want)
		}
	}
	if len(of) > 0 {
		t.Errorf("not compared: %v", of)
	}
	text := s.Doc().Text(s.File)
	for _, want := range []string{"Compared with", "It has 600 rows"} {
		testkit.Contains(t, text, want)
	}
	_, err := report.HTML(s.Doc())
	testkit.NoError(t, err)
}

// Samples of one source exceed the noise about as often as stated, even if all rows of a game have
// the same label, and for rows of a game in any order.
func TestSamplesOfOneSourceStayBelowNoise(t *testing.T) {
	rows := labelRows(t, 400)
	rng := rand.New(rand.NewPCG(8, 1))
	const pairs, perGame = 40, 20
	sample := func(clustered bool) string {
		some := make([]row, len(rows))
		for i, r := range rows {
			r.Game = int32(i/perGame + 1)
			r.Label = float64(rng.IntN(400))
			if clustered && i%perGame > 0 {
				r.Label = some[i-1].Label
			}
			r.Nodes, r.Depth = rng.Int64N(1<<40), int32(rng.IntN(3))
			some[i] = r
		}
		rng.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		return labelFile(t, some)
	}
	above := map[string]int{}
	for range pairs {
		for _, clustered := range []bool{false, true} {
			s := profileOf(t, sample(clustered), Options{Compare: sample(clustered)})
			for _, c := range s.Drift.Columns {
				if c.Times > 1 {
					above[fmt.Sprint(c.Name, clustered)]++
				}
				if c.Name == "label" && clustered && (c.Effective[0] < 10 || c.Effective[0] > 40) {
					t.Errorf("%v rows count as %v: want about %d", len(rows), c.Effective[0], len(rows)/perGame)
				}
			}
		}
	}
	for _, name := range []string{"labelfalse", "labeltrue", "nodesfalse", "depthtrue"} {
		if n := above[name]; n > pairs/5 {
			t.Errorf("%s: %d of %d pairs are above the noise: want about %d", name, n, pairs, pairs/20)
		}
	}
	if above["labelfalse"]+above["labeltrue"]+above["nodesfalse"]+above["depthtrue"] == 0 {
		t.Error("no pair is above the noise: it is too high")
	}
}

func TestCompareWithAnotherDataset(t *testing.T) {
	labels := labelFile(t, labelRows(t, 200))
	features, _ := featureFile(t, 300)
	d := profileOf(t, features, Options{Compare: labels}).Drift
	if !strings.Contains(strings.Join(d.Here, " "), "own_captures") || !strings.Contains(strings.Join(d.There, " "), "nodes") || d.Rows != 200 {
		t.Errorf("only here %v, only there %v, %d rows", d.Here, d.There, d.Rows)
	}
	if same := profileOf(t, labels, Options{Compare: labels}).Drift; same.Columns[0].Distance != 0 {
		t.Errorf("a dataset is apart from itself: %+v", same.Columns[0])
	}
	if _, err := Of(t.Context(), oware.Descriptor(), labels, Options{Compare: features, Where: "phase>100"}); err == nil || !strings.Contains(err.Error(), "no rows left") {
		t.Errorf("nothing is compared: %v", err)
	}
	if _, err := Of(t.Context(), oware.Descriptor(), labels, Options{Compare: labels + "?"}); err == nil || !strings.Contains(err.Error(), "compare: ") {
		t.Errorf("a missing file: %v", err)
	}
}

// Columns of another program have means and weights of any size.
// Each step counts the rows that it reads, and no others: its bar ends where it said that it would.
func TestStepsCountTheirRows(t *testing.T) {
	features, _ := featureFile(t, 300)
	labels := labelFile(t, labelRows(t, 500))
	for _, c := range []struct {
		path string
		o    Options
		want string
	}{
		{labels, Options{}, "reading 500/500"},
		{labels, Options{Compare: labels}, "reading 1000/1000, comparing 1000/1000"},
		{features, Options{}, "reading N/N, measuring N/N"},
	} {
		var steps, last []string
		c.o.Progress = func(step string) parallel.Progress {
			steps = append(steps, step)
			last = append(last, "")
			at := len(last) - 1
			return func(done, total int64, _ string) { last[at] = fmt.Sprintf("%s %d/%d", step, done, total) }
		}
		s := profileOf(t, c.path, c.o)
		want := strings.ReplaceAll(c.want, "N", fmt.Sprint(s.Total))
		testkit.Equal(t, strings.Join(last, ", "), want, "%v", steps)
	}
}

func TestTheTableOfFeaturesShowsNumbersOfAnySize(t *testing.T) {
	weight := 1e9
	stdErr := 2e7
	s := Profile{game: oware.Descriptor().Info, Features: []FeatureStats{{Name: "tiny", Mean: 1.5e-9, SD: 3e-9, Alone: 2e9, Together: &weight, StdErr: &stdErr}}}
	text := s.featureTable().Text()
	for _, want := range []string{"1.500e-09", "3.000e-09", "4.800e+07", "2.400e+07", "4.8e+05"} {
		testkit.Contains(t, text, want)
	}
}
