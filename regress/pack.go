package regress

import (
	"cmp"
	"slices"
)

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
	row   sparseRow
	out   chunk
	cold  []coldEntry
	count []uint32 // cold entries by column; zero between uses
}

type coldEntry struct {
	slot uint32
	row  uint16
}

func newPacker(m *columnMap) *packer {
	return &packer{columnMap: m, count: make([]uint32, (m.parts-1)*partSize+1)}
}

// pack returns the chunk of the rows [from, to).
func (p *packer) pack(rows *sparseRows, from, to int) *chunk {
	c := &p.out
	c.hot, c.end, c.cold, c.part = c.hot[:0], c.end[:0], c.cold[:0], c.part[:0]
	c.val, c.col, c.vend = c.val[:0], c.col[:0], c.vend[:0]
	p.cold = p.cold[:0]
	for i := from; i < to; i++ {
		rows.read(i, &p.row)
		p.addOnes(uint16(i - from))
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
	p.sortCold()
	return &chunk{
		first: from, rows: to - from,
		hot: slices.Clone(c.hot), end: slices.Clone(c.end), cold: slices.Clone(c.cold), part: slices.Clone(c.part),
		val: slices.Clone(c.val), col: slices.Clone(c.col), vend: slices.Clone(c.vend),
	}
}

func (p *packer) addOnes(row uint16) {
	c, word, n := &p.out, uint64(0), 0
	for _, j := range p.row.ones {
		s := p.slots[j]
		if s < 0 {
			continue
		}
		if s >= partSize {
			p.cold = append(p.cold, coldEntry{uint32(s), row})
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

// sortCold sorts the cold entries by column and, within a column, by row.
func (p *packer) sortCold() {
	c := &p.out
	for _, e := range p.cold {
		p.count[e.slot-partSize+1]++
	}
	for i := 1; i < len(p.count); i++ {
		p.count[i] += p.count[i-1]
	}
	if cap(c.cold) < len(p.cold) {
		c.cold = make([]uint32, len(p.cold)+len(p.cold)/8)
	}
	c.cold = c.cold[:len(p.cold)]
	for _, e := range p.cold {
		at := &p.count[e.slot-partSize]
		c.cold[*at] = e.slot<<partBits | uint32(e.row)
		*at++
	}
	// Each count is now the end of its column's entries.
	for i := 1; i < p.parts; i++ {
		c.part = append(c.part, p.count[i*partSize-1])
	}
	clear(p.count)
}
