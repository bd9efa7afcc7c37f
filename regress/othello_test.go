package regress

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/features"
	discs "kroo/features/othello"
	"kroo/games/othello"
	"kroo/internal/testkit"
)

// othelloLabels are random positions of Othello labelled by a model.
func othelloLabels(t *testing.T, r othello.Rules, n int, m *discs.Model) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(12, 1))
	rows := make([]datasets.Row[othello.Position], n)
	for i := range rows {
		p, err := othello.Descriptor().Random(rng, r.String())
		testkit.NoError(t, err)
		rows[i] = datasets.Row[othello.Position]{Position: p, Label: m.Exact(p), Depth: 1}
	}
	path := filepath.Join(t.TempDir(), "labels.parquet")
	testkit.NoError(t, datasets.Write(othello.Descriptor(), path, datasets.Meta{Kind: datasets.Labels, Game: "othello", Rules: r.String(), Limits: "nodes 1", Engine: "bench-1"}, datasets.Rows(rows)))
	return path
}

func TestFitOfOthelloRecoversTheLabellingFunction(t *testing.T) {
	set, err := discs.PatternSets.Parse(othello.Small.String(), "mobility/2")
	testkit.NoError(t, err)
	rng := rand.New(rand.NewPCG(12, 2))
	w := make([]float64, set.Len())
	for i := range w {
		w[i] = rng.NormFloat64() * 100
	}
	m, err := discs.PatternSets.NewModel(othello.Small.String(), set, w, features.Provenance{})
	testkit.NoError(t, err)
	for _, loss := range []string{"squares", "chances"} {
		req := Request{
			PatternConfig: PatternConfig{Set: set.String(), Tolerance: 1e-7, Loss: loss, Scale: 4000},
			Rows:          []string{othelloLabels(t, othello.Small, 4000, m)}, Out: filepath.Join(t.TempDir(), "w.weights"),
		}
		s := fitPatternsOf(t, discs.PatternSets, req)
		if !s.Converged || s.Train.R < 0.9999 || s.Train.MAE > 0.5 || !strings.Contains(summaryText(s, othello.Descriptor().Info), "RMSE, discs") {
			t.Errorf("%s: %+v", loss, s)
		}
		got, err := discs.PatternSets.Load(req.Out, "", nil)
		if err != nil || got.Hash() != s.Hash || s.Compiled != req.Out {
			t.Fatalf("%v, error %v", got, err)
		}
		p := othello.Start(othello.Small)
		if a, b := got.Exact(p), m.Exact(p); math.Abs(a-b) > 1 {
			t.Errorf("%s: the start is worth %g, want %g", loss, a, b)
		}
	}
}
