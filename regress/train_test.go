package regress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/spec"
	"kroo/internal/testkit"
)

const southKey = int64(1) << 43 // of book keys with South to move

// published are the weights of the full fit in Sala Soler 2014, in the order of the set.
var published = func() []float64 {
	w, _ := owarefeatures.FindPublished("thesis")
	return w.Weights
}()

// trainOptions configure a fit of rows of features.
type trainOptions struct {
	Meta datasets.Meta
	Config
	Weight string
	Curve  bool
}

// trained is the result of a fit of rows.
type trained struct {
	Summary
	Weights *features.Weights
}

// trainRows writes rows to files and fits them.
// defaultTolerance is the tolerance of the zero [Config].
var defaultTolerance = func() float64 {
	var c Config
	spec.Default(&c)
	return c.Tolerance
}()

func trainRows(t *testing.T, train, valid []featureRow, o trainOptions) (*trained, error) {
	t.Helper()
	dir := t.TempDir()
	req := Request{Linear: o.Config, Rows: []string{filepath.Join(dir, "t.parquet")}, Weight: o.Weight, Curve: o.Curve, Out: filepath.Join(dir, "w.json")}
	testkit.NoError(t, datasets.Write(oware.Descriptor(), req.Rows[0], o.Meta, datasets.Rows(train)))
	if valid != nil {
		req.Validation = []string{filepath.Join(dir, "v.csv")}
		testkit.NoError(t, datasets.Write(oware.Descriptor(), req.Validation[0], o.Meta, datasets.Rows(valid)))
	}
	s, err := fitFeatures(t.Context(), owarefeatures.Sets, req, nil)
	if err != nil {
		return nil, err
	}
	w, err := features.ParseWeights(testkit.Read(t, req.Out), req.Out)
	return &trained{s, w}, err
}

// thesisOptions are the options for rows of thesisRows.
func thesisOptions(t testing.TB) trainOptions {
	t.Helper()
	set := testkit.Must(owarefeatures.Sets.ByName("thesis"))(t)
	return trainOptions{Meta: datasets.Meta{Kind: datasets.Features, Game: "oware", Rules: "abapa", FeatureSet: "thesis", Features: set.Names()}, Config: Config{Tolerance: defaultTolerance}}
}

// thesisRows are rows of synthetic boards, with counts as correlated as real ones and labels that
// follow the published weights plus noise. Keys start at the given rank.
func thesisRows(rng *rand.Rand, n int, rank int64, noise float64) []featureRow {
	rows := make([]featureRow, n)
	for i := range rows {
		r := onBoard(southKey + rank + int64(i))
		r.Own, r.Opp = sideCounts(rng), sideCounts(rng)
		for j, w := range published {
			r.Label += w * (float64(r.Own[j]) - float64(r.Opp[j]))
		}
		r.Label = max(-games.MaxPoints, min(games.MaxPoints, r.Label+noise*rng.NormFloat64()))
		rows[i] = r
	}
	return rows
}

// sideCounts are the thesis features of a side with geometrically distributed seeds per house.
func sideCounts(rng *rand.Rand) []uint8 {
	counts := make([]uint8, 12)
	counts[0] = uint8(rng.IntN(12))
	for range 6 {
		seeds := int(3.5 * rng.ExpFloat64())
		for j, k := range []int{1, 2, 3, 4, 5} {
			if seeds < k {
				counts[1+j]++
			}
		}
		for j, k := range []int{7, 8, 10, 11, 12, 13} {
			if seeds > k {
				counts[6+j]++
			}
		}
	}
	return counts
}

func TestTrainRecoversThePublishedWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	o := thesisOptions(t)
	o.Meta.Limits = "nodes 1000"
	train, valid := thesisRows(rng, 20_000, 0, 150), thesisRows(rng, 5000, 1_000_000, 150)
	out := testkit.Must(trainRows(t, train, valid, o))(t)
	w := out.Weights
	for j, want := range published {
		if !near(w.Points[j], want, 4.5*w.StdErr[j]) {
			t.Errorf("%s: %.2f ± %.2f: want %v", w.Features[j], w.Points[j], w.StdErr[j], want)
		}
	}
	if *w.Train != out.Full.Train || *w.Validation != *out.Selected.Validation || w.Train.Rows != 20_000 || w.Validation.Rows != 5000 {
		t.Errorf("statistics %+v, %+v", w.Train, w.Validation)
	}
	if !near(w.Validation.RMSE, 150, 6) {
		t.Errorf("validation error %v: want 150", w.Validation.RMSE)
	}
	if p := w.Provenance; len(p.Dataset) != 64 || len(p.Validation) != 64 || p.Labels != "nodes 1000" || p.Selection != selectNone || *p.ScaledCondition < 1 {
		t.Errorf("provenance %+v", p)
	}
	if out.Captures.Train.R >= out.Full.Train.R || len(out.Captures.Points) != 1 {
		t.Errorf("captures alone: %+v", out.Captures)
	}
}

// The statistics in the weights file match its weights and the rows.
func TestStatisticsMatchTheWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	o := thesisOptions(t)
	o.Select = selectBackward
	train, valid := thesisRows(rng, 3000, 0, 150), thesisRows(rng, 1000, 1_000_000, 150)
	out := testkit.Must(trainRows(t, train, valid, o))(t)
	w := out.Weights
	for _, c := range []struct {
		rows  []featureRow
		stats agreement.Doubled
	}{{train, *w.Train}, {valid, *w.Validation}} {
		var sum float64
		for _, r := range c.rows {
			pred := 0.0
			for k, name := range w.Features {
				j := slices.Index(o.Meta.Features, name)
				pred += w.Points[k] * (float64(r.Own[j]) - float64(r.Opp[j]))
			}
			sum += math.Abs(pred - r.Label)
		}
		if mae := sum / float64(len(c.rows)); !near(mae, c.stats.MAE, 1e-9) || c.stats.Rows != len(c.rows) {
			t.Errorf("mean absolute error %v of %d rows: want %v of %d", c.stats.MAE, c.stats.Rows, mae, len(c.rows))
		}
	}
}

func TestBackwardFollowsItsRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	o := thesisOptions(t)
	o.Select = selectBackward
	out := testkit.Must(trainRows(t, thesisRows(rng, 20_000, 0, 150), thesisRows(rng, 5000, 1_000_000, 150), o))(t)
	left := slices.Clone(o.Meta.Features)
	var removed []string
	for i, s := range out.Steps {
		last, floor := i == len(out.Steps)-1, out.Full.Train.R-defaultTolerance
		if s.Kept != (s.Train.R >= floor) || !s.Kept && !last || last && s.Kept && s.Features > 1 {
			t.Errorf("step %d: R %v with a floor of %v, accepted %v, %d features", i, s.Train.R, floor, s.Kept, s.Features)
		}
		if i > 0 && (!slices.Contains(left, s.Removed) || s.Train.R > out.Steps[i-1].Train.R+1e-12) || s.Features != len(o.Meta.Features)-i {
			t.Errorf("step %d: %d features without %q, R %v", i, s.Features, s.Removed, s.Train.R)
		}
		if s.Validation == nil || s.Validation.Rows != 5000 || s.Train.Rows != 20_000 {
			t.Errorf("statistics %+v, %+v", s.Train, s.Validation)
		}
		if s.Kept && i > 0 {
			removed = append(removed, s.Removed)
			left = slices.DeleteFunc(left, func(name string) bool { return name == s.Removed })
		}
	}
	if !slices.Equal(out.Weights.Provenance.Removed, removed) || out.Weights.Provenance.Selection != fmt.Sprintf("backward, tolerance %g", defaultTolerance) {
		t.Errorf("provenance %+v: want %q removed", out.Weights.Provenance, removed)
	}
	if !slices.Equal(out.Weights.Features, left) || !slices.Contains(left, "captures") || !slices.Contains(left, "<3") || len(removed) < 6 {
		t.Errorf("features %q: want %q, captures and <3 among them", out.Weights.Features, left)
	}
}

