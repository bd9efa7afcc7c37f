package regress

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"kroo/internal/parallel"
)

// samples are the rows of a fit. They are read once for its normal equations, and once more for
// each thing that depends on predictions.
type samples interface {
	// pass hands all rows to tallies, one for each group of rows; groups may be read at the same
	// time. Tallies end in the order of the groups, one at a time.
	pass(ctx context.Context, begin func() tally) error
	// most is how many rows there are at most.
	most() int64
}

// tally adds up the rows of a group.
type tally interface {
	add(b *block) error
	end() error
}

// block is some rows, one after the other. It is valid while it is added.
type block struct {
	row func(i int) int64 // number of the i-th row among all, for errors
	x   *mat.Dense        // one row per position, one column per feature
	y   [][]float64       // labels in points: as they are, and as each reading has them
	w   []float64         // rows that each counts for; nil counts each once
	c   []uint64          // cluster of each; nil takes each for one of its own
}

// tallies get the same rows.
type tallies []tally

func (all tallies) add(b *block) (err error) {
	for _, t := range all {
		if err == nil {
			err = t.add(b)
		}
	}
	return err
}

func (all tallies) end() (err error) {
	for _, t := range all {
		if err == nil {
			err = t.end()
		}
	}
	return err
}

// groupRows is the number of rows of a group, and blockOfRows that of a block, in memory.
const (
	groupRows   = 1 << 16
	blockOfRows = 1 << 12
)

func (d data) most() int64 { return int64(len(d.Y)) }

func (d data) pass(ctx context.Context, begin func() tally) error {
	n := len(d.Y)
	groups := (n + groupRows - 1) / groupRows
	tallies := make([]tally, groups)
	err := parallel.Do(ctx, 0, groups, func(_ context.Context, _, g int) error {
		tallies[g] = begin()
		for from := g * groupRows; from < min(n, (g+1)*groupRows); from += blockOfRows {
			if err := tallies[g].add(d.block(from, min(from+blockOfRows, n))); err != nil {
				return err
			}
		}
		return nil
	})
	for _, t := range tallies {
		if err != nil {
			return err
		}
		err = t.end()
	}
	return err
}

// block is some of the rows.
func (d data) block(from, to int) *block {
	b := &block{row: func(i int) int64 { return int64(from + i) }, y: [][]float64{d.Y[from:to]}}
	_, cols := d.X.Dims()
	b.x = d.X.Slice(from, to, 0, cols).(*mat.Dense)
	for _, y := range d.Readings {
		b.y = append(b.y, y[from:to])
	}
	if d.W != nil {
		b.w = d.W[from:to]
	}
	if d.C != nil {
		b.c = d.C[from:to]
	}
	return b
}
