package regress

import (
	"kroo/games"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

// A row of weight 2 is equivalent to two rows, and one of weight 0 to none, in every figure except
// the standard errors, for which see TestErrorsAgreeWithR.
func TestRowWeightsAreEquivalentToRepeatedRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for _, ridge := range []float64{0, 0.3} {
		d := simulate(rng, 300, []float64{30, -7, 12}, 50)
		var x []float64
		var again data
		for i := range d.Y {
			w := float64(rng.IntN(4))
			d.W = append(d.W, w)
			for range int(w) {
				x = append(x, d.X.RawRowView(i)...)
				again.Y = append(again.Y, d.Y[i])
			}
		}
		again.X = mat.NewDense(len(again.Y), 3, x)
		names := []string{"a", "b", "c"}
		got := fitColumns(t, d, d, names, names, ridge)
		want := fitColumns(t, again, again, names, names, ridge)
		for j := range names {
			if got, want := got.Points[j], want.Points[j]; !near(got, want, 1e-9*(1+want*want)) {
				t.Errorf("ridge %g, %s: %v, want %v", ridge, names[j], got, want)
			}
			if ridge == 0 && !near(got.VIF[j], want.VIF[j], 1e-9*(1+want.VIF[j]*want.VIF[j])) {
				t.Errorf("%s: VIF %v, want %v", names[j], got.VIF[j], want.VIF[j])
			}
		}
		for _, s := range [][2]float64{{got.Train.R, want.Train.R}, {got.Train.MAE, want.Train.MAE}, {got.Train.RMSE, want.Train.RMSE}, {got.Validation.R2, want.Validation.R2}} {
			if !near(s[0], s[1], 1e-9*(1+s[1])) {
				t.Errorf("ridge %g: figure %v, want %v", ridge, s[0], s[1])
			}
		}
		if got.Train.Rows != 300 {
			t.Errorf("%d rows", got.Train.Rows)
		}
	}
}

// columnRowsOf are rows of random boards with two columns of another program, with true weights 40
// and −15. Each board occurs with either side to move.
func columnRowsOf(t *testing.T, n int) []featureRow {
	t.Helper()
	rng := rand.New(rand.NewPCG(34, 1))
	var rows []featureRow
	for range n {
		p := testkit.Must(oware.Descriptor().Random(rng, "abapa"))(t)
		v := []float64{rng.NormFloat64(), 3 * rng.NormFloat64()}
		label := 40*v[0] - 15*v[1]
		rows = append(rows,
			featureRow{Position: p, Label: label, Values: v, Weight: float64(1 + rng.IntN(3))},
			featureRow{Position: p.Swap(), Label: -label, Values: []float64{-v[0], -v[1]}, Weight: 1})
	}
	return rows
}

var columnMeta = datasets.Meta{Kind: datasets.Features, Game: "oware", Rules: "abapa", Columns: []string{"mobility", "tempo"}, OptionalColumns: datasets.OptionalColumns{Weighted: true}}

func columnFile(t *testing.T, rows []featureRow) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mine.parquet")
	testkit.NoError(t, datasets.Write(oware.Descriptor(), path, columnMeta, datasets.Rows(rows)))
	return path
}

func fitRequest(t *testing.T, training string) Request {
	return Request{Linear: Config{Select: selectBackward, Tolerance: 0.001}, Rows: []string{training}, Out: filepath.Join(t.TempDir(), "w.json")}
}

