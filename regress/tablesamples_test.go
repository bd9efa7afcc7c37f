package regress

import (
	"math"
	"math/rand/v2"
	"testing"

	"kroo/internal/agreement"
	"kroo/internal/testkit"
)

// gameRows are weighted rows, some of games, some proven, some with repeated situations.
func gameRows(rng *rand.Rand, n int, rank int64) []featureRow {
	rows := thesisRows(rng, n, rank, 80)
	for i := range rows {
		r := &rows[i]
		switch {
		case i%3 == 0:
			r.Game = int32(1 + i/30)
		case i%7 == 0:
			r.Position = rows[i-1].Position.Swap()
		}
		r.Exact, r.Weight = i%11 == 0, float64(rng.IntN(4))
	}
	return rows
}

// A fit that reads its rows again for each pass agrees with one of rows in memory.
func TestStreamedFitAgreesWithFitInMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 0))
	train, valid := gameRows(rng, 70_000, 0), gameRows(rng, 5000, 68_000)
	o := thesisOptions(t)
	o.Meta.Weighted = true
	o.Weight, o.Select, o.Tolerance = "weight", selectBackward, 0.001
	o.Subsets, o.Ridge = []string{"thesis4"}, 0.01
	want := testkit.Must(trainRows(t, train, valid, o))(t)
	memory := inMemory
	defer func() { inMemory = memory }()
	inMemory = 0
	got := testkit.Must(trainRows(t, train, valid, o))(t)
	if got.Overlap != want.Overlap || got.Overlap == 0 || got.Overlap == len(valid) || len(got.Steps) != len(want.Steps) {
		t.Fatalf("%d left out, %d steps: want %d and %d", got.Overlap, len(got.Steps), want.Overlap, len(want.Steps))
	}
	sameFit(t, got.Full, want.Full)
	sameFit(t, got.Selected, want.Selected)
	sameFit(t, got.Captures, want.Captures)
	sameFit(t, got.Subsets[0], want.Subsets[0])
}

func sameFit(t *testing.T, got, want ModelSummary) {
	t.Helper()
	if *got.Errors != *want.Errors || len(got.Points) != len(want.Points) || len(got.StdErr) != len(want.StdErr) {
		t.Fatalf("%d weights, errors %+v: want %d, %+v", len(got.Points), got.Errors, len(want.Points), want.Errors)
	}
	for j := range want.Points {
		for _, pair := range [][2]float64{{got.Points[j], want.Points[j]}, {got.StdErr[j], want.StdErr[j]}, {got.VIF[j], want.VIF[j]}} {
			if !near(pair[0], pair[1], 1e-11*math.Abs(pair[1])) {
				t.Errorf("%s: %v, want %v", want.Features[j], pair[0], pair[1])
			}
		}
	}
	sameDoubled(t, got.Train, want.Train)
	sameDoubled(t, *got.Validation, *want.Validation)
}

func sameDoubled(t *testing.T, got, want agreement.Doubled) {
	t.Helper()
	for _, pair := range [][2]float64{{got.R, want.R}, {got.R2, want.R2}, {got.MAE, want.MAE}, {got.RMSE, want.RMSE}} {
		if got.Rows != want.Rows || !near(pair[0], pair[1], 1e-11*math.Abs(pair[1])) {
			t.Errorf("%+v: want %+v", got, want)
		}
	}
}
