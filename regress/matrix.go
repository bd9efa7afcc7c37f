package regress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"kroo/internal/checksum"
	"kroo/internal/memory"
	"kroo/internal/parallel"
)

// matrix is rows prepared for fits of their columns: counted and renumbered, and packed in memory
// as far as the cache allows. Any number of fits can use it, one at a time.
type matrix struct {
	*sparseRows
	workers   int
	cacheSize int64 // as given
	columns   *columnMap
	counts    []int64 // of each column, with any value
	hash      uint64  // of all rows

	most    int      // rows of a chunk
	packed  []*chunk // chunks kept in memory, others nil
	room    atomic.Int64
	acc     [][]float64 // accumulators, zero between passes
	scratch sync.Pool   // of *scratch
}

// scratch is a goroutine's working memory in a pass.
type scratch struct {
	packer *packer
	z32    [maxChunk]float32
	z64    [maxChunk]float64
}

// Chunks are long, so that a chunk has several entries per cold column, but short enough to keep
// all cores busy. The number of accumulators is what fits into 16 MiB, within limits; at most that
// many cores compute products. Both depend on the rows alone, never on the number of workers.
const (
	minChunk, maxChunk               = 1 << 12, 1 << 16
	minAccumulators, maxAccumulators = 4, 16
	accumulatorBytes                 = 16 << 20
)

// defaultCache is the largest memory for packed rows if no other is given, in bytes.
const defaultCache = 2 << 30

