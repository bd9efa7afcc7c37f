package sparse

import (
	"context"

	"kroo/internal/agreement"
	"kroo/internal/parallel"
)

// Rows are labelled rows, in blocks that can be read repeatedly: every call of Block with the same
// i must give the same rows. Blocks have at most 65536 rows; some thousand are a good size.
type Rows interface {
	// Columns returns the number of columns, and so of weights.
	Columns() int
	// Blocks returns the number of blocks.
	Blocks() int
	// Block appends the rows of block i, 0 ≤ i < Blocks(), to dst, which is empty. It must be safe
	// for concurrent use. Squares of labels, weights and values must not overflow.
	Block(i int, dst *Block)
}

// maxBlockRows is the largest number of rows in a block.
const maxBlockRows = 1 << 16

// Block is a sequence of rows: for each its label, its weight, the columns with value 1 and, in a
// separate list, the columns with other values. The zero value is empty. A column listed twice in a
// row counts twice.
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

// rows returns the number of complete rows.
func (b *Block) rows() int { return len(b.label) }

// One sets the given columns to 1 in the row that the next EndRow ends.
func (b *Block) One(columns ...uint32) { b.ones = append(b.ones, columns...) }

// Value sets a column to v in the row that the next EndRow ends.
func (b *Block) Value(column uint32, v float32) {
	b.col = append(b.col, column)
	b.val = append(b.val, v)
}

// EndRow ends a row. The label is in points, for the side to move; the weight (normally 1; zero or
// more) multiplies the row's loss.
func (b *Block) EndRow(label float64, weight float32) {
	b.label = append(b.label, label)
	b.weight = append(b.weight, weight)
	b.oneEnd = append(b.oneEnd, len(b.ones))
	b.valEnd = append(b.valEnd, len(b.val))
}

// row returns the columns with ones, and the columns and values of the others, in row r.
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

// clampTo limits a prediction to ±limit; 0 means no limit.
func clampTo(pred, limit float64) float64 {
	if limit == 0 {
		return pred
	}
	return max(-limit, min(limit, pred))
}

// Evaluate streams rows and compares the predictions of weights (one per column) with the labels.
// Predictions are clamped to ±clamp points, as labels are to ±1000; 0 means no clamping. workers is
// the number of goroutines, 0 means one per processor; it does not affect the result.
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

// predict returns the product of row r with the weights.
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