// fitColumns fits the named columns of all.
func fitColumns(t *testing.T, d, valid data, all, names []string, ridge float64) *ModelSummary {
	t.Helper()
	f := testkit.Must(d.fitter(valid, all, ridge))(t)
	fits := testkit.Must(f.fitModels(t.Context(), names))(t)
	return fits[0]
}

func backwardOf(t *testing.T, d data, names []string, tolerance float64, selection string) ([]Step, error) {
	t.Helper()
	f := testkit.Must(d.fitter(data{}, names, 0))(t)
	full := testkit.Must(f.fitModels(t.Context(), names))(t)
	trainer := &trainer{names: names, fitter: f, full: full[0], Request: Request{Rows: []string{"rows"}, Linear: Config{Select: selection, Tolerance: tolerance}}}
	_, steps, err := trainer.backward(t.Context())
	return steps, err
}

func TestBackwardDropsTheSmallestT(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 1))
	d := simulate(rng, 2000, []float64{30, 0, -20, 1}, 50)
	names := []string{"a", "b", "c", "d"}
	steps := testkit.Must(backwardOf(t, d, names, defaultTolerance, selectBackward))(t)
	var order []string
	for _, s := range steps[1:] {
		order = append(order, s.Removed)
		if s.Validation != nil {
			t.Error("statistics of validation rows that are not there")
		}
	}
	if len(order) != 3 || order[0] != "b" || order[1] != "d" || order[2] != "c" || steps[3].Kept {
		t.Errorf("dropped %q, the last accepted: %v; want b, d, and c too much", order, steps[len(steps)-1].Kept)
	}
	if all, err := backwardOf(t, d, names, 1, selectBackward); err != nil || len(all) != 4 || all[3].Features != 1 {
		t.Errorf("with every tolerance %+v, error %v: want a alone", all, err)
	}
	setColumn(d.X, 3, func(i int) float64 { return d.X.At(i, 0) })
	if all, err := backwardOf(t, d, names, 1, selectBackward); err != nil || len(all) != 3 || all[0].Features != 3 {
		t.Errorf("with a copy of a %+v, error %v: want to start without it", all, err)
	}
}

func TestTrainLeavesOutValidationRowsItTrainedOn(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 1))
	train, valid := thesisRows(rng, 500, 0, 150), thesisRows(rng, 500, 400, 150)
	out, err := trainRows(t, train, valid, thesisOptions(t))
	testkit.NoError(t, err)
	if out.Overlap != 100 || out.Full.Validation.Rows != 400 {
		t.Errorf("%d left out, %d measured: want 100 and 400", out.Overlap, out.Full.Validation.Rows)
	}
	out = testkit.Must(trainRows(t, train, train[:10], thesisOptions(t)))(t)
	if out.Overlap != 10 || out.Full.Validation != nil || out.Weights.Validation != nil {
		t.Errorf("%d left out; validation without rows %+v", out.Overlap, out.Full.Validation)
	}
}

// A board with the other side to move is the same row of differences up to its sign.
func TestTrainLeavesOutBoardsOfTheOtherSide(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 1))
	train := thesisRows(rng, 500, 0, 150)
	valid := thesisRows(rng, 500, 1000, 150)
	for i := range 100 {
		valid[i].Position = oware.Descriptor().Pass(train[i].Position)
		valid[i].Own = train[i].Opp
		valid[i].Opp = train[i].Own
		valid[100+i].Position = train[i].Position.Mirror()
		valid[100+i].Own = train[i].Own
		valid[100+i].Opp = train[i].Opp
	}
	out := testkit.Must(trainRows(t, train, valid, thesisOptions(t)))(t)
	if out.Overlap != 200 || out.Full.Validation.Rows != 300 {
		t.Errorf("%d left out, %d measured: want 200 and 300", out.Overlap, out.Full.Validation.Rows)
	}
}

