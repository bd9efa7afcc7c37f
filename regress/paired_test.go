package regress

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"kroo/datasets"
	"kroo/games/gametest"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// TestPairedDifferencesAreThoseOfTheDefinition compares with sums over games: the mean of the differences, and the root of
// the sum of their squared deviations by game, times n/(n-1) (Liang and Zeger 1986).
func TestPairedDifferencesAreThoseOfTheDefinition(t *testing.T) {
	game := oware.Descriptor()
	rng := rand.New(rand.NewPCG(5, 5))
	var rows []datasets.Row[oware.Position]
	for i, p := range gametest.RandomPositions(t, game, rng, "abapa", 200) {
		rows = append(rows, datasets.Row[oware.Position]{Position: p, Label: float64(rng.IntN(2001) - 1000), Depth: 1, Game: int32(1 + i/7), Ply: int32(i % 7)})
	}
	path := filepath.Join(t.TempDir(), "labels.csv")
	meta := datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa"}
	testkit.NoError(t, datasets.Write(game, path, meta, datasets.Rows(rows)))
	predict := []func(oware.Position) float64{
		func(p oware.Position) float64 { return float64(p.House(0)) * 300 },
		func(p oware.Position) float64 { return float64(p.House(1)) - 1200 },
	}
	for _, clamp := range []bool{false, true} {
		skip := func(p oware.Position) bool { return p.House(2) == 1 }
		got := testkit.Must(Pair(t.Context(), game, PairingOptions[oware.Position]{Predict: predict, Clamped: clamp, Paths: []string{path}, Skip: skip}))(t)
		games := map[int32][]float64{}
		n := 0.0
		total := 0.0
		for _, r := range rows {
			if skip(r.Position) {
				continue
			}
			a := predict[0](r.Position)
			b := predict[1](r.Position)
			if clamp {
				a = max(-1000, min(1000, a))
				b = max(-1000, min(1000, b))
			}
			d := math.Abs(b-r.Label) - math.Abs(a-r.Label)
			games[r.Game] = append(games[r.Game], d)
			total += d
			n++
		}
		squares := 0.0
		for _, list := range games {
			off := 0.0
			for _, d := range list {
				off += d - total/n
			}
			squares += off * off
		}
		k := float64(len(games))
		want := math.Sqrt(squares*k/(k-1)) / n
		one := got.Evaluations[1]
		if got.Rows != int(n) || got.Clusters != len(games) || math.Abs(one.Difference-total/n) > 1e-6 || math.Abs(one.DifferenceErr-want) > 1e-6 {
			t.Errorf("clamped %v: %+v: want %g ± %g of %g rows in %d games", clamp, got, total/n, want, n, len(games))
		}
		testkit.Equal(t, got.Evaluations[0].Difference, 0, "difference from itself")
	}
}
