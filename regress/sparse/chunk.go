package sparse

import "slices"

// Columns are renumbered by falling count, so that those seen most often lie
// together. The first part, as many as a uint16 counts, is hot: a row keeps
// its hot columns as lists of uint16, four to a word, and the vectors' parts
// that they touch stay in the second-level cache. The cold columns, few a row,
// are kept part by part and in each by column, so that a pass walks through
// the vectors instead of jumping about in them.
const (
	partBits = 16
	partSize = 1 << partBits // columns in a part
	// A row's last word is filled up with four columns that represent nothing,
	// the last of the hot part: their coefficients are 0 and what is added to
	// them is thrown away.
	lanes    = 4
	firstPad = partSize - lanes
)

// slot is the place of the column of the given rank by count, most frequent
// first; the padding has no rank.
func slot(rank int) int {
	if rank < firstPad {
		return rank
	}
	return rank + lanes
}

// chunk is up to 65536 rows in packed form.
type chunk struct {
	first int // row
	rows  int
	hot   []uint64 // four columns a word
	end   []uint32 // end of each row's words
	cold  []uint32 // column in its part << 16 | row
	part  []uint32 // end of the entries of cold of each part, from the second part on
	val   []float32
	col   []uint32 // slots of val
	vend  []uint32 // end of each row's values; empty when there are none
}

// tightBytes is the memory that clip takes.
func (c *chunk) tightBytes() int64 {
	return 8*int64(len(c.hot)) + 4*int64(len(c.end)+len(c.cold)+len(c.part)+len(c.val)+len(c.col)+len(c.vend))
}

// clip copies the chunk into memory of just its size.
func (c *chunk) clip() *chunk {
	d := *c
	d.hot, d.end, d.cold, d.part = slices.Clone(c.hot), slices.Clone(c.end), slices.Clone(c.cold), slices.Clone(c.part)
	d.val, d.col, d.vend = slices.Clone(c.val), slices.Clone(c.col), slices.Clone(c.vend)
	return &d
}

// packer turns blocks into chunks. One goroutine uses it at a time.
type packer struct {
	slots []int32 // of a column, -1 for one that is left out
	parts int     // of the vectors
	block Block
	out   chunk
	cold  []coldEntry
	count []uint32 // of cold entries by column, zero between uses
}

type coldEntry struct {
	slot uint32
	row  uint16
}

func newPacker(slots []int32, parts int) *packer {
	return &packer{slots: slots, parts: parts, count: make([]uint32, (parts-1)*partSize+1)}
}

// begin starts a chunk at a row.
func (p *packer) begin(first int) {
	c := &p.out
	c.first, c.rows = first, 0
	c.hot, c.end, c.cold, c.part = c.hot[:0], c.end[:0], c.cold[:0], c.part[:0]
	c.val, c.col, c.vend = c.val[:0], c.col[:0], c.vend[:0]
	p.cold = p.cold[:0]
}

// add packs the rows of p.block.
func (p *packer) add() {
	c := &p.out
	for r := range p.block.rows() {
		ones, col, val := p.block.row(r)
		p.addOnes(ones, uint16(c.rows))
		c.end = append(c.end, uint32(len(c.hot)))
		for k, j := range col {
			if s := p.slots[j]; s >= 0 {
				c.col = append(c.col, uint32(s))
				c.val = append(c.val, val[k])
			}
		}
		c.vend = append(c.vend, uint32(len(c.val)))
		c.rows++
	}
}

func (p *packer) addOnes(ones []uint32, row uint16) {
	c, word, n := &p.out, uint64(0), 0
	for _, j := range ones {
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

// finish sorts the cold entries by column, and those of a column by row.
func (p *packer) finish() *chunk {
	c := &p.out
	if len(c.val) == 0 {
		c.vend = c.vend[:0]
	}
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
	// Each count is now the end of its column.
	for i := 1; i < p.parts; i++ {
		c.part = append(c.part, p.count[i*partSize-1])
	}
	clear(p.count)
	return c
}
