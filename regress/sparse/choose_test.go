package sparse

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/internal/testkit"
)

// heldOut is the slow twin of cross-validation: fit the rows of all folds but
// one, measure the others.
func heldOut(t *testing.T, rows *table, folds Folds, ridge []float64) (mse float64) {
	t.Helper()
	total, weights := 0.0, 0.0
	for k := range folds.Count {
		row := 0
		part := &table{columns: rows.columns, blocks: make([]Block, len(rows.blocks))}
		for i := range rows.blocks {
			part.blocks[i] = rows.blocks[i]
			part.blocks[i].weight = slices.Clone(rows.blocks[i].weight)
			for r := range part.blocks[i].weight {
				if folds.Of[row] == uint8(k) {
					part.blocks[i].weight[r] = 0
				}
				row++
			}
		}
		w := normalEquations(t, part, ridge)
		row = 0
		for i := range rows.blocks {
			for r := range rows.blocks[i].rows() {
				if b := &rows.blocks[i]; folds.Of[row] == uint8(k) {
					e := b.predict(r, w) - b.label[r]
					total += float64(b.weight[r]) * e * e
					weights += float64(b.weight[r])
				}
				row++
			}
		}
	}
	return total / weights
}

func TestCrossValidationEqualsSlowOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	rows := randomTable(rng, 600, 30, 4, 70)
	folds := rows.folds(3, func(block, row int) int { return (block + row*7/3) % 3 })
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
	folds := rows.folds(5, func(_, row int) int { return row % 5 })
	c, err := mustPrepare(t, rows, Layout{}).ChooseRidge(background, o, folds, []float64{1, 10, 100, 1000})
	testkit.NoError(t, err)
	if c.Best.Groups[0] != 1 || c.Best.Groups[1] < 100 {
		t.Errorf("best %+v", c.Best)
	}
}

func TestAChoiceWithoutRowsOfAPartOrStopped(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(23, 1)), 50, 4, 2, 50)
	m := mustPrepare(t, rows, Layout{})
	two := func(_, row int) int { return row % 2 }
	_, err := m.ChooseRidge(background, Options{}, rows.folds(3, two), []float64{1})
	testkit.Refused(t, err, "no row is in part 3 of 3")
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := m.ChooseRidge(ctx, Options{}, rows.folds(2, two), []float64{1}); !errors.Is(err, context.Canceled) {
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
