package regress

import (
	"math"
	"math/rand/v2"
	"testing"

	"kroo/internal/testkit"
)

// boards are synthetic positions of twelve houses. Seed counts are as unevenly distributed as in
// real positions, and the features are like oware's pattern sets: one column per house and count,
// pair, triple, count bucket and so on.
type boards struct {
	houses  [][12]uint8
	labels  []float32
	windows [][]int // houses of each pattern
	first   []int   // first column of each pattern
	columns int
}

// newBoards draws n boards. big adds patterns of four and six houses.
func newBoards(n int, big bool, seed uint64) *boards {
	b := &boards{houses: make([][12]uint8, n), labels: make([]float32, n), columns: 12*24 + 3}
	for i := range 12 {
		for j := range i {
			b.window(i, j)
		}
	}
	for i := range 12 {
		b.window(i, (i+1)%12, (i+2)%12)
	}
	if big {
		for i := range 30 {
			b.window(i%12, (i+1)%12, (i+3+i/12)%12, (i+7-i/12)%12)
		}
		for i := range 6 {
			b.window(2*i, 2*i+1, (2*i+2)%12, (2*i+6)%12, (2*i+7)%12, (2*i+8)%12)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range b.houses {
		left := 8 + rng.IntN(41)
		for left > 0 {
			k := min(left, 1+rng.IntN(1+rng.IntN(8)))
			b.houses[i][rng.IntN(12)] += uint8(k)
			left -= k
		}
		b.labels[i] = float32(b.worth(&b.houses[i], rng))
	}
	return b
}

func (b *boards) window(houses ...int) {
	b.windows = append(b.windows, houses)
	b.first = append(b.first, b.columns)
	b.columns += 1 << (3 * len(houses))
}

// worth is a synthetic value of a board, with noise, in points.
func (b *boards) worth(h *[12]uint8, rng *rand.Rand) float64 {
	v := 250 * rng.NormFloat64()
	for i, k := range h {
		sign := 1 - 2*float64(i/6)
		v += sign * 12 * (math.Sqrt(float64(k)) - float64(bucket[min(k, 23)]*h[(i+6)%12])/8)
	}
	return math.Round(max(-1000, min(1000, v)))
}

var bucket = [24]uint8{0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}

func (b *boards) sparse() *sparseRows {
	return &sparseRows{labels: b.labels, width: b.columns, read: b.read}
}

func (b *boards) read(i int, row *sparseRow) {
	row.ones = row.ones[:0]
	var k [12]uint32
	seeds := 0
	for j, n := range &b.houses[i] {
		n = min(n, 23)
		row.ones = append(row.ones, uint32(j)*24+uint32(n))
		k[j] = uint32(bucket[n])
		seeds += int(n)
	}
	row.ones = append(row.ones, 288, 289+uint32(seeds)&1)
	for w, houses := range b.windows {
		code := uint32(0)
		for _, j := range houses {
			code = code<<3 | k[j]
		}
		row.ones = append(row.ones, uint32(b.first[w])+code)
	}
}

// benchmarkSteps measures conjugate-gradient steps, each a pass over all rows, packed in memory.
func benchmarkSteps(b *testing.B, rows int, big bool) {
	m := mustPrepare(b, newBoards(rows, big, 1).sparse(), 4<<30)
	s := newSolver(m, solverOptions{loss: chances, scale: 400, ridges: []float64{20}}, folds{}, 0)
	testkit.NoError(b, s.prepare(b.Context()))
	ones := 0
	for _, c := range m.packed {
		ones += lanes*len(c.hot) + len(c.cold)
	}
	s.begin(s.g)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.advance(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(ones), "ns/one")
	b.ReportMetric(float64(m.weighted()), "weights")
}

// A million rows of 92 ones in 15 000 columns; a solve takes about a hundred steps.
func BenchmarkStepSmallSet(b *testing.B) { benchmarkSteps(b, 1_000_000, false) }

// 200 000 and a million rows of 128 ones in 1.7 million columns.
func BenchmarkStepLargeSetTenth(b *testing.B) { benchmarkSteps(b, 200_000, true) }
func BenchmarkStepLargeSetHalf(b *testing.B)  { benchmarkSteps(b, 1_000_000, true) }

// BenchmarkPatternFit measures a whole fit in winning chances of 200 000 rows, with one weight per column
// seen, to the default tolerance.
func BenchmarkPatternFit(b *testing.B) {
	rows := newBoards(200_000, true, 1).sparse()
	steps := 0
	for b.Loop() {
		steps = mustMinimise(b, mustPrepare(b, rows, 0), solverOptions{loss: chances, scale: 400, ridges: []float64{20}}).steps
	}
	b.ReportMetric(float64(steps), "steps")
}

// BenchmarkStream measures a pass that makes and packs its rows again.
func BenchmarkStream(b *testing.B) {
	const rows = 200_000
	m := mustPrepare(b, newBoards(rows, true, 1).sparse(), -1)
	s := newSolver(m, solverOptions{ridges: []float64{0}}, folds{}, 0)
	for b.Loop() {
		testkit.NoError(b, s.diagonal(b.Context()))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}