func TestTrainRejects(t *testing.T) {
	good := thesisRows(rand.New(rand.NewPCG(27, 1)), 200, 0, 150)
	flat := slices.Clone(good)
	for i := range flat {
		flat[i].Own, flat[i].Opp = slices.Clone(flat[i].Own), slices.Clone(flat[i].Opp)
		flat[i].Own[11], flat[i].Opp[11] = 0, 0
	}
	for name, c := range map[string]struct {
		train, valid []featureRow
		change       func(o *trainOptions)
		want         string
	}{
		"no rows":             {nil, nil, nil, "no rows"},
		"few rows":            {good[:12], nil, nil, "12 rows for 12 features"},
		"a flat feature":      {flat, nil, nil, "feature >13 is 0 in every row"},
		"an unknown choice":   {good, nil, func(o *trainOptions) { o.Select = "forward" }, "expected none, backward or least-weight"},
		"a wrong tolerance":   {good, nil, func(o *trainOptions) { o.Select, o.Tolerance = selectBackward, 2 }, "tolerance is 2"},
		"a ridge not allowed": {good, nil, func(o *trainOptions) { o.RelativeRidge = math.Inf(1) }, "expected 0 to 1e12"},
	} {
		o := thesisOptions(t)
		if c.change != nil {
			c.change(&o)
		}
		_, err := trainRows(t, c.train, c.valid, o)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v: want %q in it", name, err, c.want)
		}
	}
	for want, change := range map[string]func(m *datasets.Meta){
		`unknown set "x"`:      func(m *datasets.Meta) { m.FeatureSet = "x" },
		"those of set thesis":  func(m *datasets.Meta) { m.Features = m.Features[1:] },
		`unknown rules "moon"`: func(m *datasets.Meta) { m.Rules = "moon" },
	} {
		m := thesisOptions(t).Meta
		change(&m)
		testkit.ErrorContains(t, errorOf(setOf(owarefeatures.Sets, m)), want)
	}
}

// The thesis drops the feature of least weight, whatever its standard error, although a feature in
// large units can have a small but important weight.
func TestLeastWeightDropsTheSmallestWeight(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 0))
	x, y := mat.NewDense(400, 2, nil), make([]float64, 400)
	for i := range y {
		large, small := 100*rng.NormFloat64(), 0.1*rng.NormFloat64()
		x.SetRow(i, []float64{large, small})
		y[i] = large + 3*small + rng.NormFloat64()
	}
	d, names := data{X: x, Y: y}, []string{"large", "small"}
	for selection, want := range map[string]string{selectLeastWeight: "large", selectBackward: "small"} {
		steps, err := backwardOf(t, d, names, 1, selection)
		if err != nil || len(steps) != 2 || steps[1].Removed != want {
			t.Errorf("%+v %v: want %s removed", steps, err, want)
		}
	}
}

// The summary lists every step of an elimination, including a last one that lost too much.
func TestTheSummaryListsTheElimination(t *testing.T) {
	rows := thesisRows(rand.New(rand.NewPCG(41, 1)), 2000, 0, 150)
	o := thesisOptions(t)
	o.Select, o.Tolerance = selectLeastWeight, 0.004
	out := testkit.Must(trainRows(t, rows, nil, o))(t)
	info := oware.Descriptor().Info
	text := summaryText(out.Summary, info)
	for _, s := range out.Steps {
		want := fmt.Sprintf("%s %.4f %.4f %.2f", s.Removed, s.Train.R, s.Train.R2, s.Train.MAE/info.PointsPerUnit())
		testkit.Contains(t, strings.Join(strings.Fields(text), " "), want)
	}
	if n := strings.Count(text, "too much: kept"); n != 1 || out.Steps[len(out.Steps)-1].Kept {
		t.Errorf("%d steps went too far: expected the last alone in\n%s", n, text)
	}
}

