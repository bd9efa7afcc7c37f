package regress

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"kroo/datasets"
	"kroo/features"
	"kroo/features/oware"
	rules "kroo/games/oware"
	"kroo/internal/testkit"
)

// gamesFile writes labels of positions of games, each with the outcome that a calibration draws for
// its label.
func gamesFile(t *testing.T, truth *features.Calibration, games int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, 1))
	g := rules.Descriptor()
	var rows []labelRow
	for game := range games {
		p, err := g.Random(rng, "abapa")
		testkit.NoError(t, err)
		label := math.Round(max(-900, min(900, 150*rng.NormFloat64())))
		score, part := label/g.PointsPerUnit(), float64(g.Phase(p))/float64(g.MaxPhase)
		win, draw, _ := truth.Chances(score, part)
		margin := max(1, int(math.Abs(truth.ExpectedMargin(score, part, 48))))
		switch x := rng.Float64(); {
		case x > win+draw:
			margin = -margin
		case x > win:
			margin = 0
		}
		rows = append(rows, labelRow{Position: p, Game: int32(game + 1), Outcome: datasets.OutcomeOf(margin), Label: label, Depth: 1})
		rows = append(rows, labelRow{Position: p, Game: int32(game + 1), Label: label, Depth: 1})                                   // without an outcome
		rows = append(rows, labelRow{Position: p, Game: int32(game + 1), Outcome: datasets.OutcomeOf(-9), Label: 700, Exact: true}) // proven
	}
	path := filepath.Join(t.TempDir(), "labels.parquet")
	testkit.NoError(t, datasets.Write(g, path, datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa", Limits: "nodes 1", Engine: "bench-1", Has: datasets.Has{Results: true}}, datasets.Rows(rows)))
	return path
}

// Both kinds of fit find the chances that made the outcomes, and their weights carry them.
func TestAFitToRowsOfGamesIsCalibrated(t *testing.T) {
	truth := &features.Calibration{Rate: [2]float64{0.9, 0.4}, Draw: [2]float64{0.8, 0.3}, Margin: [2]float64{1, 3}}
	labels := gamesFile(t, truth, 4000)
	check := func(name string, c *features.Calibration) {
		t.Helper()
		if c == nil {
			t.Fatalf("%s: not calibrated", name)
		}
		for i := range 2 {
			for what, z := range map[string]float64{"rate": (c.Rate[i] - truth.Rate[i]) / c.RateErr[i], "draw": (c.Draw[i] - truth.Draw[i]) / c.DrawErr[i]} {
				if !(math.Abs(z) < 4) || c.Games != 4000 || c.Positions != 4000 {
					t.Errorf("%s: %s %d is %.1f standard errors off: %+v", name, what, i, z, c)
				}
			}
		}
	}
	req := request(t, labels)
	s := fitPatterns(t, req)
	check("patterns", s.Calibration)
	w, err := oware.Find(req.Out, "")
	testkit.NoError(t, err)
	check("compiled file", w.Tables.Header().Calibration)
	m, err := oware.PatternSets.LoadModel(features.ModelPath(req.Out))
	testkit.NoError(t, err)
	check("model file", m.Calibration)

	table, out := filepath.Join(t.TempDir(), "f.parquet"), filepath.Join(t.TempDir(), "w.json")
	_, err = Tabulate(t.Context(), oware.Sets, labels, table, "thesis", "", nil)
	testkit.NoError(t, err)
	_, err = fitFeatures(t.Context(), oware.Sets, Request{Rows: []string{table}, Out: out}, nil)
	testkit.NoError(t, err)
	f, err := oware.Sets.Load(out)
	testkit.NoError(t, err)
	check("features", f.Calibration)
}

func TestAFitToOtherRowsIsNot(t *testing.T) {
	if s := fitPatterns(t, request(t, labelFile(t, 1, 300, tame))); s.Calibrated != (Calibrated{}) {
		t.Errorf("%+v of rows without outcomes", s.Calibrated)
	}
	lost := &features.Calibration{Rate: [2]float64{-0.5, -0.5}}
	if s := fitPatterns(t, request(t, gamesFile(t, lost, 300))); s.Calibration != nil || s.NotCalibrated == "" {
		t.Errorf("%+v of outcomes that contradict the labels", s.Calibrated)
	}
}
