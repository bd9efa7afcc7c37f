package datasets

import (
	"cmp"
	"io"
	"iter"
	"math"
)

// Triplet is an entry of a sparse matrix: row and column from 0, and value.
type Triplet struct {
	Row, Column int64
	Value       float64
}

// WriteTriplets writes the entries of a sparse matrix as Parquet, and returns their number.
func WriteTriplets(w io.Writer, entries iter.Seq2[Triplet, error]) (n int64, err error) {
	cols := []column{
		newColumn("row", typeInt64, 0, math.Inf(1), ""),
		newColumn("column", typeInt64, 0, math.Inf(1), ""),
		newColumn("value", typeFloat64, -math.MaxFloat64, math.MaxFloat64, ""),
	}
	out, err := encodeParquet(w, nil, cols)
	if err != nil {
		return 0, err
	}
	chunks := newTableWriter(out, cols)
	for e, failed := range entries {
		err = failed
		if err == nil {
			cols[0].ints = append(cols[0].ints, e.Row)
			cols[1].ints = append(cols[1].ints, e.Column)
			cols[2].floats = append(cols[2].floats, e.Value)
			n++
			err = chunks.flushIfFull()
		}
		if err != nil {
			break
		}
	}
	return n, cmp.Or(err, chunks.close())
}