// Rows of oware's tables.
type (
	positionRow = datasets.Row[oware.Position]
	labelRow    = datasets.Row[oware.Position]
	featureRow  = datasets.Row[oware.Position]
)

// onBoard returns the position of a valid key.
func onBoard(key int64) positionRow {
	p, err := oware.FromBookKey(oware.Abapa, key)
	if err != nil {
		panic(err)
	}
	return positionRow{Position: p}
}

// summaryText is the text of a fit on one line.
func summaryText(s Summary, g games.Info) string {
	return strings.Join(strings.Fields(s.Doc(g).Text("")), " ")
}

// gameRows are weighted rows, some of games, some proven, some with repeated situations.
func gameRows(rng *rand.Rand, n int, rank int64) []featureRow {
	rows := thesisRows(rng, n, rank, 80)
	for i := range rows {
		r := &rows[i]
		switch {
		case i%3 == 0:
			r.Game = int32(1 + i/30)
		case i%7 == 0:
			r.Position = rows[i-1].Position.Swap()
		}
		r.Exact, r.Weight = i%11 == 0, float64(rng.IntN(4))
	}
	return rows
}

// A fit that reads its rows again for each pass agrees with one of rows in memory.
func TestStreamedFitAgreesWithFitInMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 0))
	train, valid := gameRows(rng, 70_000, 0), gameRows(rng, 5000, 68_000)
	o := thesisOptions(t)
	o.Meta.Weighted = true
	o.Weight, o.Select, o.Tolerance = "weight", selectBackward, 0.001
	o.Subsets, o.RelativeRidge = []string{"thesis4"}, 0.01
	want := testkit.Must(trainRows(t, train, valid, o))(t)
	memory := maxInMemory
	defer func() { maxInMemory = memory }()
	maxInMemory = 0
	got := testkit.Must(trainRows(t, train, valid, o))(t)
	if got.Overlap != want.Overlap || got.Overlap == 0 || got.Overlap == len(valid) || len(got.Steps) != len(want.Steps) {
		t.Fatalf("%d left out, %d steps: want %d and %d", got.Overlap, len(got.Steps), want.Overlap, len(want.Steps))
	}
	sameFit(t, got.Full, want.Full)
	sameFit(t, got.Selected, want.Selected)
	sameFit(t, got.Captures, want.Captures)
	sameFit(t, got.Subsets[0], want.Subsets[0])
}

func sameFit(t *testing.T, got, want ModelSummary) {
	t.Helper()
	if *got.Errors != *want.Errors || len(got.Points) != len(want.Points) || len(got.StdErr) != len(want.StdErr) {
		t.Fatalf("%d weights, errors %+v: want %d, %+v", len(got.Points), got.Errors, len(want.Points), want.Errors)
	}
	for j := range want.Points {
		for _, pair := range [][2]float64{{got.Points[j], want.Points[j]}, {got.StdErr[j], want.StdErr[j]}} {
			if !near(pair[0], pair[1], 1e-11*math.Abs(pair[1])) {
				t.Errorf("%s: %v, want %v", want.Features[j], pair[0], pair[1])
			}
		}
	}
	sameDoubled(t, got.Train, want.Train)
	sameDoubled(t, *got.Validation, *want.Validation)
}

func sameDoubled(t *testing.T, got, want agreement.Doubled) {
	t.Helper()
	for _, pair := range [][2]float64{{got.R, want.R}, {got.R2, want.R2}, {got.MAE, want.MAE}, {got.RMSE, want.RMSE}} {
		if got.Rows != want.Rows || !near(pair[0], pair[1], 1e-11*math.Abs(pair[1])) {
			t.Errorf("%+v: want %+v", got, want)
		}
	}
}
