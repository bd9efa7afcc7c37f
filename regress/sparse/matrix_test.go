package sparse

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// slowRows calls f for each row of rows: its place and, column by column, what
// it holds there.
func slowRows(t *testing.T, rows Rows, f func(row int, at map[int]float64)) {
	t.Helper()
	var b Block
	row := 0
	for i := range rows.Blocks() {
		testkit.NoError(t, read(rows, rows.Columns(), i, &b))
		for r := range b.rows() {
			at := map[int]float64{}
			ones, col, val := b.row(r)
			for _, j := range ones {
				at[int(j)]++
			}
			for k, j := range col {
				at[int(j)] += float64(val[k])
			}
			f(row, at)
			row++
		}
	}
}

// mixed is rows with columns in several parts, and values in them.
func mixed(rng *rand.Rand) *table {
	return randomTable(rng, 9000, 300_000, 40, 1000)
}

func TestProductsEqualSlowOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	rows := mixed(rng)
	m := mustPrepare(t, rows, Layout{})
	if m.columns.parts < 2 {
		t.Fatal("all columns are hot: the test needs more")
	}
	s := newSolver(m, Options{Ridge: 2}, nil, 0)
	in, out := make([]float64, rows.columns), make([]float64, rows.columns)
	for j := range in {
		in[j] = float64(float32(rng.NormFloat64()))
		if m.counts[j] > 0 {
			s.p[m.columns.slots[j]], s.p32[m.columns.slots[j]] = in[j], float32(in[j])
			out[j] = 2 * in[j]
		}
	}
	for i := range s.h {
		s.h[i] = rng.Float32()
	}
	slowRows(t, rows, func(row int, at map[int]float64) {
		u := 0.0
		for j, v := range at {
			u += v * in[j]
		}
		for j, v := range at {
			out[j] += v * u * float64(s.h[row])
		}
	})
	s.rho = 1
	if _, err := s.advance(background); err != nil {
		t.Fatal(err)
	}
	agree(t, "product", m.columns.spread(s.q), out, 2e-5)
}

func TestDiagonalEqualsSlowOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	rows := &table{columns: 100_000}
	var b Block
	for range 5000 { // no column twice in a row
		c := uint32(0)
		for range 20 {
			if c += 1 + uint32(rng.IntN(5000)); c < 100_000 {
				b.One(c)
			}
		}
		b.Value(0, 3)
		b.EndRow(1, 1)
	}
	rows.blocks = []Block{b}
	m := mustPrepare(t, rows, Layout{})
	s := newSolver(m, Options{Ridge: 2}, nil, 0)
	out := make([]float64, rows.columns)
	for i := range s.h {
		s.h[i] = rng.Float32()
	}
	slowRows(t, rows, func(row int, at map[int]float64) {
		for j, v := range at {
			out[j] += v * v * float64(s.h[row])
		}
	})
	for j, n := range m.counts {
		if n > 0 {
			out[j] += 2
		}
	}
	testkit.NoError(t, s.diagonal(background))
	agree(t, "diagonal", m.columns.spread(s.d), out, 1e-6)
}

