package sparse

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"kroo/internal/memory"
	"kroo/internal/parallel"
)

// Layout says how rows are kept. The zero value keeps up to 2 GiB of them.
type Layout struct {
	// CacheBytes is how much memory packed rows may take (2 to 4 bytes a
	// one). Rows beyond are read and packed again in every pass, which costs
	// time and changes no bit of a result. 0 is 2 GiB or, if that is less, half
	// of the memory that is free; negative is nothing.
	CacheBytes int64
	// Workers is the number of goroutines; 0 is one a processor. It changes
	// no bit of a result.
	Workers int
}

const defaultCache = 2 << 30

// Matrix is rows made ready to be fitted: columns counted and renumbered,
// labels in memory, packed rows in memory as far as the layout allows. Many
// fits can be made of one matrix, one at a time.
type Matrix struct {
	rows    Rows
	layout  Layout
	columns *columnMap
	counts  []int64
	hash    uint64 // of all rows

	first  []int // first row of each block, and the number of rows
	label  []float64
	weight []float32

	chunks  []span
	packed  []*chunk // of the chunks kept in memory
	room    atomic.Int64
	acc     [][]float64 // accumulators, zero between passes
	scratch sync.Pool   // of *scratch
}

// span is the blocks [from, to) that make a chunk.
type span struct{ from, to int }

// scratch is what a goroutine needs in a pass.
type scratch struct {
	packer *packer
	z32    [maxBlockRows]float32
	z64    [maxBlockRows]float64
}

// Chunks are long, so that cold columns are met several times in one, but not
// so long that there are too few for all cores. Accumulators are as many as
// 16 MiB hold, within limits: products run on that many cores at most. Both
// follow from the rows alone, never from the number of workers.
const (
	minChunk, maxChunk               = 1 << 12, maxBlockRows
	minAccumulators, maxAccumulators = 4, 16
	accumulatorBytes                 = 16 << 20
)

// Prepare reads the rows once and counts columns.
func Prepare(ctx context.Context, rows Rows, l Layout) (*Matrix, error) {
	l.Workers = parallel.Workers(l.Workers)
	if err := checkCounting(rows, l.Workers); err != nil {
		return nil, err
	}
	m := &Matrix{rows: rows, layout: l}
	if err := m.count(ctx); err != nil {
		return nil, err
	}
	if len(m.label) == 0 {
		return nil, errors.New("no rows")
	}
	if m.columns = newColumnMap(m.counts); len(m.columns.order) == 0 {
		return nil, fmt.Errorf("no row has any of the %d columns: expected other columns or more rows", len(m.counts))
	}
	m.partition()
	m.room.Store(defaultCache)
	if l.CacheBytes != 0 {
		m.room.Store(max(0, l.CacheBytes))
	}
	if err := m.checkFit(); err != nil {
		return nil, err
	}
	m.acc = make([][]float64, m.accumulators())
	for i := range m.acc {
		m.acc[i] = make([]float64, m.columns.length())
	}
	m.scratch.New = func() any { return &scratch{packer: newPacker(m.columns.slots, m.columns.parts)} }
	return m, nil
}

// partition puts blocks together into chunks.
func (m *Matrix) partition() {
	aim := min(maxChunk, max(minChunk, len(m.label)/(2*maxAccumulators)))
	for b := 0; b < len(m.first)-1; {
		c := span{b, b + 1}
		for c.to < len(m.first)-1 && m.first[c.to+1]-m.first[c.from] <= aim {
			c.to++
		}
		m.chunks = append(m.chunks, c)
		b = c.to
	}
	m.packed = make([]*chunk, len(m.chunks))
}

// accumulators is the number of accumulators.
func (m *Matrix) accumulators() int {
	n := accumulatorBytes / (8 * m.columns.length())
	return min(maxAccumulators, max(minAccumulators, n), len(m.chunks))
}

// Counts is how often each column is seen, with any value.
func (m *Matrix) Counts() []int64 { return m.counts }

// Weights is the number of columns that get a weight of their own.
func (m *Matrix) Weights() int { return len(m.columns.order) }

// chunk returns chunk i, from memory or read and packed again. Use it before the scratch
// is used again.
func (m *Matrix) chunk(i int, s *scratch) *chunk {
	if c := m.packed[i]; c != nil {
		return c
	}
	s.packer.begin(m.first[m.chunks[i].from])
	for b := m.chunks[i].from; b < m.chunks[i].to; b++ {
		s.packer.block.read(m.rows, b)
		s.packer.add()
	}
	c := s.packer.finish()
	if size := c.tightBytes(); m.room.Load() >= size {
		if m.room.Add(-size) >= 0 {
			c = c.clip()
			m.packed[i] = c // only this goroutine has chunk i now
		} else {
			m.room.Add(size)
		}
	}
	return c
}

