package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"kroo/internal/memory"
	"kroo/internal/parallel"
)

// matrix is rows prepared for fits of their columns: counted, renumbered and packed, in memory or, in
// part, in a file. Any number of fits can use it, one at a time.
type matrix struct {
	workers int
	columns *columnMap
	counts  *rowCounts
	chunks  *packedRows
	acc     [][]float64 // accumulators, zero between passes
	scratch []*scratch  // of each worker
}

// scratch is a worker's memory in a pass.
type scratch struct {
	z32  [maxChunk]float32
	z64  [maxChunk]float64
	read chunk // the last chunk read from the file
}

// Chunks are long, so that a chunk has several entries per cold column, but short enough to keep
// all cores busy. The number of accumulators is what fits into 16 MiB, within limits; at most that
// many cores compute products. Both depend on the rows alone, never on the number of workers.
const (
	minChunk, maxChunk               = 1 << 12, 1 << 16
	minAccumulators, maxAccumulators = 4, 16
	accumulatorBytes                 = 16 << 20
)

// layout divides rows into chunks.
type layout struct {
	rows   int
	size   int // rows of all chunks but the last, which may have more
	chunks int
}

func newLayout(rows int) layout {
	most := min(maxChunk, max(minChunk, rows/(2*maxAccumulators)))
	size := most / blockRows * blockRows
	return layout{rows: rows, size: size, chunks: 1 + (max(0, rows-most)+size-1)/size}
}

// sizeOf returns the number of rows of a chunk.
func (l layout) sizeOf(i int) int {
	if i >= l.chunks-1 {
		return l.rows - (l.chunks-1)*l.size
	}
	return l.size
}

// pack packs the rows, which have the given counts.
func pack(ctx context.Context, rows *sparseRows, counts *rowCounts, workers int, s storage) (*matrix, error) {
	m := &matrix{workers: parallel.Workers(workers), counts: counts, columns: newColumnMap(counts.columns)}
	switch {
	case counts.rows == 0:
		return nil, errors.New("no rows")
	case len(m.columns.order) == 0:
		return nil, fmt.Errorf("no row has any of the %d columns: expected other columns or more rows", len(counts.columns))
	}
	l := newLayout(counts.rows)
	fitting := max(minAccumulators, accumulatorBytes/(8*m.columns.length()))
	m.acc = make([][]float64, min(maxAccumulators, fitting, l.chunks))
	if err := m.checkMemory(); err != nil {
		return nil, err
	}
	for i := range m.acc {
		m.acc[i] = make([]float64, m.columns.length())
	}
	m.scratch = make([]*scratch, m.workers)
	var err error
	m.chunks, err = packRows(ctx, rows, m.columns, counts, l, min(m.workers, maxAccumulators), s)
	return m, err
}

// checkMemory returns an error if the vectors of a fit do not fit into memory.
func (m *matrix) checkMemory() error {
	const perRow = 4         // the curvature
	const perSlot = 11*8 + 4 // the other vectors
	what := fmt.Sprintf("the vectors of a fit of %d weights to %d rows", len(m.columns.order), m.counts.rows)
	slots := int64(m.columns.length())
	bytes := int64(perSlot+8*len(m.acc))*slots + perRow*int64(m.counts.rows)
	return checkMemory(what, bytes, "fewer rows, or a smaller set")
}

// checkCounting returns an error if counts of columns by workers do not fit into memory.
func checkCounting(columns, workers int) error {
	what := fmt.Sprintf("counting %d columns on %d workers", columns, workers)
	return checkMemory(what, int64(columns)*int64(8+4*workers), "a smaller set, or fewer workers")
}

