package regress

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"kroo/datasets"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games/gametest"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// gamesOfFeatures writes rows of games numbered from 1, seven of each, with outcomes and the columns of
// columnMeta.
func gamesOfFeatures(t *testing.T, seed uint64, count int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var rows []featureRow
	for i, p := range gametest.RandomPositions(t, oware.Descriptor(), rng, "abapa", 7*count) {
		v := []float64{rng.NormFloat64(), 3 * rng.NormFloat64()}
		label := 40*v[0] - 15*v[1] + 100*rng.NormFloat64()
		rows = append(rows, featureRow{
			Position: p, Label: label, Values: v, Weight: 1,
			Game: int32(1 + i/7), Ply: int32(i % 7), Outcome: datasets.OutcomeOf(int(label/50 + 2*rng.NormFloat64())),
		})
	}
	meta := columnMeta
	meta.Grouped, meta.Results = true, true
	path := filepath.Join(t.TempDir(), "games.parquet")
	testkit.NoError(t, datasets.Write(oware.Descriptor(), path, meta, datasets.Rows(rows)))
	return path
}

// The games of several files remain apart, whose numbers are the same, in every command: also when the
// rows are in one file now, with or without another one.
func TestGamesOfMergedFilesAreClusters(t *testing.T) {
	g := oware.Descriptor()
	stores := func(p oware.Position) float64 { return float64(p.Store() - p.OpponentStore()) }
	merge := func(paths ...string) string {
		t.Helper()
		o := MeasureOptions[oware.Position]{Paths: paths, Name: "stores", Predict: stores, Out: filepath.Join(t.TempDir(), "merged.parquet")}
		testkit.Must(Measure(t.Context(), g, o))(t)
		return o.Out
	}
	asLabels := func(paths []string) []string {
		t.Helper()
		var out []string
		for _, path := range paths {
			meta, rows, err := datasets.Read(g, path, datasets.Features)
			testkit.NoError(t, err)
			meta.Kind, meta.Columns = datasets.Labels, nil
			labels := filepath.Join(t.TempDir(), "labels.parquet")
			testkit.NoError(t, datasets.Write(g, labels, meta, datasets.Rows(rows)))
			out = append(out, labels)
		}
		return out
	}
	check := func(want int, paths ...string) {
		t.Helper()
		measured := testkit.Must(Measure(t.Context(), g, MeasureOptions[oware.Position]{Paths: paths, Predict: stores}))(t)
		if measured.Clusters != want {
			t.Errorf("measured with %d clusters: want %d games", measured.Clusters, want)
		}
		two := []func(oware.Position) float64{stores, func(p oware.Position) float64 { return 2 * stores(p) }}
		paired := testkit.Must(Pair(t.Context(), g, PairingOptions[oware.Position]{Predict: two, Paths: paths}))(t)
		if paired.Clusters != want {
			t.Errorf("compared with %d clusters: want %d games", paired.Clusters, want)
		}
		all := testkit.Must(openTables(t.Context(), g.Info, paths))(t)
		defer all.close()
		calibrated := testkit.Must(all.calibrate(t.Context(), g.Info, "", ""))(t)
		if calibrated.Calibration == nil || calibrated.Calibration.Games != want {
			t.Errorf("calibrated by %+v: want %d games", calibrated, want)
		}
		labels := testkit.Must(openTables(t.Context(), g.Info, asLabels(paths)))(t)
		defer labels.close()
		labelled := &labelledRows[oware.Position]{game: g, tables: labels}
		clusters := map[uint32]bool{}
		for b, err := range labelled.read(t.Context()) {
			testkit.NoError(t, err)
			for i := range b.len() {
				clusters[b.cluster(i)] = true
			}
		}
		if len(clusters) != want {
			t.Errorf("patterns have %d clusters: want %d games", len(clusters), want)
		}
		if len(paths) > 1 {
			return // a fit of columns reads one file
		}
		req := fitRequest(t, paths[0])
		req.Linear = Config{}
		fitted := testkit.Must(fitFeatures(t.Context(), owarefeatures.Sets, req, nil))(t)
		if e := fitted.Selected.Errors; e == nil || e.Kind != features.ClusteredErrors || e.Clusters != want {
			t.Errorf("fitted with %+v: want %d clusters", e, want)
		}
	}
	a, b, c := gamesOfFeatures(t, 1, 20), gamesOfFeatures(t, 2, 30), gamesOfFeatures(t, 3, 30)
	check(20, a)
	check(50, a, b)
	merged := merge(a, b)
	check(50, merged)
	check(80, merged, c)
	check(80, c, merged)
	check(100, merged, merged)
}