func TestColumnsOfAnotherProgramAreFitted(t *testing.T) {
	path := columnFile(t, columnRowsOf(t, 200))
	req := fitRequest(t, path)
	req.Weight = "weight"
	sum, err := fitFeatures(t.Context(), owarefeatures.Sets, req, nil)
	if err != nil || sum.Selected.Train.R < 0.9999 {
		t.Fatalf("%+v, error %v", sum, err)
	}
	data := testkit.Read(t, req.Out)
	w, err := features.ParseWeights(data, "w")
	if err != nil || !slices.Equal(w.Features, columnMeta.Columns) || !slices.Equal(w.Columns, columnMeta.Columns) || w.Provenance.Weight != "weight" {
		t.Fatalf("%+v, error %v", w, err)
	}
	if !near(w.Points[0], 40, 1e-6) || !near(w.Points[1], -15, 1e-6) {
		t.Errorf("weights %v", w.Points)
	}
	testkit.ErrorContains(t, errorOf(owarefeatures.Sets.Parse(data, "w")), "the engine cannot evaluate with them: `train evaluate`")
	m, err := Measure(t.Context(), oware.Descriptor(), MeasureOptions[oware.Position]{Paths: []string{path}, Antisymmetric: true, Where: "tempo>0", Weights: w})
	if err != nil || m.R < 0.9999 || m.MAE > 1e-6 || m.Rows != 200 {
		t.Errorf("%+v, error %v", m, err)
	}
	req = fitRequest(t, path)
	req.Columns = []string{"tempo"}
	if sum, err = fitFeatures(t.Context(), owarefeatures.Sets, req, nil); err != nil || !slices.Equal(sum.Selected.Features, req.Columns) {
		t.Errorf("%+v, error %v", sum, err)
	}
}

// A fit does not depend on the scale of its columns, and its tables show weights of any size.
func TestColumnsOfAnyScaleAreFitted(t *testing.T) {
	fit := func(first, second float64) Summary {
		rows := columnRowsOf(t, 200)
		rng := rand.New(rand.NewPCG(57, 1))
		for i := range rows {
			rows[i].Label += 20 * rng.NormFloat64()
			rows[i].Values[0] *= first
			rows[i].Values[1] *= second
		}
		req := fitRequest(t, columnFile(t, rows))
		return testkit.Must(fitFeatures(t.Context(), owarefeatures.Sets, req, nil))(t)
	}
	want := fit(1, 1)
	for _, scale := range [][2]float64{{1e-9, 1e8}, {1e8, 1e-50}} {
		got := fit(scale[0], scale[1])
		for j, s := range scale {
			weight, stdErr := want.Full.Points[j]/s, want.Full.StdErr[j]/s
			if !near(got.Full.Points[j], weight, 1e-9*math.Abs(weight)) || !near(got.Full.StdErr[j], stdErr, 1e-9*stdErr) {
				t.Errorf("times %g: %v ± %v, want %v ± %v", s, got.Full.Points[j], got.Full.StdErr[j], weight, stdErr)
			}
		}
		if !near(got.Full.ScaledCondition, want.Full.ScaledCondition, 1e-9) || !near(got.Full.Train.R, want.Full.Train.R, 1e-12) {
			t.Errorf("times %g: condition number %v, R %v", scale, got.Full.ScaledCondition, got.Full.Train.R)
		}
		if text := summaryText(got, oware.Descriptor().Info); strings.Contains(text, "0.000") {
			t.Errorf("times %g: a weight without digits:\n%s", scale, text)
		}
	}
}

func TestColumnsThatCannotBeFittedAreRejected(t *testing.T) {
	for want, change := range map[string]func(i int, r *featureRow){
		"feature mobility is 7 in every row":                       func(_ int, r *featureRow) { r.Values[0] = 7 },
		"column tempo is not a difference, mover minus opponent: ": func(i int, r *featureRow) { r.Values[1] = max(r.Values[1], -r.Values[1]) },
		"column tempo is not a difference":                         func(i int, r *featureRow) { r.Values[1] = 1e-9 * max(r.Values[1], -r.Values[1]) },
		"multiply the column by a power":                           func(_ int, r *featureRow) { r.Values[1] *= 1e-70 },
	} {
		rows := columnRowsOf(t, 50)
		for i := range rows {
			change(i, &rows[i])
		}
		if strings.Contains(want, "every row") { // boards that do not occur with the other side to move
			for i := range rows {
				rows[i] = columnRowsOf(t, 50)[i/2*2]
				rows[i].Ply = int32(i)
				change(i, &rows[i])
			}
		}
		_, err := fitFeatures(t.Context(), owarefeatures.Sets, fitRequest(t, columnFile(t, rows)), nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v: want %q in one line", err, want)
		}
	}
	good := columnFile(t, columnRowsOf(t, 50))
	for want, change := range map[string]func(r *Request){
		`no feature "mood"`:        func(r *Request) { r.Columns = []string{"mood"} },
		"the weight mobility is -": func(r *Request) { r.Weight = "mobility" },
		"no row matches phase>99":  func(r *Request) { r.Where = "phase>99" },
	} {
		req := fitRequest(t, good)
		change(&req)
		testkit.ErrorContains(t, errorOf(fitFeatures(t.Context(), owarefeatures.Sets, req, nil)), want)
	}
}

