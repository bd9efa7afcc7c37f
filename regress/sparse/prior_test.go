package sparse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// valueTable draws rows with values, at most one per column and row.
func valueTable(rng *rand.Rand, rows, columns int) *table {
	var b Block
	for range rows {
		for j := range columns {
			if rng.IntN(3) == 0 {
				b.Value(uint32(j), float32(rng.IntN(21)-10)/4)
			}
		}
		b.EndRow(100*rng.NormFloat64(), float32(rng.IntN(5))/2)
	}
	return &table{columns, []Block{b}}
}

// A prior is equivalent to least squares on its residuals, with a ridge of the curvature of each
// column.
func TestPriorSolvesTheNormalEquationsOfItsResiduals(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	for range 10 {
		columns := 2 + rng.IntN(30)
		rows := valueTable(rng, 300, columns)
		p := &Prior{Weights: make([]float64, columns), Rows: float64(rng.IntN(3)) / 2}
		for j := range p.Weights {
			p.Weights[j] = 100 * rng.NormFloat64()
		}
		x, y, weight := rows.dense()
		ridge := make([]float64, columns)
		rest := &table{columns: columns}
		var b Block
		for i := range y {
			for j, w := range p.Weights {
				y[i] -= x.At(i, j) * w
				ridge[j] += p.Rows * weight[i] * x.At(i, j) * x.At(i, j)
				b.Value(uint32(j), float32(x.At(i, j)))
			}
			b.EndRow(y[i], float32(weight[i]))
		}
		rest.blocks = []Block{b}
		for j := range ridge {
			ridge[j] += 3
		}
		want := normalEquations(t, rest, ridge)
		for j := range want {
			want[j] += p.Weights[j]
		}
		got := mustFit(t, mustPrepare(t, rows, Layout{}), Options{Ridge: 3, Tolerance: 1e-10, Prior: p})
		agree(t, "weights", got.Weights, want, 1e-5)
	}
}

// Columns that no row has keep the prior's weights; a prior of zeros with Rows 0 has no effect.
func TestPriorOfColumnsMissingFromTheRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	rows := randomTable(rng, 500, 20, 5, 90)
	o := Options{Loss: Chances, Scale: 200, Ridge: 1}
	plain := mustFit(t, mustPrepare(t, rows, Layout{}), o)
	rows.columns = 23
	m := mustPrepare(t, rows, Layout{})
	o.Prior = &Prior{Weights: make([]float64, 23)}
	o.Prior.Weights[21] = 7
	got := mustFit(t, m, o).Weights
	if !slices.Equal(got[:20], plain.Weights) || got[20] != 0 || got[21] != 7 {
		t.Errorf("%v: want %v, 0, 7, 0", got, plain.Weights)
	}
}

// The more rows the prior counts for, the closer the weights stay to it.
func TestPriorPullsMoreTheMoreRowsItCountsFor(t *testing.T) {
	m := mustPrepare(t, randomTable(rand.New(rand.NewPCG(23, 1)), 800, 30, 5, 100), Layout{})
	p := Prior{Weights: make([]float64, 30)}
	for j := range p.Weights {
		p.Weights[j] = 50
	}
	last := math.Inf(1)
	for _, p.Rows = range []float64{0, 1, 10, 1e6} {
		o := Options{Loss: CrossEntropy, Scale: 300, Ridge: 1, Prior: &p}
		far := 0.0
		for _, w := range mustFit(t, m, o).Weights {
			far += math.Abs(w - 50)
		}
		if !(far < last) {
			t.Errorf("a prior of %v times the rows: %v away, %v with fewer", p.Rows, far, last)
		}
		last = far
	}
	if last > 1 {
		t.Errorf("a prior of a million times the rows: %v away", last)
	}
}
