package sparse

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kroo/internal/testkit"
)

// Dense twin: the trace of H (H+Λ)⁻¹.
func TestFreedomIsTheTrace(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	rows := randomTable(rng, 500, 60, 5, 100)
	o := Options{Ridge: 4, Groups: []Group{{"fine", 20, 60, 60}}}
	x, _, weight := rows.dense()
	n, columns := x.Dims()
	var wx, h, a, b mat.Dense
	wx.Apply(func(i, _ int, v float64) float64 { return weight[i] * v }, x)
	h.Mul(x.T(), &wx)
	a.CloneFrom(&h)
	for j := range columns {
		a.Set(j, j, a.At(j, j)+map[bool]float64{true: 4, false: 60}[j < 20])
	}
	testkit.NoError(t, b.Solve(&a, &h))
	want := mat.Trace(&b)
	m := mustPrepare(t, rows, Layout{})
	if m.Weights() != columns || n != 500 {
		t.Fatalf("%d weights, %d rows", m.Weights(), n)
	}
	got, err := m.Freedom(background, o, mustFit(t, m, o).Weights, 40, 1)
	testkit.NoError(t, err)
	if !(math.Abs(got.Value-want) < 4*got.StdErr) || !(got.StdErr > 0 && got.StdErr < 1.5) || got.Of != columns {
		t.Errorf("%+v, want %.2f", got, want)
	}
	again, err := m.Freedom(background, o, mustFit(t, m, o).Weights, 40, 1)
	if err != nil || again != got {
		t.Errorf("the same seed gives %+v and %+v, %v", got, again, err)
	}
	// The bars of as many probes as --diagnose takes hold the trace as often as they should.
	held := 0
	weights := mustFit(t, m, o).Weights
	for seed := range uint64(100) {
		got, err := m.Freedom(background, o, weights, 16, seed<<32) // near seeds share probes
		testkit.NoError(t, err)
		if math.Abs(got.Value-want) < 2*got.StdErr {
			held++
		}
	}
	if held < 90 {
		t.Errorf("%d of 100 bars hold the trace: want 94", held)
	}
	if _, err := m.Freedom(background, o, nil, 40, 1); err == nil {
		t.Error("no weights: accepted")
	}
}

// heldOut is the slow twin of cross-validation: fit the rows of all folds but
// one, measure the others.
func heldOut(t *testing.T, rows *table, folds Folds, ridge []float64) (mse float64) {
	t.Helper()
	total, weights := 0.0, 0.0
	for k := range folds.Count {
		part := &table{columns: rows.columns, blocks: make([]Block, len(rows.blocks))}
		for i := range rows.blocks {
			part.blocks[i] = rows.blocks[i]
			part.blocks[i].weight = slices.Clone(rows.blocks[i].weight)
			for r := range part.blocks[i].weight {
				if folds.Of(i, r) == k {
					part.blocks[i].weight[r] = 0
				}
			}
		}
		w := normalEquations(t, part, ridge)
		for i := range rows.blocks {
			for r := range rows.blocks[i].rows() {
				if b := &rows.blocks[i]; folds.Of(i, r) == k {
					e := b.predict(r, w) - b.label[r]
					total += float64(b.weight[r]) * e * e
					weights += float64(b.weight[r])
				}
			}
		}
	}
	return total / weights
}

func TestCrossValidationEqualsSlowOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	rows := randomTable(rng, 600, 30, 4, 70)
	folds := Folds{3, func(block, row int) int { return (block + row*7/3) % 3 }}
	o := Options{Tolerance: 1e-8, Groups: []Group{{"fine", 10, 30, 0}}}
	candidates := []float64{0.5, 8, 100}
	c, err := mustPrepare(t, rows, Layout{}).ChooseRidge(background, o, folds, candidates)
	testkit.NoError(t, err)
	if len(c.Trials) < 4 {
		t.Errorf("%d trials", len(c.Trials))
	}
	for _, trial := range c.Trials {
		ridge := make([]float64, 30)
		for j := range ridge {
			if ridge[j] = trial.Ridge; j >= 10 {
				ridge[j] = trial.Groups[0]
			}
		}
		mse := heldOut(t, rows, folds, ridge)
		agree(t, "held-out loss", []float64{trial.Loss, trial.Stats.RMSE}, []float64{mse / 2, math.Sqrt(mse)}, 1e-6)
		one := o
		one.Ridge, one.Groups = trial.Ridge, []Group{{"fine", 10, 30, trial.Groups[0]}}
		again, err := mustPrepare(t, rows, Layout{}).CrossValidate(background, one, folds)
		testkit.NoError(t, err)
		agree(t, "held-out loss by CrossValidate", []float64{again.Loss, again.Stats.RMSE}, []float64{mse / 2, math.Sqrt(mse)}, 1e-6)
		if trial.Loss < c.Best.Loss {
			t.Errorf("%+v is better than the best, %+v", trial, c.Best)
		}
	}
	if c.Options.Ridge != c.Best.Ridge || c.Options.Groups[0].Ridge != c.Best.Groups[0] {
		t.Errorf("options %+v of trial %+v", c.Options, c.Best)
	}
}

// A family of pure noise wants a strong ridge, one that explains all a weak one.
func TestChooseRidgeTellsFamiliesApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	var b Block
	truth := make([]float64, 20)
	for j := range truth {
		truth[j] = 100 * rng.NormFloat64()
	}
	for range 2000 {
		j := rng.IntN(20)
		b.One(uint32(j), uint32(20+rng.IntN(400)))
		b.EndRow(truth[j]+50*rng.NormFloat64(), 1)
	}
	rows := &table{columns: 420, blocks: []Block{b}}
	o := Options{Groups: []Group{{Name: "signal", To: 20}, {Name: "noise", From: 20, To: 420}}}
	folds := Folds{5, func(_, row int) int { return row % 5 }}
	c, err := mustPrepare(t, rows, Layout{}).ChooseRidge(background, o, folds, []float64{1, 10, 100, 1000})
	testkit.NoError(t, err)
	if c.Best.Groups[0] != 1 || c.Best.Groups[1] < 100 {
		t.Errorf("best %+v", c.Best)
	}
}

func TestFoldsAndCandidatesOutOfRangeAreRefused(t *testing.T) {
	m := mustPrepare(t, randomTable(rand.New(rand.NewPCG(23, 1)), 50, 4, 2, 50), Layout{})
	fine := func(_, row int) int { return row % 2 }
	for _, c := range []struct {
		want       string
		folds      Folds
		candidates []float64
	}{
		{"1 folds", Folds{1, fine}, []float64{1}},
		{"row 1 is in fold 2: expected 0 to 1", Folds{2, func(_, row int) int { return 2 * row }}, []float64{1}},
		{"no row is in fold 2", Folds{3, fine}, []float64{1}},
		{"ridges []", Folds{2, fine}, nil},
		{"ridges [-1 1]", Folds{2, fine}, []float64{1, -1}},
		{"ridges [NaN 1]", Folds{2, fine}, []float64{1, math.NaN()}},
	} {
		if _, err := m.ChooseRidge(background, Options{}, c.folds, c.candidates); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want an error with %q: %v", c.want, err)
		}
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := m.ChooseRidge(ctx, Options{}, Folds{2, fine}, []float64{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestEvaluateClamps(t *testing.T) {
	var b Block
	b.One(0)
	b.EndRow(1000, 1)
	b.Value(0, -2)
	b.EndRow(-900, 1)
	rows := &table{columns: 1, blocks: []Block{b}}
	s, err := Evaluate(background, rows, []float64{1200}, 1000, 1)
	if err != nil || s.MAE != 50 {
		t.Errorf("clamped %+v, %v: want an MAE of 50", s, err)
	}
	if s, err = Evaluate(background, rows, []float64{1200}, 0, 1); err != nil || s.MAE != 850 {
		t.Errorf("unclamped %+v, %v: want an MAE of 850", s, err)
	}
}