// Exchanging the sides leaves a position unchanged for the side to move.
func TestColumnsOfOneSideAreDetected(t *testing.T) {
	rows := columnRowsOf(t, 50)[:1]
	other := rows[0]
	other.Position = other.Position.Mirror()
	other.Values = []float64{-rows[0].Values[0], rows[0].Values[1]}
	values := map[oware.Position][]float64{rows[0].Position: rows[0].Values, other.Position: other.Values}
	s := &tableSamples[oware.Position]{game: oware.Descriptor()}
	testkit.Contains(t, s.asymmetry(values, columnMeta.Columns), "column mobility is not", "with the sides exchanged")
	rows[0].Values[0] *= -1
	if text := s.asymmetry(values, columnMeta.Columns); text != "" {
		t.Errorf("values that agree: %s", text)
	}
}

// In a fit of patterns, too, weights of rows are equivalent to repeated rows.
func TestRowWeightsOfLabelsAreEquivalentToRepeatedRows(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(35, 1))
	_, rows, err := datasets.Read(oware.Descriptor(), labelFile(t, 35, 400, tame), datasets.Labels)
	testkit.NoError(t, err)
	var again []labelRow
	for i := range rows {
		rows[i].Label += 50 * rng.NormFloat64()
		rows[i].Label = max(-games.MaxPoints, min(games.MaxPoints, rows[i].Label))
		rows[i].Game = int32(i + 1)
		weight := 1 + rng.IntN(2)
		for range weight {
			again = append(again, rows[i])
		}
		rows[i].Weight = float64(weight)
	}
	weighted, repeated := filepath.Join(dir, "w.parquet"), filepath.Join(dir, "r.parquet")
	meta := datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa"}
	testkit.NoError(t, datasets.Write(oware.Descriptor(), repeated, meta, datasets.Rows(again)))
	meta.Weighted = true
	testkit.NoError(t, datasets.Write(oware.Descriptor(), weighted, meta, datasets.Rows(rows)))
	fit := func(labels, weight string) Summary {
		req := request(t, labels)
		req.Weight = weight
		req.Tolerance = 1e-9
		sum := testkit.Must(fitPatterns(t.Context(), owarefeatures.Sets, req, nil))(t)
		return sum
	}
	got, want := fit(weighted, "weight"), fit(repeated, "")
	for _, pair := range [][2]float64{{got.Train.R, want.Train.R}, {got.Train.MAE, want.Train.MAE}, {got.Train.RMSE, want.Train.RMSE}} {
		if !near(pair[0], pair[1], 1e-5*(1+pair[1])) {
			t.Errorf("figure %v, want %v", pair[0], pair[1])
		}
	}
	if alone := fit(weighted, ""); near(alone.Train.RMSE, want.Train.RMSE, 1e-5) {
		t.Errorf("rows that count once give the same error, %v", alone.Train.RMSE)
	}
	req := request(t, weighted)
	for _, bad := range []string{"mood", "best"} {
		req.Weight = bad
		testkit.ErrorContains(t, errorOf(fitPatterns(t.Context(), owarefeatures.Sets, req, nil)), `no column "`+bad+`" of numbers`)
	}
}

// Rows of features that all weigh 0, to fit to or to measure on, give an error that names their file.
func TestFeaturesOfNoWeightAreRejected(t *testing.T) {
	rows := columnRowsOf(t, 40)
	good := columnFile(t, rows)
	rows = columnRowsOf(t, 60)[80:] // other boards
	for i := range rows {
		rows[i].Weight = 0
	}
	bad := columnFile(t, rows)
	for _, req := range []Request{{Rows: []string{bad}}, {Rows: []string{good}, Validation: []string{bad}}} {
		req.Weight = "weight"
		req.Out = filepath.Join(t.TempDir(), "w.json")
		testkit.ErrorContains(t, errorOf(fitFeatures(t.Context(), owarefeatures.Sets, req, nil)), bad+": the weight weight is 0 in every row")
	}
}

