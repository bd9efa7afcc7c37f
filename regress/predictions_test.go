package regress

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// A dataset of predictions has the rows measured, with residuals that give the measurement, and one
// group for the two views of a board.
func TestPredictionsAreWhatIsMeasured(t *testing.T) {
	path := columnFile(t, columnRowsOf(t, 60))
	out := filepath.Join(t.TempDir(), "p.parquet")
	predictor := Predictor[oware.Position]{Predict: func(p oware.Position) float64 { return 1500 * float64(p.Store()-p.OpponentStore()) / 24 }}
	o := MeasureOptions{Paths: []string{path}, Where: "tempo>-1"}
	want, err := Measure(t.Context(), oware.Descriptor(), o, predictor)
	testkit.NoError(t, err)
	got, err := Predict(t.Context(), oware.Descriptor(), o, predictor, "stores", out)
	testkit.NoError(t, err)
	if got.Quality != want.Quality {
		t.Errorf("measured %+v: expected %+v", got.Quality, want.Quality)
	}
	m, rows, err := datasets.Read(oware.Descriptor(), out, datasets.Features)
	testkit.NoError(t, err)
	if !m.Predicted() || len(m.Fitted()) != 2 || !strings.Contains(m.Note, "predictions of stores") || len(rows) != want.Rows {
		t.Errorf("%d rows of %+v", len(rows), m)
	}
	sum := 0.0
	if !m.Grouped {
		t.Error("without groups")
	}
	groupOf := map[int64]int64{}
	table, err := datasets.Open(t.Context(), oware.Descriptor().Info, out)
	testkit.NoError(t, err)
	defer table.Close()
	var groups []int64
	for b, err := range table.Batches(t.Context(), datasets.Query{Columns: []string{"group"}}) {
		testkit.NoError(t, err)
		groups = append(groups, b.Whole(0)...)
	}
	for i, r := range rows {
		prediction, residual, group := r.Values[2], r.Values[3], groups[i]
		if prediction != clamped(predictor.Predict(r.Position)) || residual != r.Label-prediction {
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

func TestPredictionsOfOtherColumnsAreRefused(t *testing.T) {
	a := columnFile(t, columnRowsOf(t, 10))
	b := filepath.Join(t.TempDir(), "labels.parquet")
	testkit.NoError(t, datasets.Write(oware.Descriptor(), b, datasets.Meta{Kind: datasets.Positions, Game: "oware", Rules: "abapa"}, datasets.Rows([]datasets.Row[oware.Position]{{Position: oware.Start(oware.Abapa)}})))
	predictor := Predictor[oware.Position]{Predict: func(oware.Position) float64 { return 0 }}
	_, err := Predict(t.Context(), oware.Descriptor(), MeasureOptions{Paths: []string{a, b}}, predictor, "none", filepath.Join(t.TempDir(), "p.parquet"))
	if err == nil || !strings.Contains(err.Error(), "its columns are not those of the first dataset") {
		t.Errorf("error %v", err)
	}
}
