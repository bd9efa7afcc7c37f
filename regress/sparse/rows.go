package sparse

import (
	"fmt"
	"math"
)

// Rows are labelled rows that can be read again and again, in blocks that
// never change: every call of Block with the same i must give the same rows.
// Some thousand rows a block are a good size, 65536 the most.
type Rows interface {
	// Columns is the number of columns, and so of weights.
	Columns() int
	// Blocks is the number of blocks.
	Blocks() int
	// Block appends the rows of block i, 0 ≤ i < Blocks(), to dst, which is
	// empty. It is called from several goroutines at a time.
	Block(i int, dst *Block) error
}

// maxBlockRows is the largest number of rows in a block.
const maxBlockRows = 1 << 16

// Limits of labels, weights and values, so that no sum of squares overflows.
const largest = 1e9

// Block is some rows: for each its label, its weight, the columns in which it
// holds 1 and, in a list of their own, the columns with other values. The zero
// value is empty. A column named twice in a row counts twice.
type Block struct {
	label  []float64
	weight []float32
	oneEnd []int // end of row r in ones
	ones   []uint32
	valEnd []int // end of row r in col and val
	col    []uint32
	val    []float32
}

// Reset empties the block and keeps its memory.
func (b *Block) Reset() {
	b.label, b.weight = b.label[:0], b.weight[:0]
	b.oneEnd, b.ones = b.oneEnd[:0], b.ones[:0]
	b.valEnd, b.col, b.val = b.valEnd[:0], b.col[:0], b.val[:0]
}

// rows is the number of whole rows.
func (b *Block) rows() int { return len(b.label) }

// One puts 1 into the given columns of the row that the next EndRow ends.
func (b *Block) One(columns ...uint32) { b.ones = append(b.ones, columns...) }

// Value puts v into a column of the row that the next EndRow ends.
func (b *Block) Value(column uint32, v float32) {
	b.col = append(b.col, column)
	b.val = append(b.val, v)
}

// EndRow ends a row: its label in points, as the side to move sees it, and its
// weight (normally 1; zero or more), which multiplies its loss.
func (b *Block) EndRow(label float64, weight float32) {
	b.label = append(b.label, label)
	b.weight = append(b.weight, weight)
	b.oneEnd = append(b.oneEnd, len(b.ones))
	b.valEnd = append(b.valEnd, len(b.val))
}

// row gives the columns with ones and the columns with values of row r.
func (b *Block) row(r int) (ones, col []uint32, val []float32) {
	o, v := 0, 0
	if r > 0 {
		o, v = b.oneEnd[r-1], b.valEnd[r-1]
	}
	return b.ones[o:b.oneEnd[r]], b.col[v:b.valEnd[r]], b.val[v:b.valEnd[r]]
}

// read fills dst with block i of rows and checks all of it.
func read(rows Rows, columns, i int, dst *Block) error {
	dst.Reset()
	if err := rows.Block(i, dst); err != nil {
		return fmt.Errorf("block %d: %w", i, err)
	}
	if err := dst.check(columns); err != nil {
		return fmt.Errorf("block %d: %w", i, err)
	}
	return nil
}

func (b *Block) check(columns int) error {
	n := b.rows()
	if n > maxBlockRows {
		return fmt.Errorf("%d rows: expected at most %d a block", n, maxBlockRows)
	}
	o, v := 0, 0
	if n > 0 {
		o, v = b.oneEnd[n-1], b.valEnd[n-1]
	}
	if len(b.ones) > o || len(b.val) > v {
		return fmt.Errorf("the last row was not ended: expected EndRow after its columns")
	}
	for r := range n {
		if err := b.checkRow(r, uint32(columns)); err != nil {
			return fmt.Errorf("row %d: %w", r, err)
		}
	}
	return nil
}

func (b *Block) checkRow(r int, columns uint32) error {
	if !(math.Abs(b.label[r]) <= largest) {
		return fmt.Errorf("label is %g: expected -%g to %g points", b.label[r], largest, largest)
	}
	if !(b.weight[r] >= 0 && b.weight[r] <= largest) {
		return fmt.Errorf("weight is %g: expected 0 to %g", b.weight[r], largest)
	}
	ones, col, val := b.row(r)
	for _, c := range ones {
		if c >= columns {
			return fmt.Errorf("column %d: expected 0 to %d", c, columns-1)
		}
	}
	for k, c := range col {
		if c >= columns {
			return fmt.Errorf("column %d: expected 0 to %d", c, columns-1)
		}
		if !(math.Abs(float64(val[k])) <= largest) {
			return fmt.Errorf("value in column %d is %g: expected -%g to %g", c, val[k], largest, largest)
		}
	}
	return nil
}