// A fit of a dataset of predictions is of its features, not of the predictions.
func TestPredictionsAreNotFitted(t *testing.T) {
	o := MeasureOptions[oware.Position]{Paths: []string{columnFile(t, columnRowsOf(t, 100))}, Out: filepath.Join(t.TempDir(), "p.parquet")}
	o.Predict = func(p oware.Position) float64 { return float64(p.Store()) }
	testkit.Must(Measure(t.Context(), oware.Descriptor(), o))(t)
	sum := testkit.Must(fitFeatures(t.Context(), owarefeatures.Sets, fitRequest(t, o.Out), nil))(t)
	if !slices.Equal(sum.Full.Features, columnMeta.Columns) {
		t.Errorf("features %q: expected %q", sum.Full.Features, columnMeta.Columns)
	}

	o.Paths = []string{labelFile(t, 37, 200, tame)}
	testkit.Must(Measure(t.Context(), oware.Descriptor(), o))(t)
	req := fitRequest(t, o.Out)
	testkit.ErrorContains(t, errorOf(fitFeatures(t.Context(), owarefeatures.Sets, req, nil)), "the only columns are prediction and residual")
	_, err := setOf(owarefeatures.Sets, testkit.Must(datasets.ReadManifest(o.Out))(t).Meta)
	testkit.NoError(t, err)
}

// countingSink counts the sinks that add rows at the same time.
type countingSink struct{ now, most *atomic.Int32 }

func (s countingSink) add(*block) {
	now := s.now.Add(1)
	if now > s.most.Load() {
		s.most.Store(now)
	}
	time.Sleep(time.Millisecond)
	s.now.Add(-1)
}

func (countingSink) end() {}

func TestWorkersLimitThePassesOverFeatures(t *testing.T) {
	path := columnFile(t, columnRowsOf(t, 20))
	tables := testkit.Must(openTables(t.Context(), oware.Descriptor().Info, []string{path}))(t)
	defer tables.close()
	req := fitRequest(t, path)
	req.Workers = 1
	trainer := testkit.Must(newTrainer(owarefeatures.Sets, tables[0], req))(t)
	trainer.work = parallel.Progress(nil).Tally(0, 0)
	table := testkit.Must(newTableSamples(oware.Descriptor(), tables[0], trainer))(t)
	all, ok := testkit.Must(table.inMemory(t.Context()))(t).(stripes)
	if !ok || len(all.blocks) != 1 {
		t.Fatalf("not in memory, or %d stripes", len(all.blocks))
	}
	all.blocks = slices.Repeat(all.blocks, 32)
	var now, most atomic.Int32
	testkit.NoError(t, all.pass(t.Context(), func() sink { return countingSink{&now, &most} }))
	if most.Load() != 1 {
		t.Errorf("%d workers: expected 1", most.Load())
	}
}

// Weights that leave no row or only one, or that are invalid, give an error that names the file.
func TestRowWeightsThatLeaveNoRowsAreRejected(t *testing.T) {
	dir := t.TempDir()
	_, rows, err := datasets.Read(oware.Descriptor(), labelFile(t, 36, 20, tame), datasets.Labels)
	testkit.NoError(t, err)
	path := filepath.Join(dir, "w.parquet")
	meta := datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa", OptionalColumns: datasets.OptionalColumns{Weighted: true}}
	for heavy, want := range map[int]string{0: "the weight weight is 0 in every row", 1: "rows with a weight above 0: 1: expected at least 2", 2: ""} {
		for i := range rows {
			rows[i].Weight = 0
			if i < heavy {
				rows[i].Weight = 2
			}
		}
		testkit.NoError(t, datasets.Write(oware.Descriptor(), path, meta, datasets.Rows(rows)))
		req := request(t, path)
		req.Weight = "weight"
		if _, err := fitPatterns(t.Context(), owarefeatures.Sets, req, nil); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d rows that count: %v, expected %s", heavy, err, want)
		}
		options := MeasureOptions[oware.Position]{Paths: []string{path}, Weight: "weight", Predict: func(oware.Position) float64 { return 0 }}
		_, err := Measure(t.Context(), oware.Descriptor(), options)
		if heavy == 0 != (err != nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d rows that count: measured %v", heavy, err)
		}
		req.Weight = "label" // some are negative
		testkit.ErrorContains(t, errorOf(fitPatterns(t.Context(), owarefeatures.Sets, req, nil)), path+": the weight label is -")
	}
}
