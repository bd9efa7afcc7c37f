package sparse

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/internal/testkit"
)

// slowRows calls f for each row of rows with its number and its values by column.
func slowRows(t *testing.T, rows Rows, f func(row int, at map[int]float64)) {
	t.Helper()
	var b Block
	row := 0
	for i := range rows.Blocks() {
		b.read(rows, i)
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

// mixed has columns in several parts, and values in some.
func mixed(rng *rand.Rand) *table {
	return randomTable(rng, 9000, 300_000, 40, 1000)
}

func TestProductsAgreeWithSimpleOnes(t *testing.T) {
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

func TestDiagonalAgreesWithSimpleOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	rows := &table{columns: 100_000}
	var b Block
	for range 5000 { // no repeated column within a row
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

// Streamed chunks are packed again in every pass, without allocations.
func TestPackingAgainAllocatesNothing(t *testing.T) {
	m := mustPrepare(t, wide(t), Layout{CacheBytes: -1})
	s := m.scratch.Get().(*scratch)
	if n := testing.AllocsPerRun(3, func() {
		m.chunk(1, s)
	}); n != 0 {
		t.Errorf("packing allocates %v times", n)
	}
}

func TestCountsMatchTheRows(t *testing.T) {
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

// ownWeight returns the column whose weight column j has: j itself, or -1 if no row has it.
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

func TestRareColumnsHaveTheirOwnWeight(t *testing.T) {
	m := mustPrepare(t, mixed(rand.New(rand.NewPCG(14, 1))), Layout{})
	for j, n := range m.counts {
		if want := m.ownWeight(j); (n > 0 && want != j) || (n == 0 && want != -1) {
			t.Fatalf("column %d, seen %d times, goes to %d", j, n, want)
		}
	}
}

func TestPackedRowsTakeAboutTheEstimatedMemory(t *testing.T) {
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

// made is rows whose blocks come from a function.
type made struct {
	blocks int
	f      func(b *Block)
}

func (m made) Columns() int            { return 5 }
func (m made) Blocks() int             { return m.blocks }
func (m made) Block(_ int, dst *Block) { m.f(dst) }

func TestFittingNothingIsRejected(t *testing.T) {
	for want, rows := range map[string]Rows{
		"no rows":                         made{2, func(*Block) {}},
		"no row has any of the 5 columns": made{2, func(b *Block) { b.EndRow(1, 1) }},
	} {
		_, err := Prepare(background, rows, Layout{})
		testkit.Refused(t, err, want)
	}
}

// Labels of zero and rows of weight zero give weights of zero.
func TestZeroLabelsOrRowWeightsGiveZeroWeights(t *testing.T) {
	for _, weight := range []float32{0, 1} {
		rows := made{1, func(b *Block) {
			b.One(1)
			b.EndRow(100*float64(1-weight), weight)
		}}
		r, err := Fit(background, rows, Layout{}, Options{Loss: Chances, Scale: 300})
		testkit.NoError(t, err)
		if !r.Converged || !slices.Equal(r.Weights, make([]float64, 5)) || r.Train.R != 0 {
			t.Errorf("weight %g: %+v", weight, r)
		}
	}
}
