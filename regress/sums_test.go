package regress

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kroo/internal/testkit"
)

// The same weights, inflation factors and combinations as of the rows themselves.
func TestSumsGiveTheFitOfTheirRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 5))
	const rows, columns = 400, 6
	for name, change := range map[string]func(row []float64){
		"independent": func([]float64) {},
		"aliased":     func(row []float64) { row[2] = row[0] - 3*row[1]; row[5] = 2 * row[4] },
		"close":       func(row []float64) { row[3] = row[0] + row[3]/300 },
	} {
		x, y := mat.NewDense(rows, columns, nil), make([]float64, rows)
		for i := range rows {
			row := x.RawRowView(i)
			for j := range row {
				row[j] = float64(rng.IntN(13) - 6)
			}
			change(row)
			y[i] = 5*row[0] - 2*row[4] + 30*rng.NormFloat64()
		}
		want, err := leastSquares(x, y, options{})
		testkit.NoError(t, err)
		var xy mat.VecDense
		xy.MulVec(x.T(), mat.NewVecDense(rows, y))
		got, err := Solve(momentsOfData(t, data{X: x, Y: y}).gram, xy.RawVector().Data)
		testkit.NoError(t, err)
		if !slices.Equal(got.Columns, want.Columns) || !slices.Equal(got.Aliased, want.Aliased) {
			t.Fatalf("%s: columns %v, aliased %v: want %v and %v", name, got.Columns, got.Aliased, want.Columns, want.Aliased)
		}
		if name == "aliased" && !(slices.Equal(got.Sources[0], []int{0, 1}) && slices.Equal(got.Sources[1], []int{4})) {
			t.Errorf("%s: made of %v: want columns 0 and 1, and 4", name, got.Sources)
		}
		for k := range want.Weights {
			for what, pair := range map[string][2]float64{
				"weight": {got.Weights[k], want.Weights[k]}, "vif": {got.VIF[k], want.VIF[k]},
				"error": {want.Sigma * math.Sqrt(got.Inverse.At(k, k)), want.StdErr[k]},
			} {
				if math.Abs(pair[0]-pair[1]) > 1e-7*math.Abs(pair[1]) {
					t.Errorf("%s: %s of column %d is %v: want %v", name, what, k, pair[0], pair[1])
				}
			}
		}
	}
}
