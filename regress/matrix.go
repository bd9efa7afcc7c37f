package regress

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"kroo/internal/memory"
	"kroo/internal/parallel"
)

// matrix is rows prepared for fits of their columns: counted, renumbered and packed in memory. Any
// number of fits can use it, one at a time.
type matrix struct {
	*sparseRows
	workers int
	columns *columnMap
	counts  []int64 // of each column, with any value
	chunks  []*chunk
	acc     [][]float64 // accumulators, zero between passes
	scratch sync.Pool   // of *scratch
}

// scratch is a goroutine's working memory in a pass.
type scratch struct {
	z32 [maxChunk]float32
	z64 [maxChunk]float64
}

// Chunks are long, so that a chunk has several entries per cold column, but short enough to keep
// all cores busy. The number of accumulators is what fits into 16 MiB, within limits; at most that
// many cores compute products. Both depend on the rows alone, never on the number of workers.
const (
	minChunk, maxChunk               = 1 << 12, 1 << 16
	minAccumulators, maxAccumulators = 4, 16
	accumulatorBytes                 = 16 << 20
)

// prepare reads the rows twice: it counts their columns, and packs them.
func prepare(ctx context.Context, rows *sparseRows, workers int) (*matrix, error) {
	m := &matrix{sparseRows: rows, workers: parallel.Workers(workers)}
	m.scratch.New = func() any { return new(scratch) }
	if err := m.count(ctx); err != nil {
		return nil, err
	}
	if m.len() == 0 {
		return nil, errors.New("no rows")
	}
	if m.columns = newColumnMap(m.counts); len(m.columns.order) == 0 {
		return nil, fmt.Errorf("no row has any of the %d columns: expected other columns or more rows", len(m.counts))
	}
	most := min(maxChunk, max(minChunk, m.len()/(2*maxAccumulators)))
	size := most / blockRows * blockRows // of all chunks but the last, which may have more
	m.chunks = make([]*chunk, 1+(max(0, m.len()-most)+size-1)/size)
	m.acc = make([][]float64, min(maxAccumulators, max(minAccumulators, accumulatorBytes/(8*m.columns.length())), len(m.chunks)))
	entries := int64(0)
	for _, n := range m.counts {
		entries += n
	}
	const perRow, perEntry = 16, 4 // at most: a row's ends, padding and curvature; entries of hot columns take half
	const perSlot = 11*8 + 4       // the vectors of a fit
	what := fmt.Sprintf("a fit of %d weights to %d rows", len(m.columns.order), m.len())
	bytes := int64(perSlot+8*len(m.acc))*int64(m.columns.length()) + perRow*int64(m.len()) + perEntry*entries
	if err := checkMemory(what, bytes, "fewer rows, or a smaller set"); err != nil {
		return nil, err
	}
	for i := range m.acc {
		m.acc[i] = make([]float64, m.columns.length())
	}
	packers := make([]*packer, m.workers)
	return m, parallel.Do(ctx, m.workers, len(m.chunks), func(_ context.Context, w, i int) error {
		if packers[w] == nil {
			packers[w] = &packer{columnMap: m.columns}
		}
		to := (i + 1) * size
		if i == len(m.chunks)-1 {
			to = m.len()
		}
		m.chunks[i] = packers[w].pack(m.sparseRows, i*size, to)
		return nil
	})
}

// count counts the columns.
func (m *matrix) count(ctx context.Context) error {
	what := fmt.Sprintf("counting %d columns on %d workers", m.width, m.workers)
	if err := checkMemory(what, int64(m.width)*int64(8+4*min(m.workers, m.blocks())), "a smaller set, or fewer workers"); err != nil {
		return err
	}
	counts := make([][]uint32, m.workers) // a worker counts fewer than 2³² ones
	err := m.each(ctx, m.workers, func(w, _ int, r *sparseRow) {
		if counts[w] == nil {
			counts[w] = make([]uint32, m.width)
		}
		for _, j := range r.ones {
			counts[w][j]++
		}
		for _, e := range r.vals {
			counts[w][e.Index]++
		}
	})
	m.counts = make([]int64, m.width)
	for _, c := range counts {
		for j, n := range c {
			m.counts[j] += int64(n)
		}
	}
	return err
}

// pass calls f for every chunk. Chunks are assigned to accumulators in a fixed way, and those of
// one accumulator are processed in order, so that sums do not depend on the number of workers. An
// error leaves the accumulators empty.
func (m *matrix) pass(ctx context.Context, f func(i int, s *scratch, acc []float64)) error {
	n := len(m.acc)
	err := parallel.Do(ctx, m.workers, n, func(ctx context.Context, _, a int) error {
		s := m.scratch.Get().(*scratch)
		defer m.scratch.Put(s)
		for i := a * len(m.chunks) / n; i < (a+1)*len(m.chunks)/n; i++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			f(i, s, m.acc[a])
		}
		return nil
	})
	if err != nil {
		for _, acc := range m.acc {
			clear(acc)
		}
	}
	return err
}

// drain empties the accumulators: it calls put with the sum of each slot in use, and returns the
// total of what put returns.
func (m *matrix) drain(put func(j int, v float64) float64) float64 {
	return m.sum(func(lo, hi int) float64 {
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

// segment is the length of the pieces into which vectors are cut, so that a sum over a vector is
// rounded alike for any number of workers.
const segment = 1 << 13

// sum returns the sum of f over the pieces [lo, hi) of the slots in use, in order.
func (m *matrix) sum(f func(lo, hi int) float64) float64 {
	parts := make([]float64, (m.columns.width+segment-1)/segment)
	parallel.For(m.workers, len(parts), func(_, i int) { parts[i] = f(i*segment, min(m.columns.width, (i+1)*segment)) })
	total := 0.0
	for _, p := range parts {
		total += p
	}
	return total
}

// checkMemory returns an error if bytes do not fit into memory, with what to take instead.
func checkMemory(what string, bytes int64, instead string) error {
	if err := memory.Check(what, bytes); err != nil {
		return fmt.Errorf("%w: take %s", err, instead)
	}
	return nil
}
