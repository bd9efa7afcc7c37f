package sparse

import "slices"

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

// tightBytes returns the memory that clip allocates.
func (c *chunk) tightBytes() int64 {
	return 8*int64(len(c.hot)) + 4*int64(len(c.end)+len(c.cold)+len(c.part)+len(c.val)+len(c.col)+len(c.vend))
}

// clip copies the chunk into slices of exact capacity.
func (c *chunk) clip() *chunk {
	d := *c
	d.hot, d.end, d.cold, d.part = slices.Clone(c.hot), slices.Clone(c.end), slices.Clone(c.cold), slices.Clone(c.part)
	d.val, d.col, d.vend = slices.Clone(c.val), slices.Clone(c.col), slices.Clone(c.vend)
	return &d
}

// packer turns blocks into chunks. It is not safe for concurrent use.
type packer struct {
	slots []int32 // slot of each column, -1 if it has none
	parts int     // parts of the vectors
	block Block
	out   chunk
	cold  []coldEntry
	count []uint32 // cold entries by column; zero between uses
}

type coldEntry struct {
	slot uint32
	row  uint16
}

func newPacker(slots []int32, parts int) *packer {
	return &packer{slots: slots, parts: parts, count: make([]uint32, (parts-1)*partSize+1)}
}

// begin starts a chunk at the given row.
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

// finish sorts the cold entries by column and, within a column, by row.
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
	// Each count is now the end of its column's entries.
	for i := 1; i < p.parts; i++ {
		c.part = append(c.part, p.count[i*partSize-1])
	}
	clear(p.count)
	return c
}
