package sparse

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kroo/internal/testkit"
)

// Fit prepares rows and fits them.
func Fit(ctx context.Context, rows Rows, l Layout, o Options) (*Result, error) {
	m, err := Prepare(ctx, rows, l)
	if err != nil {
		return nil, err
	}
	return m.Fit(ctx, o)
}

// table is rows in memory.
type table struct {
	columns int
	blocks  []Block
}

func (t *table) Columns() int { return t.columns }
func (t *table) Blocks() int  { return len(t.blocks) }

func (t *table) Block(i int, dst *Block) {
	b := &t.blocks[i]
	for r := range b.rows() {
		ones, col, val := b.row(r)
		dst.One(ones...)
		for k := range col {
			dst.Value(col[k], val[k])
		}
		dst.EndRow(b.label[r], b.weight[r])
	}
}

// folds assigns folds by block and row.
func (t *table) folds(count int, of func(block, row int) int) Folds {
	f := Folds{Count: count}
	for i := range t.blocks {
		for r := range t.blocks[i].rows() {
			f.Of = append(f.Of, uint8(of(i, r)))
		}
	}
	return f
}

// randomTable draws rows with labels that follow random weights plus noise. Ones are unevenly
// distributed over the columns and sometimes repeated; one row in three has a value; row weights
// vary.
func randomTable(rng *rand.Rand, rows, columns, ones, blockRows int) *table {
	t := &table{columns: columns}
	truth := make([]float64, columns)
	for j := range truth {
		truth[j] = 100 * rng.NormFloat64()
	}
	for left := rows; left > 0; {
		var b Block
		for range min(left, blockRows) {
			y := 100 * rng.NormFloat64()
			for range rng.IntN(ones + 1) {
				j := int(float64(columns) * math.Pow(rng.Float64(), 3))
				b.One(uint32(j))
				y += truth[j]
			}
			if rng.IntN(3) == 0 {
				j, v := rng.IntN(columns), float32(rng.IntN(21)-10)/4
				b.Value(uint32(j), v)
				y += truth[j] * float64(v)
			}
			b.EndRow(y, float32(rng.IntN(5))/2)
		}
		left -= b.rows()
		t.blocks = append(t.blocks, b)
	}
	return t
}

// dense returns the rows as a full matrix, with labels and weights.
func (t *table) dense() (x *mat.Dense, y, weight []float64) {
	n := 0
	for i := range t.blocks {
		n += t.blocks[i].rows()
	}
	x = mat.NewDense(n, t.columns, nil)
	row := 0
	for i := range t.blocks {
		b := &t.blocks[i]
		for r := range b.rows() {
			ones, col, val := b.row(r)
			for _, j := range ones {
				x.Set(row, int(j), x.At(row, int(j))+1)
			}
			for k, j := range col {
				x.Set(row, int(j), x.At(row, int(j))+float64(val[k]))
			}
			y, weight = append(y, b.label[r]), append(weight, float64(b.weight[r]))
			row++
		}
	}
	return x, y, weight
}

// normalEquations is a simple implementation of least squares: (XᵀWX + Λ) w = XᵀWy.
func normalEquations(t *testing.T, rows *table, ridge []float64) []float64 {
	t.Helper()
	x, y, weight := rows.dense()
	n, columns := x.Dims()
	var wx, a mat.Dense
	wx.CloneFrom(x)
	right := mat.NewVecDense(columns, nil)
	for i := range n {
		for j := range columns {
			wx.Set(i, j, weight[i]*x.At(i, j))
			right.SetVec(j, right.AtVec(j)+weight[i]*y[i]*x.At(i, j))
		}
	}
	a.Mul(x.T(), &wx)
	for j, r := range ridge {
		a.Set(j, j, a.At(j, j)+r)
	}
	var w mat.VecDense
	testkit.NoError(t, w.SolveVec(&a, right))
	return w.RawVector().Data
}

func agree(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for j := range want {
		if !(math.Abs(got[j]-want[j]) <= tolerance*(1+math.Abs(want[j]))) {
			t.Fatalf("%s: number %d is %v, want %v", what, j, got[j], want[j])
		}
	}
}

var background = context.Background()

func TestLeastSquaresSolveTheNormalEquations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		columns := 1 + rng.IntN(40)
		rows := randomTable(rng, 200+rng.IntN(400), columns, 6, 1+rng.IntN(90))
		ridge := make([]float64, columns)
		o := Options{Ridge: 3, Tolerance: 1e-9}
		half := columns / 2
		o.Groups = []Group{{"fine", half, columns, 17}}
		for j := range ridge {
			ridge[j] = 3
			if j >= half {
				ridge[j] = 17
			}
		}
		r, err := Fit(background, rows, Layout{}, o)
		testkit.NoError(t, err)
		if !r.Converged {
			t.Errorf("not converged: %+v", r)
		}
		agree(t, "weights", r.Weights, normalEquations(t, rows, ridge), 1e-6)
	}
}