// pass calls f for every chunk. Chunks are dealt to accumulators in a fixed
// way, and those of one accumulator follow each other in order, so that sums
// do not depend on the number of workers.
func (m *Matrix) pass(ctx context.Context, f func(i int, c *chunk, s *scratch, acc []float64)) error {
	n := len(m.acc)
	return parallel.Do(ctx, m.layout.Workers, n, func(ctx context.Context, _, a int) error {
		s := m.scratch.Get().(*scratch)
		defer m.scratch.Put(s)
		for i := a * len(m.chunks) / n; i < (a+1)*len(m.chunks)/n; i++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			f(i, m.chunk(i, s), s, m.acc[a])
		}
		return nil
	})
}

// drain empties the accumulators: it calls put with the sum for each slot in
// use, and adds up what put returns.
func (m *Matrix) drain(put func(j int, v float64) float64) float64 {
	return sum(m.layout.Workers, m.columns.width, func(lo, hi int) float64 {
		total := 0.0
		first, rest := m.acc[0][lo:hi], m.acc[1:]
		for j := range first {
			v := first[j]
			first[j] = 0
			for _, acc := range rest {
				v += acc[lo+j]
				acc[lo+j] = 0
			}
			if k := lo + j; k < firstPad || k >= partSize {
				total += put(k, v)
			}
		}
		return total
	})
}

// empty throws away what an interrupted pass left in the accumulators.
func (m *Matrix) empty() {
	for _, acc := range m.acc {
		clear(acc)
	}
}

// segment is the length of the pieces into which vectors are cut, so that a
// sum over a vector has the same rounding whatever the number of workers.
const segment = 1 << 13

// sum adds what f returns for the pieces [lo, hi) of n elements, in order.
func sum(workers, n int, f func(lo, hi int) float64) float64 {
	pieces := (n + segment - 1) / segment
	parts := make([]float64, pieces)
	parallel.For(workers, pieces, func(_, i int) { parts[i] = f(i*segment, min(n, (i+1)*segment)) })
	total := 0.0
	for _, p := range parts {
		total += p
	}
	return total
}

// What a fit takes, in bytes. It only has to be about right: it serves to refuse fits
// that cannot fit into memory.
const (
	columnBytes = 8 + 4*6   // a column: its count, and what gives it a slot
	vectorBytes = 8*10 + 4  // a slot: the vectors of a fit
	stateBytes  = 2 * 4 * 8 // and a State of them, as it is and as it is written
	foldBytes   = 8 + 8 + 9 // a slot and fold of a choice: weights, Trials of them, and their file
	rowBytes    = 2*12 + 4  // a row: label and weight, twice while they are read, and curvature
	packedRow   = 16        // a packed row: its ends, the padding of its words and a value
	packedHot   = 2         // a one of a packed row in a hot column
	packedCold  = 4         // and in a cold one
	least       = 64 << 20  // of a cache that nobody has asked for
)

// checkCounting refuses columns and rows that do not fit into memory.
func checkCounting(rows Rows, workers int) error {
	workers = min(workers, rows.Blocks())
	bytes := int64(rows.Columns()) * int64(columnBytes+4*workers)
	return refusal(memory.Check(fmt.Sprintf("counting %d columns on %d workers", rows.Columns(), workers), bytes), "a smaller set, or fewer workers")
}

// checkFit refuses fits that do not fit into memory, and limits a cache of the default
// size to half of what they leave.
func (m *Matrix) checkFit() error {
	own := int64(m.columns.length())*int64(vectorBytes+stateBytes+8*m.accumulators()) + rowBytes*int64(len(m.label))
	cache := min(m.room.Load(), m.packedBytes())
	if free, known := memory.Free(); known && m.layout.CacheBytes == 0 {
		cache = min(cache, max(least, (free-own)/2))
		m.room.Store(min(m.room.Load(), cache))
	}
	what := fmt.Sprintf("a fit of %d weights to %d rows, with %d MiB of rows made ready", m.Weights(), len(m.label), cache>>20)
	return refusal(memory.Check(what, own+cache), "a smaller cache, or a smaller set")
}

// checkFolds refuses choices whose weights of every fold do not fit into memory.
func (m *Matrix) checkFolds(count int) error {
	bytes := int64(m.columns.length()) * int64(vectorBytes+foldBytes*count)
	what := fmt.Sprintf("%d weights in %d folds", m.Weights(), count)
	return refusal(memory.Check(what, bytes), "fewer folds, or a smaller set")
}

// packedBytes is about what all rows take when they are packed.
func (m *Matrix) packedBytes() int64 {
	bytes := packedRow * int64(len(m.label))
	for j, n := range m.counts {
		switch s := m.columns.slots[j]; {
		case s >= partSize:
			bytes += packedCold * n
		case s >= 0:
			bytes += packedHot * n
		}
	}
	return bytes
}

func refusal(err error, instead string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: take %s", err, instead)
}
