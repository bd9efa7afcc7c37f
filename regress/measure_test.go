package regress

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// Compares with gonum's statistics over the same rows.
func TestMeasureAgreesWithGonum(t *testing.T) {
	wild := func(p oware.Position) float64 { return 2.5*tame(p) + 40*float64(p.House(2)) }
	path := labelFile(t, 20, 3000, func(p oware.Position) float64 { return tame(p) + 10*float64(p.House(0)) })
	m := testkit.Must(Measure(context.Background(), oware.Descriptor(), MeasureOptions[oware.Position]{Paths: []string{path}, Antisymmetric: true, Predict: wild}))(t)
	_, rows, err := datasets.Read(oware.Descriptor(), path, datasets.Labels)
	testkit.NoError(t, err)
	type pair struct{ x, y []float64 }
	var all, doubled pair
	byPhase := map[int]*pair{}
	for _, r := range rows {
		p := r.Position
		x := wild(p)
		doubled.x, doubled.y = append(doubled.x, x, -x), append(doubled.y, r.Label, -r.Label)
		x = max(-1000, min(1000, x))
		k := 0
		for _, q := range m.Phases {
			if p.SeedsInPlay() >= q.From {
				k = q.From
			}
		}
		if byPhase[k] == nil {
			byPhase[k] = new(pair)
		}
		for _, to := range []*pair{&all, byPhase[k]} {
			to.x, to.y = append(to.x, x), append(to.y, r.Label)
		}
	}
	check := func(name string, q Quality, want pair) {
		t.Helper()
		mae, mse := 0.0, 0.0
		for i := range want.x {
			d := want.x[i] - want.y[i]
			mae, mse = mae+math.Abs(d), mse+d*d
		}
		n := float64(len(want.x))
		r := stat.Correlation(want.x, want.y, nil)
		if q.Rows != len(want.x) || !near(q.R, r, 1e-9) || !near(q.MAE, mae/n, 1e-9) || !near(q.RMSE, math.Sqrt(mse/n), 1e-6) || !near(q.MAEUnits, mae/n*24/1000, 1e-9) {
			t.Errorf("%s: %+v: want n %d, r %g, mae %g, rmse %g", name, q, len(want.x), r, mae/n, math.Sqrt(mse/n))
		}
	}
	check("all", m.Quality, all)
	for _, q := range m.Phases {
		check("phase", q.Quality, *byPhase[q.From])
	}
	if want := stat.Correlation(doubled.x, doubled.y, nil); m.RDoubled == nil || !near(*m.RDoubled, want, 1e-9) {
		t.Errorf("r_doubled %v: want %g", m.RDoubled, want)
	}
	if m.Unit != "seed" || m.Limits != "nodes 1" || m.Phases[len(m.Phases)-1].To != 48 {
		t.Errorf("%+v", m)
	}
}

// A dataset of predictions has the rows measured, residuals that reproduce the measurement, and one
// group for both views of a board.
func TestPredictionsMatchTheMeasurement(t *testing.T) {
	path := columnFile(t, columnRowsOf(t, 60))
	out := filepath.Join(t.TempDir(), "p.parquet")
	o := MeasureOptions[oware.Position]{Paths: []string{path}, Where: "tempo>-1", Name: "stores"}
	o.Predict = func(p oware.Position) float64 { return 1500 * float64(p.Store()-p.OpponentStore()) / 24 }
	want := testkit.Must(Measure(t.Context(), oware.Descriptor(), o))(t)
	o.Out = out
	got := testkit.Must(Measure(t.Context(), oware.Descriptor(), o))(t)
	if got.Quality != want.Quality {
		t.Errorf("measured %+v: expected %+v", got.Quality, want.Quality)
	}
	m, rows, err := datasets.Read(oware.Descriptor(), out, datasets.Features)
	testkit.NoError(t, err)
	if !m.HasPredictions() || len(m.FitColumns()) != 2 || !strings.Contains(m.Note, "predictions of stores") || len(rows) != want.Rows {
		t.Errorf("%d rows of %+v", len(rows), m)
	}
	sum := 0.0
	if !m.Grouped {
		t.Error("without groups")
	}
	groupOf := map[int64]int64{}
	table := testkit.Must(datasets.Open(t.Context(), oware.Descriptor().Info, out))(t)
	defer table.Close()
	var groups []int64
	for b, err := range table.Batches(t.Context(), datasets.Query{Columns: []string{"group"}}) {
		testkit.NoError(t, err)
		groups = append(groups, b.Whole(0)...)
	}
	for i, r := range rows {
		prediction, residual, group := r.Values[2], r.Values[3], groups[i]
		if prediction != clamp(o.Predict(r.Position)) || residual != r.Label-prediction {
			t.Errorf("%s: prediction %v and residual %v of label %v", r.Position, prediction, residual, r.Label)
		}
		sum += math.Abs(residual)
		board := oware.Descriptor().Orbit(r.Position)
		board = min(board, oware.Descriptor().Orbit(r.Position.Swap()))
		if other, there := groupOf[board]; there && other != group {
			t.Errorf("%s: group %v, its other view has %v", r.Position, group, other)
		}
		groupOf[board] = group
	}
	if mae := sum / float64(len(rows)); !near(mae, want.MAE, 1e-9) {
		t.Errorf("mean absolute residual %v: expected %v", mae, want.MAE)
	}
}

