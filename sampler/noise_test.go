package sampler

import (
	"math"
	"path/filepath"
	"testing"

	"kroo/datasets"
	"kroo/engine"
	"kroo/games/oware"
)

// Labels made of a mean a position and noise of known size.
func TestNoiseOfKnownLabels(t *testing.T) {
	// Positions worth -300, 0 and 300; labels 30 above and 30 below.
	n := noiseOf([]float64{-330, -270, -30, 30, 270, 330}, 2)
	within := math.Sqrt((6 * 30 * 30) / 3.0)
	total := math.Sqrt((2*(330*330+270*270) + 2*30*30) / 5.0)
	if math.Abs(n.Within-within) > 1e-9 || math.Abs(n.Total-total) > 1e-9 || n.Changed != 1 || n.Positions != 3 ||
		math.Abs(n.CeilingR-math.Sqrt(1-within*within/total/total)) > 1e-12 {
		t.Errorf("%+v: want %g within and %g in all", n, within, total)
	}
	if n := noiseOf([]float64{5, 5, 8, 8}, 2); n.Within != 0 || n.CeilingR != 1 || n.Changed != 0 {
		t.Errorf("%+v of labels without noise", n)
	}
	if n := noiseOf([]float64{5, 5}, 2); n.CeilingR != 0 {
		t.Errorf("%+v of labels that are all the same", n)
	}
}

func TestMeasureNoise(t *testing.T) {
	in := samplePositions(t, 60)
	var first Noise
	for workers := 1; workers <= 2; workers++ {
		c := smallSearch
		c.Workers = workers
		n, err := MeasureNoise(t.Context(), engine.Oware(), in, c, 40, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		if workers == 1 {
			first = n
		} else if n != first {
			t.Errorf("%d workers measure %+v, one %+v", workers, n, first)
		}
		if n.Positions != 40 || n.Repeats != 3 || n.Within <= 0 || n.CeilingR <= 0.5 || n.CeilingR >= 1 || n.Changed <= 0 {
			t.Errorf("%+v", n)
		}
	}
	for _, c := range []struct{ positions, repeats int }{{1, 2}, {2, 1}} {
		if _, err := MeasureNoise(t.Context(), engine.Oware(), in, smallSearch, c.positions, c.repeats, nil); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	c := smallSearch
	c.Search.Nodes, c.Search.Depth = 0, 3
	if _, err := MeasureNoise(t.Context(), engine.Oware(), in, c, 40, 3, nil); err == nil {
		t.Error("searches of one depth: no error")
	}
}

// Scores of all moves: the best is the label's, and they are those of the legal
// moves, best first.
func TestAllMovesAreLabelled(t *testing.T) {
	in := samplePositions(t, 60)
	out := filepath.Join(t.TempDir(), "l.parquet")
	c := smallSearch
	c.AllMoves = true
	meta, err := Label(t.Context(), engine.Oware(), in, out, c, nil)
	if err != nil || !meta.AllMoves {
		t.Fatalf("meta %+v, error %v", meta, err)
	}
	_, rows, err := datasets.ReadLabels(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		p, err := oware.FromBookKey(oware.Abapa, r.Key)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Scores) != len(p.AppendMoves(nil)) || r.Scores[0].Move != r.Best || r.Scores[0].Score != r.Score {
			t.Errorf("%v: best %d for %d, scores %v", p, r.Best, r.Score, r.Scores)
		}
		for i, s := range r.Scores {
			if !p.IsLegal(s.Move) || i > 0 && r.Scores[i-1].Score < s.Score {
				t.Errorf("%v: scores %v", p, r.Scores)
			}
		}
	}
}

// A position of few seeds, which the default tables decide, and the same
// without tables, by the textbook search.
func TestTablesAnswerWithoutSearch(t *testing.T) {
	in, err := sampleFrom(t, Config{Method: File}, "boards.txt", "0-2-0-0-0-2-1-1-0-0-0-0-24-18-S\n"+startBoard+"\n")
	if err != nil {
		t.Fatal(err)
	}
	for tables, answered := range map[string]bool{"": true, engine.NoTables: false} {
		out := filepath.Join(t.TempDir(), "l.parquet")
		c := smallSearch
		c.Search.Tables, c.Search.FullWidth, c.Search.Nodes = tables, true, 2000
		if _, err := Label(t.Context(), engine.Oware(), in, out, c, nil); err != nil {
			t.Fatal(err)
		}
		_, rows, err := datasets.ReadLabels(out)
		if err != nil {
			t.Fatal(err)
		}
		late, early := rows[0], rows[1]
		if late.Nodes == 0 != answered || late.HasBest == answered || answered && (!late.Exact || late.Bound != datasets.AtLeast) || late.Label != 1000 {
			t.Errorf("tables %q: late %+v", tables, late)
		}
		if early.Nodes == 0 || early.Exact || !early.HasBest || early.Bound != datasets.Value {
			t.Errorf("tables %q: early %+v", tables, early)
		}
	}
}

// points against the scale in floating point, which has halves exactly.
func TestPointsOfAScore(t *testing.T) {
	info := oware.Descriptor().Info
	for score := -20_000; score <= 20_000; score++ {
		want := math.Round(float64(score*10) / 24)
		if score > 10_000 || want > 1000 {
			want = 1000
		}
		if score < -10_000 || want < -1000 {
			want = -1000
		}
		if got := points(info, score); float64(got) != want {
			t.Errorf("score %d is %d points: want %g", score, got, want)
		}
	}
}

func FuzzLabelRecord(f *testing.F) {
	good, err := appendLabel(nil, label{score: -5, depth: 3, nodes: 9, hasBest: true, best: 5, scores: []datasets.MoveScore{{Move: 5, Score: -5}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, record []byte) {
		l, err := decodeLabel(record)
		if err != nil {
			return
		}
		back, err := appendLabel(nil, l)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decodeLabel(back)
		if err != nil || len(again.scores) != len(l.scores) || again.score != l.score || again.nodes != l.nodes || again.bound != l.bound {
			t.Errorf("%+v comes back as %+v, %v", l, again, err)
		}
	})
}