func TestPassesAllocateNothing(t *testing.T) {
	m := mustPrepare(t, mixed(rand.New(rand.NewPCG(12, 1))), Layout{})
	s := newSolver(m, Options{Loss: Chances, Scale: 300}, nil, 0)
	testkit.NoError(t, s.prepare(background))
	s.begin(s.g)
	c, z := m.packed[0], m.scratch.Get().(*scratch)
	var parts [2]moments
	f := func(row int, u float64) float64 { return s.slope(row, u, &parts) }
	for name, pass := range map[string]func(){
		"product":  func() { product(c, s.p32, s.h, &z.z32, m.acc[0]) },
		"slopes":   func() { slopes(c, s.w, &z.z64, m.acc[0], f) },
		"diagonal": func() { diagonal(c, s.h, &z.z32, m.acc[0]) },
	} {
		if n := testing.AllocsPerRun(3, pass); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// Streamed chunks are packed again in every pass.
func TestPackingAgainAllocatesNothing(t *testing.T) {
	m := mustPrepare(t, wide(t), Layout{CacheBytes: -1})
	s := m.scratch.Get().(*scratch)
	if n := testing.AllocsPerRun(3, func() {
		if _, err := m.chunk(1, s); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("packing allocates %v times", n)
	}
}

func TestCountsAreThoseOfTheRows(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(13, 1)), 1000, 200, 6, 77)
	want := make([]int64, 200)
	for i := range rows.blocks {
		for _, j := range append(slices.Clone(rows.blocks[i].ones), rows.blocks[i].col...) {
			want[j]++
		}
	}
	m := mustPrepare(t, rows, Layout{Workers: 3})
	if !slices.Equal(m.Counts(), want) || len(m.label) != 1000 {
		t.Errorf("%d rows with counts %v, want %v", len(m.label), m.Counts(), want)
	}
}

// fewTimes has column j in j+1 rows, and column 9 in none.
func fewTimes() *table {
	var b Block
	for j := range uint32(9) {
		for range j + 1 {
			b.One(j)
			b.EndRow(10*float64(j+1), 1)
		}
	}
	return &table{columns: 10, blocks: []Block{b}}
}

func TestRareColumnsAreLeftOut(t *testing.T) {
	m := mustPrepare(t, fewTimes(), Layout{MinCount: 4})
	r := mustFit(t, m, Options{Tolerance: 1e-9})
	agree(t, "weights", r.Weights, []float64{0, 0, 0, 40, 50, 60, 70, 80, 90, 0}, 1e-6)
	if m.Weights() != 6 || m.ownWeight(2) != -1 || m.ownWeight(9) != -1 || m.ownWeight(5) != 5 {
		t.Errorf("%d weights; columns 2, 9, 5 go to %d, %d, %d", m.Weights(), m.ownWeight(2), m.ownWeight(9), m.ownWeight(5))
	}
}

func TestRareColumnsAreMergedIntoParents(t *testing.T) {
	// 0 (1 row) into 1 (2 rows), both into 2 (3 rows): together 6 ≥ 4. 3 has
	// enough itself; 9 is never seen.
	l := Layout{MinCount: 4, Parent: []int32{1, 2, -1, 2, 2, 2, 2, 2, 2, 2}}
	m := mustPrepare(t, fewTimes(), l)
	r := mustFit(t, m, Options{Tolerance: 1e-9})
	mean := (10.0 + 2*20 + 3*30) / 6
	agree(t, "weights", r.Weights, []float64{mean, mean, mean, 40, 50, 60, 70, 80, 90, 0}, 1e-6)
	if m.ownWeight(0) != 2 || m.ownWeight(1) != 2 {
		t.Errorf("columns 0 and 1 go to %d and %d", m.ownWeight(0), m.ownWeight(1))
	}
	for want, parent := range map[string][]int32{
		"9 parents":   make([]int32, 9),
		"in a circle": {1, 2, 0, -1, -1, -1, -1, -1, -1, -1},
		"parent 10":   {10, -1, -1, -1, -1, -1, -1, -1, -1, -1},
	} {
		if _, err := Prepare(background, fewTimes(), Layout{MinCount: 4, Parent: parent}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q: %v", want, err)
		}
	}
}

// ownWeight is the column whose weight column j has: j itself, the coarser one
// that it was merged into, or -1 if it was left out.
func (m *Matrix) ownWeight(j int) int {
	s := int(m.columns.slots[j])
	if s >= partSize {
		s -= lanes
	}
	if s < 0 {
		return -1
	}
	return int(m.columns.order[s])
}

func TestOwnWeightNamesRareColumnsToo(t *testing.T) {
	m := mustPrepare(t, mixed(rand.New(rand.NewPCG(14, 1))), Layout{})
	for j, n := range m.counts {
		if want := m.ownWeight(j); (n > 0 && want != j) || (n == 0 && want != -1) {
			t.Fatalf("column %d, seen %d times, goes to %d", j, n, want)
		}
	}
}

func TestPackedRowsTakeAboutWhatIsExpected(t *testing.T) {
	m := mustPrepare(t, mixed(rand.New(rand.NewPCG(16, 1))), Layout{})
	testkit.NoError(t, m.pass(background, func(int, *chunk, *scratch, []float64) {}))
	taken := int64(0)
	for _, c := range m.packed {
		taken += c.tightBytes()
	}
	if want := m.packedBytes(); taken < want*2/3 || taken > want*3/2 {
		t.Errorf("%d bytes, expected about %d", taken, want)
	}
}

// broken is one block made by a function.
type broken struct {
	blocks int
	f      func(i int, b *Block) error
}

func (b broken) Columns() int                  { return 5 }
func (b broken) Blocks() int                   { return b.blocks }
func (b broken) Block(i int, dst *Block) error { return b.f(i, dst) }

func TestHostileRowsAreRefused(t *testing.T) {
	fine := func(b *Block) { b.One(1); b.EndRow(1, 1) }
	for want, f := range map[string]func(b *Block) error{
		"block 1: row 1: column 5: expected 0 to 4":  func(b *Block) error { fine(b); b.One(5); b.EndRow(1, 1); return nil },
		"block 1: row 0: column 4294967295":          func(b *Block) error { b.Value(math.MaxUint32, 1); b.EndRow(1, 1); return nil },
		"block 1: row 1: label is NaN":               func(b *Block) error { fine(b); b.EndRow(math.NaN(), 1); return nil },
		"block 1: row 0: label is +Inf":              func(b *Block) error { b.EndRow(math.Inf(1), 1); return nil },
		"block 1: row 0: weight is -1":               func(b *Block) error { b.EndRow(1, -1); return nil },
		"block 1: row 0: value in column 2 is NaN":   func(b *Block) error { b.Value(2, float32(math.NaN())); b.EndRow(1, 1); return nil },
		"block 1: the last row was not ended":        func(b *Block) error { b.One(1); return nil },
		"block 1: row 0: value in column 2 is 1e+10": func(b *Block) error { b.Value(2, 1e10); b.EndRow(1, 1); return nil },
		"block 1: 65537 rows: expected at most 65536": func(b *Block) error {
			for range maxBlockRows + 1 {
				b.EndRow(1, 1)
			}
			return nil
		},
		"block 1: the disk is gone": func(b *Block) error { return errors.New("the disk is gone") },
	} {
		rows := broken{3, func(i int, b *Block) error {
			if i == 1 {
				return f(b)
			}
			fine(b)
			return nil
		}}
		if _, err := Prepare(background, rows, Layout{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q: %v", want, err)
		}
		if _, err := Evaluate(background, rows, make([]float64, 5), 0, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("evaluate: want an error with %q: %v", want, err)
		}
	}
}

func TestNothingToFitIsRefused(t *testing.T) {
	none := func(int, *Block) error { return nil }
	empty := func(_ int, b *Block) error { b.EndRow(1, 1); return nil }
	for want, rows := range map[string]Rows{
		"0 blocks":         broken{0, none},
		"no rows":          broken{2, none},
		"none of 5 column": broken{2, empty},
		"0 columns":        &table{},
	} {
		if _, err := Prepare(background, rows, Layout{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q: %v", want, err)
		}
	}
	if _, err := Evaluate(background, fewTimes(), nil, 0, 1); err == nil || !strings.Contains(err.Error(), "0 weights for 10 columns") {
		t.Errorf("no weights: %v", err)
	}
}

// Rows that change between passes are found out by their number.
func TestChangingRowsAreRefused(t *testing.T) {
	calls := 0
	rows := broken{1, func(_ int, b *Block) error {
		calls++
		for range calls {
			b.One(1)
			b.EndRow(1, 1)
		}
		return nil
	}}
	if _, err := Fit(background, rows, Layout{}, Options{}); err == nil || !strings.Contains(err.Error(), "block 0 has 2 rows, had 1") {
		t.Errorf("got %v", err)
	}
}

// Labels of zero, and rows without weight, have the weights zero.
func TestNothingToLearnGivesZeroWeights(t *testing.T) {
	for _, weight := range []float32{0, 1} {
		rows := broken{1, func(_ int, b *Block) error {
			b.One(1)
			b.EndRow(100*float64(1-weight), weight)
			return nil
		}}
		r, err := Fit(background, rows, Layout{}, Options{Loss: Chances, Scale: 300})
		testkit.NoError(t, err)
		if !r.Converged || !slices.Equal(r.Weights, make([]float64, 5)) || r.Train.R != 0 {
			t.Errorf("weight %g: %+v", weight, r)
		}
	}
}
