package sparse

import (
	"context"

	"kroo/internal/agreement"
	"kroo/internal/parallel"
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
	// empty. It is called from several goroutines at a time. Labels, weights and values are
	// numbers whose squares can be added up.
	Block(i int, dst *Block)
}

// maxBlockRows is the largest number of rows in a block.
const maxBlockRows = 1 << 16

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

// reset empties the block and keeps its memory.
func (b *Block) reset() {
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

// read fills the block with block i of rows.
func (b *Block) read(rows Rows, i int) {
	b.reset()
	rows.Block(i, b)
}

// clampTo limits a prediction to ±limit; a limit of 0 is none.
func clampTo(pred, limit float64) float64 {
	if limit == 0 {
		return pred
	}
	return max(-limit, min(limit, pred))
}

// Evaluate streams rows and compares what weights (one a column) say of them
// with their labels. Predictions are clamped to ±clamp points, as labels are
// to ±1000; 0 does not clamp. workers is the number of goroutines, 0 one a
// processor; it changes no bit of the result.
func Evaluate(ctx context.Context, rows Rows, weights []float64, clamp float64, workers int) (agreement.Stats, error) {
	workers = parallel.Workers(workers)
	blocks := make([]Block, workers)
	parts := make([]agreement.Sums, rows.Blocks())
	err := parallel.Do(ctx, workers, len(parts), func(_ context.Context, w, i int) error {
		b := &blocks[w]
		b.read(rows, i)
		for r := range b.rows() {
			parts[i].Add(clampTo(b.predict(r, weights), clamp), b.label[r], float64(b.weight[r]))
		}
		return nil
	})
	var all agreement.Sums
	for _, p := range parts {
		all.Merge(p)
	}
	return all.Stats(), err
}

// predict is the product of row r with weights.
func (b *Block) predict(r int, weights []float64) float64 {
	ones, col, val := b.row(r)
	u := 0.0
	for _, j := range ones {
		u += weights[j]
	}
	for k, j := range col {
		u += float64(val[k]) * weights[j]
	}
	return u
}
