package sparse

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
	label   []float64
	windows [][]int // houses of each pattern
	first   []int   // first column of each pattern
	columns int
}

const boardsBlock = 4096

// newBoards draws n boards. big adds patterns of four and six houses.
func newBoards(n int, big bool, seed uint64) *boards {
	b := &boards{houses: make([][12]uint8, n), label: make([]float64, n), columns: 12*24 + 3}
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
		b.label[i] = b.worth(&b.houses[i], rng)
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

func (b *boards) Columns() int { return b.columns }
func (b *boards) Blocks() int  { return (len(b.houses) + boardsBlock - 1) / boardsBlock }

func (b *boards) Block(i int, dst *Block) {
	for r := i * boardsBlock; r < min(len(b.houses), (i+1)*boardsBlock); r++ {
		h := &b.houses[r]
		var k [12]uint32
		seeds := 0
		for j, n := range h {
			n = min(n, 23)
			dst.One(uint32(j)*24 + uint32(n))
			k[j] = uint32(bucket[n])
			seeds += int(n)
		}
		dst.One(288)
		dst.One(289 + uint32(seeds)&1)
		for w, houses := range b.windows {
			code := uint32(0)
			for _, j := range houses {
				code = code<<3 | k[j]
			}
			dst.One(uint32(b.first[w]) + code)
		}
		dst.EndRow(b.label[r], 1)
	}
}

// benchmarkSteps measures conjugate-gradient steps, each a pass over all rows, packed in memory.
func benchmarkSteps(b *testing.B, rows int, big bool) {
	m := mustPrepare(b, newBoards(rows, big, 1), Layout{CacheBytes: 4 << 30})
	s := newSolver(m, Options{Loss: Chances, Scale: 400, Ridge: 20}, nil, 0)
	testkit.NoError(b, s.prepare(background))
	ones := 0
	for _, c := range m.packed {
		ones += lanes*len(c.hot) + len(c.cold)
	}
	s.begin(s.g)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.advance(background); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(ones), "ns/one")
	b.ReportMetric(float64(m.Weights()), "weights")
}

// A million rows of 92 ones in 15 000 columns; a solve takes about a hundred steps.
func BenchmarkStepSmallSet(b *testing.B) { benchmarkSteps(b, 1_000_000, false) }

// 200 000 and a million rows of 128 ones in 1.7 million columns.
func BenchmarkStepLargeSetTenth(b *testing.B) { benchmarkSteps(b, 200_000, true) }
func BenchmarkStepLargeSetHalf(b *testing.B)  { benchmarkSteps(b, 1_000_000, true) }

// BenchmarkFit measures a whole fit in winning chances of 200 000 rows, with one weight per column
// seen, to the default tolerance.
func BenchmarkFit(b *testing.B) {
	rows := newBoards(200_000, true, 1)
	steps := 0
	for b.Loop() {
		r, err := Fit(background, rows, Layout{}, Options{Loss: Chances, Scale: 400, Ridge: 20})
		testkit.NoError(b, err)
		steps = r.Steps
	}
	b.ReportMetric(float64(steps), "steps")
}

// BenchmarkStream measures a pass that makes and packs its rows again.
func BenchmarkStream(b *testing.B) {
	const rows = 200_000
	m := mustPrepare(b, newBoards(rows, true, 1), Layout{CacheBytes: -1})
	s := newSolver(m, Options{}, nil, 0)
	for b.Loop() {
		testkit.NoError(b, s.diagonal(background))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}
