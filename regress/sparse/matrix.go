package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"kroo/internal/parallel"
)

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

// Prepare reads the rows once, counts columns and checks everything.
func Prepare(ctx context.Context, rows Rows, l Layout) (*Matrix, error) {
	if rows.Columns() <= 0 || rows.Columns() >= math.MaxInt32 || rows.Blocks() <= 0 {
		return nil, fmt.Errorf("%d columns, %d blocks of rows: expected some of both, and fewer than %d columns", rows.Columns(), rows.Blocks(), math.MaxInt32)
	}
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
	var err error
	if m.columns, err = newColumnMap(m.counts, l); err != nil {
		return nil, err
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
func (m *Matrix) chunk(i int, s *scratch) (*chunk, error) {
	if c := m.packed[i]; c != nil {
		return c, nil
	}
	s.packer.begin(m.first[m.chunks[i].from])
	for b := m.chunks[i].from; b < m.chunks[i].to; b++ {
		if err := read(m.rows, len(m.counts), b, &s.packer.block); err != nil {
			return nil, err
		}
		if n := s.packer.block.rows(); n != m.first[b+1]-m.first[b] {
			return nil, fmt.Errorf("block %d has %d rows, had %d before: expected the same rows every time", b, n, m.first[b+1]-m.first[b])
		}
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
	return c, nil
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
			c, err := m.chunk(i, s)
			if err != nil {
				return err
			}
			f(i, c, s, m.acc[a])
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