// The rows of predictions keep the weights of their dataset, which do not count unless they are named.
func TestPredictionsKeepRowWeights(t *testing.T) {
	rows := columnRowsOf(t, 30)
	path := columnFile(t, rows)
	for _, weight := range []string{"", "weight"} {
		o := MeasureOptions[oware.Position]{Paths: []string{path}, Out: filepath.Join(t.TempDir(), "p.parquet"), Weight: weight}
		o.Predict = func(oware.Position) float64 { return 0 }
		m := testkit.Must(Measure(t.Context(), oware.Descriptor(), o))(t)
		sum := 0.0
		total := 0.0
		_, got, err := datasets.Read(oware.Descriptor(), o.Out, datasets.Features)
		testkit.NoError(t, err)
		for i, r := range got {
			if r.Weight != rows[i].Weight {
				t.Fatalf("--weight %q: row %d has weight %g: expected %g", weight, i, r.Weight, rows[i].Weight)
			}
			counts := 1.0
			if weight != "" {
				counts = r.Weight
			}
			sum += counts * math.Abs(r.Label)
			total += counts
		}
		if !near(m.MAE, sum/total, 1e-9) {
			t.Errorf("--weight %q: mean absolute error %g: expected %g", weight, m.MAE, sum/total)
		}
	}
}

// Predictions of two files, of which one has weights, would be without weights or of weight 0. A column that is
// joined to predictions would make the residual a feature.
func TestPredictionsAreNotMixedWithOtherRows(t *testing.T) {
	rows := columnRowsOf(t, 30)
	path := columnFile(t, rows)
	for i := range rows {
		rows[i].Weight = 0
	}
	plain := filepath.Join(t.TempDir(), "plain.parquet")
	meta := columnMeta
	meta.Weighted = false
	testkit.NoError(t, datasets.Write(oware.Descriptor(), plain, meta, datasets.Rows(rows)))
	o := MeasureOptions[oware.Position]{Paths: []string{path, plain}, Out: filepath.Join(t.TempDir(), "p.parquet")}
	o.Predict = func(oware.Position) float64 { return 0 }
	_, err := Measure(t.Context(), oware.Descriptor(), o)
	testkit.ErrorContains(t, err, "its columns are not those of the first dataset")

	o.Paths = []string{path}
	testkit.Must(Measure(t.Context(), oware.Descriptor(), o))(t)
	_, _, err = datasets.Join(t.Context(), oware.Descriptor(), o.Out, path, filepath.Join(t.TempDir(), "j.parquet"), "",
		datasets.ImportOptions{Columns: []string{"tempo"}})
	testkit.ErrorContains(t, err, "contains predictions")
}

// A bad weight is reported with its row in its file, whatever the filter and the files before.
func TestABadWeightIsReportedWithItsRow(t *testing.T) {
	good := columnRowsOf(t, 30)
	for i := range good {
		good[i].Values = []float64{1, 1}
	}
	bad := slices.Clone(good)
	bad[17].Values = []float64{-1, 1}
	first := columnFile(t, good)
	second := columnFile(t, bad)
	o := MeasureOptions[oware.Position]{Paths: []string{first, second}, Weight: "mobility", Where: "label!=" + strconv.FormatFloat(bad[3].Label, 'g', -1, 64)}
	o.Predict = func(oware.Position) float64 { return 0 }
	testkit.ErrorContains(t, errorOf(Measure(t.Context(), oware.Descriptor(), o)), second+": the weight mobility is -1 in row 18: ")
}

func TestPredictionsOfOtherColumnsAreRejected(t *testing.T) {
	a := columnFile(t, columnRowsOf(t, 10))
	b := filepath.Join(t.TempDir(), "labels.parquet")
	testkit.NoError(t, datasets.Write(oware.Descriptor(), b, datasets.Meta{Kind: datasets.Positions, Game: "oware", Rules: "abapa"}, datasets.Rows([]datasets.Row[oware.Position]{{Position: oware.Start(oware.Abapa)}})))
	o := MeasureOptions[oware.Position]{Paths: []string{a, b}, Out: filepath.Join(t.TempDir(), "p.parquet")}
	o.Predict = func(oware.Position) float64 { return 0 }
	testkit.ErrorContains(t, errorOf(Measure(t.Context(), oware.Descriptor(), o)), "its columns are not those of the first dataset")
}
