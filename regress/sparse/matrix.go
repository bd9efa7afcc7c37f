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

// Layout configures how rows are stored. The zero value keeps up to 2 GiB of them.
type Layout struct {
	// CacheBytes limits the memory for packed rows (2 to 4 bytes per one). Rows beyond it are read
	// and packed again in every pass, which is slower but gives the same bits. 0 means 2 GiB or
	// half of the free memory, whichever is less; negative means no cache.
	CacheBytes int64
	// Workers is the number of goroutines; 0 means one per processor. It does not affect the
	// result.
	Workers int
}

const defaultCache = 2 << 30

// Matrix is rows prepared for fitting: columns counted and renumbered, labels in memory, packed
// rows in memory as far as the layout allows. Any number of fits can use it, one at a time.
type Matrix struct {
	rows    Rows
	layout  Layout
	columns *columnMap
	counts  []int64
	hash    uint64 // of all rows

	first  []int // first row of each block, then the number of rows
	label  []float64
	weight []float32

	chunks  []span
	packed  []*chunk // chunks kept in memory, others nil
	room    atomic.Int64
	acc     [][]float64 // accumulators, zero between passes
	scratch sync.Pool   // of *scratch
}

// span is the blocks [from, to) of a chunk.
type span struct{ from, to int }

// scratch is a goroutine's working memory in a pass.
type scratch struct {
	packer *packer
	z32    [maxBlockRows]float32
	z64    [maxBlockRows]float64
}

// Chunks are long, so that a chunk has several entries per cold column, but short enough to keep
// all cores busy. The number of accumulators is what fits into 16 MiB, within limits; at most that
// many cores compute products. Both depend on the rows alone, never on the number of workers.
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

// partition groups blocks into chunks.
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

// accumulators returns the number of accumulators.
func (m *Matrix) accumulators() int {
	n := accumulatorBytes / (8 * m.columns.length())
	return min(maxAccumulators, max(minAccumulators, n), len(m.chunks))
}

// Counts returns the number of occurrences of each column, with any value.
func (m *Matrix) Counts() []int64 { return m.counts }

// Weights returns the number of columns with a weight of their own.
func (m *Matrix) Weights() int { return len(m.columns.order) }

// chunk returns chunk i, from memory or read and packed again. It is valid until the scratch is
// reused.
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
			m.packed[i] = c // no other goroutine uses chunk i now
		} else {
			m.room.Add(size)
		}
	}
	return c
}

// pass calls f for every chunk. Chunks are assigned to accumulators in a fixed way, and those of
// one accumulator are processed in order, so that sums do not depend on the number of workers.
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

// drain empties the accumulators: it calls put with the sum of each slot in use, and returns the
// total of what put returns.
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

// empty discards what an interrupted pass left in the accumulators.
func (m *Matrix) empty() {
	for _, acc := range m.acc {
		clear(acc)
	}
}

// segment is the length of the pieces into which vectors are cut, so that a sum over a vector is
// rounded alike for any number of workers.
const segment = 1 << 13

// sum returns the sum of f over the pieces [lo, hi) of n elements, in order.
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

// Memory that a fit needs, in bytes. Estimates suffice: they serve to reject fits that do not fit
// into memory.
const (
	columnBytes = 8 + 4*6   // per column: its count and slot
	vectorBytes = 8*10 + 4  // per slot: the vectors of a fit
	stateBytes  = 2 * 4 * 8 // per slot: a State in memory and encoded
	foldBytes   = 8 + 8 + 9 // per slot and fold of a choice: weights, Trials, and their file
	rowBytes    = 2*12 + 4  // per row: label and weight, twice while reading, and curvature
	packedRow   = 16        // per packed row: its ends, padding and a value
	packedHot   = 2         // per entry in a hot column
	packedCold  = 4         // per entry in a cold column
	least       = 64 << 20  // least size of the default cache
)

// checkCounting returns an error if columns and rows do not fit into memory.
func checkCounting(rows Rows, workers int) error {
	workers = min(workers, rows.Blocks())
	bytes := int64(rows.Columns()) * int64(columnBytes+4*workers)
	return refusal(memory.Check(fmt.Sprintf("counting %d columns on %d workers", rows.Columns(), workers), bytes), "a smaller set, or fewer workers")
}

// checkFit returns an error if a fit does not fit into memory, and limits a cache of the default
// size to half of the remaining memory.
func (m *Matrix) checkFit() error {
	own := int64(m.columns.length())*int64(vectorBytes+stateBytes+8*m.accumulators()) + rowBytes*int64(len(m.label))
	cache := min(m.room.Load(), m.packedBytes())
	if free, known := memory.Free(); known && m.layout.CacheBytes == 0 {
		cache = min(cache, max(least, (free-own)/2))
		m.room.Store(min(m.room.Load(), cache))
	}
	what := fmt.Sprintf("a fit of %d weights to %d rows, with %d MiB of packed rows", m.Weights(), len(m.label), cache>>20)
	return refusal(memory.Check(what, own+cache), "a smaller cache, or a smaller set")
}

// checkFolds returns an error if the weights of all folds do not fit into memory.
func (m *Matrix) checkFolds(count int) error {
	bytes := int64(m.columns.length()) * int64(vectorBytes+foldBytes*count)
	what := fmt.Sprintf("%d weights in %d folds", m.Weights(), count)
	return refusal(memory.Check(what, bytes), "fewer folds, or a smaller set")
}

// packedBytes estimates the size of all rows when packed.
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