// prepare reads the rows once and counts columns. cacheSize limits the memory for packed rows, in
// bytes (2 to 4 per one). Rows beyond it are read and packed again in every pass, which is slower
// but gives the same bits. 0 means 2 GiB or half of the free memory, whichever is less; negative
// means no cache.
func prepare(ctx context.Context, rows *sparseRows, cacheSize int64, workers int) (*matrix, error) {
	m := &matrix{sparseRows: rows, workers: parallel.Workers(workers), cacheSize: cacheSize}
	if err := m.checkCounting(); err != nil {
		return nil, err
	}
	if err := m.count(ctx); err != nil {
		return nil, err
	}
	if m.len() == 0 {
		return nil, errors.New("no rows")
	}
	if m.columns = newColumnMap(m.counts); len(m.columns.order) == 0 {
		return nil, fmt.Errorf("no row has any of the %d columns: expected other columns or more rows", len(m.counts))
	}
	m.most = min(maxChunk, max(minChunk, m.len()/(2*maxAccumulators)))
	size := m.chunkRows()
	m.packed = make([]*chunk, 1+(max(0, m.len()-m.most)+size-1)/size)
	m.room.Store(defaultCache)
	if cacheSize != 0 {
		m.room.Store(max(0, cacheSize))
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

// count counts the columns, and sets a hash that identifies the rows.
func (m *matrix) count(ctx context.Context) error {
	counts := make([][]uint32, m.workers) // a worker counts fewer than 2³² ones
	rows := make([]sparseRow, m.workers)
	hashes := make([]uint64, m.blocks())
	err := parallel.Do(ctx, m.workers, len(hashes), func(_ context.Context, w, i int) error {
		if counts[w] == nil {
			counts[w] = make([]uint32, m.width)
		}
		for k := range m.block(i) {
			m.read(k, &rows[w])
			hashes[i] = rows[w].tally(counts[w], hashes[i])
			hashes[i] = mix(hashes[i], uint64(math.Float32bits(m.labels[k]))<<32|uint64(math.Float32bits(m.weight(k))))
		}
		return nil
	})
	if err != nil {
		return err
	}
	m.counts = make([]int64, m.width)
	for _, c := range counts {
		for j, n := range c {
			m.counts[j] += int64(n)
		}
	}
	for _, h := range hashes {
		m.hash = mix(m.hash, h)
	}
	return nil
}

// tally counts the row's columns and adds its content to a hash.
func (r *sparseRow) tally(counts []uint32, h uint64) uint64 {
	for _, j := range r.ones {
		counts[j]++
		h = (h ^ uint64(j)) * 0x9e37_79b9_7f4a_7c15
	}
	for _, e := range r.vals {
		counts[e.Index]++
		h = mix(h, uint64(e.Index)<<32|uint64(math.Float32bits(e.Value)))
	}
	return h
}

// mix combines a number with a hash.
func mix(h, x uint64) uint64 { return checksum.Mix(h ^ x) }

// chunkRows returns the number of rows of all chunks but the last, which may have more: whole
// blocks.
func (m *matrix) chunkRows() int { return m.most / blockRows * blockRows }

// accumulators returns the number of accumulators.
func (m *matrix) accumulators() int {
	n := accumulatorBytes / (8 * m.columns.length())
	return min(maxAccumulators, max(minAccumulators, n), len(m.packed))
}

// weighted returns the number of columns with a weight of their own.
func (m *matrix) weighted() int { return len(m.columns.order) }

// chunk returns chunk i, from memory or read and packed again. It is valid until the scratch is
// reused.
func (m *matrix) chunk(i int, s *scratch) *chunk {
	if c := m.packed[i]; c != nil {
		return c
	}
	from, to := i*m.chunkRows(), (i+1)*m.chunkRows()
	if i == len(m.packed)-1 {
		to = m.len()
	}
	c := s.packer.pack(m.sparseRows, from, to)
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
// one accumulator are processed in order, so that sums do not depend on the number of workers. An
// error leaves the accumulators empty.
func (m *matrix) pass(ctx context.Context, f func(i int, c *chunk, s *scratch, acc []float64)) error {
	n := len(m.acc)
	err := parallel.Do(ctx, m.workers, n, func(ctx context.Context, _, a int) error {
		s := m.scratch.Get().(*scratch)
		defer m.scratch.Put(s)
		for i := a * len(m.packed) / n; i < (a+1)*len(m.packed)/n; i++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			f(i, m.chunk(i, s), s, m.acc[a])
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

// Memory that a fit needs, in bytes. Estimates suffice: they serve to reject fits that do not fit
// into memory.
const (
	columnBytes = 8 + 4*6   // per column: its count and slot
	vectorBytes = 8*10 + 4  // per slot: the vectors of a fit
	stateBytes  = 2 * 4 * 8 // per slot: a saved state in memory and encoded
	foldBytes   = 8 + 8 + 9 // per slot and fold of a choice: weights, trials, and their file
	rowBytes    = 4         // per row: curvature
	packedRow   = 16        // per packed row: its ends, padding and a value
	packedHot   = 2         // per entry in a hot column
	packedCold  = 4         // per entry in a cold column
	leastCache  = 64 << 20  // of the default size
)

// checkCounting returns an error if the counts of columns do not fit into memory.
func (m *matrix) checkCounting() error {
	workers := min(m.workers, m.blocks())
	bytes := int64(m.width) * int64(columnBytes+4*workers)
	return checkMemory(fmt.Sprintf("counting %d columns on %d workers", m.width, workers), bytes, "a smaller set, or fewer workers")
}

// checkFit returns an error if a fit does not fit into memory, and limits a cache of the default
// size to half of the remaining memory.
func (m *matrix) checkFit() error {
	own := int64(m.columns.length())*int64(vectorBytes+stateBytes+8*m.accumulators()) + rowBytes*int64(m.len())
	cache := min(m.room.Load(), m.packedBytes())
	if free, known := memory.Free(); known && m.cacheSize == 0 {
		cache = min(cache, max(leastCache, (free-own)/2))
		m.room.Store(min(m.room.Load(), cache))
	}
	what := fmt.Sprintf("a fit of %d weights to %d rows, with %d MiB of packed rows", m.weighted(), m.len(), cache>>20)
	return checkMemory(what, own+cache, "a smaller cache, or a smaller set")
}

// checkFolds returns an error if the weights of all folds do not fit into memory.
func (m *matrix) checkFolds(count int) error {
	bytes := int64(m.columns.length()) * int64(vectorBytes+foldBytes*count)
	return checkMemory(fmt.Sprintf("%d weights in %d folds", m.weighted(), count), bytes, "fewer folds, or a smaller set")
}

// packedBytes estimates the size of all rows when packed.
func (m *matrix) packedBytes() int64 {
	bytes := packedRow * int64(m.len())
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

// checkMemory returns an error if bytes do not fit into memory, with what to take instead.
func checkMemory(what string, bytes int64, instead string) error {
	if err := memory.Check(what, bytes); err != nil {
		return fmt.Errorf("%w: take %s", err, instead)
	}
	return nil
}
