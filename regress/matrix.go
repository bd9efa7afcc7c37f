package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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

// Columns are renumbered in descending order of count, so that frequent columns are adjacent. The
// first part, as many columns as a uint16 can number, is hot: a row lists its hot columns as
// uint16, four per word, and the corresponding parts of the vectors stay in the second-level cache.
// The cold columns, a few per row, are stored by part and within a part by column, so that a pass
// reads the vectors sequentially.
const (
	partBits = 16
	partSize = 1 << partBits // columns per part
	// A row's last word is padded with four dummy columns, the last of the hot part: their
	// coefficients are 0 and their sums are discarded.
	lanes    = 4
	firstPad = partSize - lanes
)

// slot returns the slot of the column of the given rank by count, most frequent first. Padding has
// no rank.
func slot(rank int) int {
	if rank < firstPad {
		return rank
	}
	return rank + lanes
}

// columnMap maps columns to slots of the vectors.
type columnMap struct {
	slots []int32 // slot of each column, -1 if no row has it
	order []int32 // columns with a weight, most frequent first
	parts int     // number of parts, of partSize slots each
	width int     // slots in use, including padding
}

// newColumnMap assigns slots to the columns with the given counts.
func newColumnMap(counts []int64) *columnMap {
	m := &columnMap{slots: make([]int32, len(counts))}
	for j, n := range counts {
		if m.slots[j] = -1; n > 0 {
			m.order = append(m.order, int32(j))
		}
	}
	slices.SortFunc(m.order, func(a, b int32) int { // ties by column
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for rank, j := range m.order {
		m.slots[j] = int32(slot(rank))
	}
	m.width = slot(len(m.order)-1) + 1
	m.parts = (m.width + partSize - 1) / partSize
	return m
}

// spread returns the values by column; columns without a slot have those of others, or 0 if others
// is nil.
func (m *columnMap) spread(v, others []float64) []float64 {
	out := make([]float64, len(m.slots))
	copy(out, others)
	for j, s := range m.slots {
		if s >= 0 {
			out[j] = v[s]
		}
	}
	return out
}

// length returns the length of vectors: whole parts.
func (m *columnMap) length() int { return m.parts * partSize }

// chunk is up to 65536 packed rows.
type chunk struct {
	first int // number of the first row
	rows  int
	hot   []uint64 // four columns per word
	end   []uint32 // end of each row's words
	cold  []uint32 // column within its part << 16 | row
	part  []uint32 // end of each part's entries in cold, from the second part on
	val   []float32
	col   []uint32 // slots of val
	vend  []uint32 // end of each row's values; empty without values
}

// packer packs rows into a chunk. It is not safe for concurrent use.
type packer struct {
	*columnMap
	row  sparseRow
	out  chunk
	cold []uint64 // slot << 16 | row
}

// pack returns the chunk of the rows [from, to).
func (p *packer) pack(rows *sparseRows, from, to int) *chunk {
	c := &p.out
	c.hot, c.end, c.cold, c.part = c.hot[:0], c.end[:0], c.cold[:0], c.part[:0]
	c.val, c.col, c.vend = c.val[:0], c.col[:0], c.vend[:0]
	p.cold = p.cold[:0]
	for i := from; i < to; i++ {
		rows.read(i, &p.row)
		p.addOnes(uint64(i - from))
		c.end = append(c.end, uint32(len(c.hot)))
		for _, e := range p.row.vals {
			if s := p.slots[e.Index]; s >= 0 {
				c.col = append(c.col, uint32(s))
				c.val = append(c.val, e.Value)
			}
		}
		c.vend = append(c.vend, uint32(len(c.val)))
	}
	if len(c.val) == 0 {
		c.vend = c.vend[:0]
	}
	slices.Sort(p.cold)
	for _, e := range p.cold {
		for len(c.part) < int(e>>(2*partBits))-1 {
			c.part = append(c.part, uint32(len(c.cold)))
		}
		c.cold = append(c.cold, uint32(e))
	}
	for len(c.part) < p.parts-1 {
		c.part = append(c.part, uint32(len(c.cold)))
	}
	return &chunk{
		first: from, rows: to - from,
		hot: slices.Clone(c.hot), end: slices.Clone(c.end), cold: slices.Clone(c.cold), part: slices.Clone(c.part),
		val: slices.Clone(c.val), col: slices.Clone(c.col), vend: slices.Clone(c.vend),
	}
}

func (p *packer) addOnes(row uint64) {
	c, word, n := &p.out, uint64(0), 0
	for _, j := range p.row.ones {
		s := p.slots[j]
		if s < 0 {
			continue
		}
		if s >= partSize {
			p.cold = append(p.cold, uint64(s)<<partBits|row)
			continue
		}
		word |= uint64(s) << (partBits * n)
		if n++; n == lanes {
			c.hot = append(c.hot, word)
			word, n = 0, 0
		}
	}
	if n > 0 {
		for ; n < lanes; n++ {
			word |= uint64(firstPad+n) << (partBits * n)
		}
		c.hot = append(c.hot, word)
	}
}

// number is the element type of vectors that are read: float32 for directions, which halves cache
// misses, float64 where sums must be exact.
type number interface{ float32 | float64 }

// gather sets z to the part of each row's product with the vector p that comes from its cold
// columns and its values. hotSum computes the rest.
func gather[T number](c *chunk, p []T, z *[maxChunk]T) {
	clear(z[:c.rows])
	from := uint32(0)
	for i, to := range c.part {
		part := (*[partSize]T)(p[(i+1)<<partBits:])
		for _, e := range c.cold[from:to] {
			z[e&0xffff] += part[e>>partBits]
		}
		from = to
	}
	from = 0
	for r, to := range c.vend {
		for k := from; k < to; k++ {
			z[r] += T(c.val[k]) * p[c.col[k]]
		}
		from = to
	}
}

// hotSum sums the coefficients of a row's hot columns.
func hotSum[T number](p *[partSize]T, words []uint64) T {
	var a, b, c, d T
	for _, w := range words {
		a += p[uint16(w)]
		b += p[uint16(w>>16)]
		c += p[uint16(w>>32)]
		d += p[w>>48]
	}
	return (a + b) + (c + d)
}

// hotAdd adds r to a row's hot columns.
func hotAdd(acc *[partSize]float64, words []uint64, r float64) {
	for _, w := range words {
		acc[uint16(w)] += r
		acc[uint16(w>>16)] += r
		acc[uint16(w>>32)] += r
		acc[w>>48] += r
	}
}

// scatter adds each row's z to acc in the row's cold columns, and z times the value in the columns
// of its values (the value squared, if square).
func scatter[T number](c *chunk, z *[maxChunk]T, acc []float64, square bool) {
	from := uint32(0)
	for i, to := range c.part {
		part := (*[partSize]float64)(acc[(i+1)<<partBits:])
		for _, e := range c.cold[from:to] {
			part[e>>partBits] += float64(z[e&0xffff])
		}
		from = to
	}
	from = 0
	for r, to := range c.vend {
		for k := from; k < to; k++ {
			v := float64(c.val[k])
			if square {
				v *= v
			}
			acc[c.col[k]] += v * float64(z[r])
		}
		from = to
	}
}

// products computes each row's product with p, passes it to f with the row's number, and adds Aᵀ
// times the results of f to acc, where A is the chunk's rows. z is scratch.
func products[T number](c *chunk, p []T, z *[maxChunk]T, acc []float64, f func(row int, product T) T) {
	gather(c, p, z)
	hot, hotAcc := (*[partSize]T)(p), (*[partSize]float64)(acc)
	from := uint32(0)
	for r, to := range c.end {
		words := c.hot[from:to]
		z[r] = f(c.first+r, z[r]+hotSum(hot, words))
		hotAdd(hotAcc, words, float64(z[r]))
		from = to
	}
	scatter(c, z, acc, false)
}

// diagonal adds the diagonal of Aᵀ diag(h) A to acc, where A is the chunk's rows.
func diagonal(c *chunk, h []float32, z *[maxChunk]float32, acc []float64) {
	copy(z[:c.rows], h[c.first:][:c.rows])
	from := uint32(0)
	for r, to := range c.end {
		hotAdd((*[partSize]float64)(acc), c.hot[from:to], float64(z[r]))
		from = to
	}
	scatter(c, z, acc, true)
}