// pass calls f for every chunk. Chunks are assigned to accumulators in a fixed way, and those of
// one accumulator are processed in order, so that sums do not depend on the number of workers. An
// error leaves the accumulators empty.
func (m *matrix) pass(ctx context.Context, f func(i int, c *chunk, s *scratch, acc []float64)) error {
	n, chunks := len(m.acc), m.chunks.len()
	err := parallel.Do(ctx, m.workers, n, func(ctx context.Context, worker, a int) error {
		if m.scratch[worker] == nil {
			m.scratch[worker] = new(scratch)
		}
		s := m.scratch[worker]
		for i := a * chunks / n; i < (a+1)*chunks/n; i++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c, err := m.chunks.chunk(i, &s.read)
			if err != nil {
				return err
			}
			f(i, c, s, m.acc[a])
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

// close releases the packed rows; their file remains.
func (m *matrix) close() error { return m.chunks.close() }

// drain empties the accumulators: it calls put with the sum of each slot of a column, not for
// the padding, and returns the total of what put returns.
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

// sum returns the sum of f over the pieces [lo, hi) of the slots before the end, padding included, in order.
func (m *matrix) sum(f func(lo, hi int) float64) float64 {
	parts := make([]float64, (m.columns.end+segment-1)/segment)
	parallel.For(m.workers, len(parts), func(_, i int) { parts[i] = f(i*segment, min(m.columns.end, (i+1)*segment)) })
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
	end   int     // the slot after that of the last column; those before it are of columns or padding
}

// newColumnMap assigns slots to the columns with the given counts.
func newColumnMap(counts []int64) *columnMap {
	m := &columnMap{slots: make([]int32, len(counts))}
	for j, n := range counts {
		m.slots[j] = -1
		if n > 0 {
			m.order = append(m.order, int32(j))
		}
	}
	slices.SortFunc(m.order, func(a, b int32) int { // ties by column
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for rank, j := range m.order {
		m.slots[j] = int32(slot(rank))
	}
	m.end = slot(len(m.order)-1) + 1
	m.parts = (m.end + partSize - 1) / partSize
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
	first   int       // number of the first row
	labels  []float32 // in points
	weights []float32 // row weights; empty means 1

	hot    []uint64 // four columns per word
	hotEnd []uint32 // end of each row's words

	coldEntries []uint32 // column within its part << 16 | row
	coldPartEnd []uint32 // end of each part's entries, from the second part on

	values     []float32
	valueSlots []uint32 // of each of values
	valueEnd   []uint32 // end of each row's values; empty without values
}

// rows returns the number of rows.
func (c *chunk) rows() int { return len(c.labels) }

// weight returns the weight of a row.
func (c *chunk) weight(row int) float32 {
	if len(c.weights) == 0 {
		return 1
	}
	return c.weights[row]
}

// packer packs rows into a chunk. It is not safe for concurrent use.
type packer struct {
	*columnMap
	row  sparseRow
	out  chunk
	cold []uint64 // slot << 16 | row
}

// pack returns the chunk of a batch, whose first row has the given number. It is valid until the next one.
func (p *packer) pack(b *sparseBatch, first int) *chunk {
	c := &p.out
	c.first = first
	c.labels = b.labels
	c.weights = b.weights
	c.hot = c.hot[:0]
	c.hotEnd = c.hotEnd[:0]
	c.values = c.values[:0]
	c.valueSlots = c.valueSlots[:0]
	c.valueEnd = c.valueEnd[:0]
	p.cold = p.cold[:0]
	for i := range b.labels {
		b.read(i, &p.row)
		p.addOnes(uint64(i))
		c.hotEnd = append(c.hotEnd, uint32(len(c.hot)))
		for _, e := range p.row.vals {
			if s := p.slots[e.Index]; s >= 0 {
				c.valueSlots = append(c.valueSlots, uint32(s))
				c.values = append(c.values, e.Value)
			}
		}
		c.valueEnd = append(c.valueEnd, uint32(len(c.values)))
	}
	if len(c.values) == 0 {
		c.valueEnd = c.valueEnd[:0]
	}
	p.addCold()
	return c
}

// addCold adds the cold columns by part and column.
func (p *packer) addCold() {
	c := &p.out
	c.coldEntries = c.coldEntries[:0]
	c.coldPartEnd = c.coldPartEnd[:0]
	slices.Sort(p.cold)
	for _, e := range p.cold {
		for len(c.coldPartEnd) < int(e>>(2*partBits))-1 {
			c.coldPartEnd = append(c.coldPartEnd, uint32(len(c.coldEntries)))
		}
		c.coldEntries = append(c.coldEntries, uint32(e))
	}
	for len(c.coldPartEnd) < p.parts-1 {
		c.coldPartEnd = append(c.coldPartEnd, uint32(len(c.coldEntries)))
	}
}

// addOnes adds the columns of a row that are 1: the hot ones in words, the cold ones to p.cold.
func (p *packer) addOnes(row uint64) {
	c := &p.out
	word := uint64(0)
	n := 0 // columns in the word
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
		n++
		if n == lanes {
			c.hot = append(c.hot, word)
			word = 0
			n = 0
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
	clear(z[:c.rows()])
	from := uint32(0)
	for i, to := range c.coldPartEnd {
		part := (*[partSize]T)(p[(i+1)<<partBits:])
		for _, e := range c.coldEntries[from:to] {
			z[e&0xffff] += part[e>>partBits]
		}
		from = to
	}
	from = 0
	for r, to := range c.valueEnd {
		for k := from; k < to; k++ {
			z[r] += T(c.values[k]) * p[c.valueSlots[k]]
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
	for i, to := range c.coldPartEnd {
		part := (*[partSize]float64)(acc[(i+1)<<partBits:])
		for _, e := range c.coldEntries[from:to] {
			part[e>>partBits] += float64(z[e&0xffff])
		}
		from = to
	}
	from = 0
	for r, to := range c.valueEnd {
		for k := from; k < to; k++ {
			v := float64(c.values[k])
			if square {
				v *= v
			}
			acc[c.valueSlots[k]] += v * float64(z[r])
		}
		from = to
	}
}

// products computes each row's product with p, passes it to f with the row's place in the chunk, and
// adds Aᵀ times the results of f to acc, where A is the chunk's rows. z is scratch.
func products[T number](c *chunk, p []T, z *[maxChunk]T, acc []float64, f func(row int, product T) T) {
	gather(c, p, z)
	hot, hotAcc := (*[partSize]T)(p), (*[partSize]float64)(acc)
	from := uint32(0)
	for r, to := range c.hotEnd {
		words := c.hot[from:to]
		z[r] = f(r, z[r]+hotSum(hot, words))
		hotAdd(hotAcc, words, float64(z[r]))
		from = to
	}
	scatter(c, z, acc, false)
}

// diagonal adds the diagonal of Aᵀ diag(h) A to acc, where A is the chunk's rows and h is that of all
// rows.
func diagonal(c *chunk, h []float32, z *[maxChunk]float32, acc []float64) {
	copy(z[:c.rows()], h[c.first:][:c.rows()])
	from := uint32(0)
	for r, to := range c.hotEnd {
		hotAdd((*[partSize]float64)(acc), c.hot[from:to], float64(z[r]))
		from = to
	}
	scatter(c, z, acc, true)
}
