package regress

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/features"
	"kroo/internal/testkit"
)

// mixed has columns in several parts, and values in some.
func mixed(seed uint64) *table {
	return randomTable(rand.New(rand.NewPCG(seed, 1)), 9000, 300_000, 40)
}

func TestProductsAgreeWithSimpleOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	rows := mixed(10)
	m := mustPrepare(t, rows.sparse())
	if m.columns.parts < 2 {
		t.Fatal("all columns are hot: the test needs more")
	}
	s := newSolver(m, solverOptions{ridges: []float64{2}}, folds{})
	in, out := make([]float64, rows.width), make([]float64, rows.width)
	for j := range in {
		in[j] = float64(float32(rng.NormFloat64()))
		if m.counts[j] > 0 {
			s.p[m.columns.slots[j]], s.p32[m.columns.slots[j]] = in[j], float32(in[j])
			out[j] = 2 * in[j]
		}
	}
	for i, r := range rows.rows {
		s.h[i] = rng.Float32()
		u := r.product(in)
		for j, v := range r.entries() {
			out[j] += float64(v) * u * float64(s.h[i])
		}
	}
	s.rho = 1
	_, err := s.advance(t.Context())
	testkit.NoError(t, err)
	agree(t, "product", m.columns.spread(s.q, nil), out, 2e-5)
}

func TestDiagonalAgreesWithSimpleOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	rows := &table{width: 100_000}
	for range 5000 { // no repeated column within a row
		var ones []uint32
		for c := 1 + rng.IntN(5000); c < rows.width; c += 1 + rng.IntN(5000) {
			ones = append(ones, uint32(c))
		}
		rows.add(1, 1, ones, features.Entry{Value: 3})
	}
	m := mustPrepare(t, rows.sparse())
	s := newSolver(m, solverOptions{ridges: []float64{2}}, folds{})
	out := make([]float64, rows.width)
	for i, r := range rows.rows {
		s.h[i] = rng.Float32()
		for j, v := range r.entries() {
			out[j] += float64(v) * float64(v) * float64(s.h[i])
		}
	}
	for j, n := range m.counts {
		if n > 0 {
			out[j] += 2
		}
	}
	testkit.NoError(t, s.diagonal(t.Context()))
	agree(t, "diagonal", m.columns.spread(s.d, nil), out, 1e-6)
}

func TestPassesAllocateNothing(t *testing.T) {
	m := mustPrepare(t, mixed(12).sparse())
	s := newSolver(m, solverOptions{loss: chances, scale: 300, ridges: []float64{0}}, folds{})
	testkit.NoError(t, s.prepare(t.Context()))
	c, z := m.chunks[0], m.scratch.Get().(*scratch)
	var parts [2]lossSums
	slope := func(row int, u float64) float64 { return s.slope(row, u, &parts) }
	product := func(row int, u float32) float32 { return s.h[row] * u }
	for name, pass := range map[string]func(){
		"product":  func() { products(c, s.p32, &z.z32, m.acc[0], product) },
		"slopes":   func() { products(c, s.w, &z.z64, m.acc[0], slope) },
		"diagonal": func() { diagonal(c, s.h, &z.z32, m.acc[0]) },
	} {
		if n := testing.AllocsPerRun(3, pass); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// Chunks cover the rows once, in order, none longer than a row number of 16 bits allows.
func TestChunksCoverTheRows(t *testing.T) {
	for _, n := range []int{1, 4095, 4096, 4097, 100_000, 200_001, 3_000_000} {
		rows := &sparseRows{labels: make([]float32, n), width: 1, read: func(_ int, r *sparseRow) { r.ones = append(r.ones[:0], 0) }}
		m := mustPrepare(t, rows)
		next := 0
		for i, c := range m.chunks {
			if c.first != next || c.rows < 1 || c.rows > maxChunk {
				t.Fatalf("%d rows: chunk %d has rows %d from %d: expected them from %d", n, i, c.rows, c.first, next)
			}
			next += c.rows
		}
		if next != n {
			t.Errorf("%d rows: the chunks have %d", n, next)
		}
	}
}

func TestFittingNothingIsRejected(t *testing.T) {
	rows := &table{width: 5}
	_, err := prepare(t.Context(), rows.sparse(), 0)
	testkit.Refused(t, err, "no rows")
	rows.add(1, 1, nil)
	_, err = prepare(t.Context(), rows.sparse(), 0)
	testkit.Refused(t, err, "no row has any of the 5 columns")
}

// Labels of zero and rows of weight zero give weights of zero.
func TestZeroLabelsOrRowWeightsGiveZeroWeights(t *testing.T) {
	for _, weight := range []float64{0, 1} {
		rows := &table{width: 5}
		rows.add(100*(1-weight), weight, []uint32{1})
		r := mustMinimise(t, mustPrepare(t, rows.sparse()), solverOptions{loss: chances, scale: 300, ridges: []float64{0}})
		if !r.converged || !slices.Equal(r.weights, make([]float64, 5)) || r.train.R != 0 {
			t.Errorf("weight %g: %+v", weight, r)
		}
	}
}
