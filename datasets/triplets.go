package datasets

import (
	"io"
	"math"
)

// WriteTriplets writes entries of a sparse matrix as Parquet: row and column from 0, and value. each
// calls add with one after the other.
func WriteTriplets(w io.Writer, each func(add func(row, column int64, value float64) error) error) error {
	cols := []column{{name: "row", typ: typeInt64}, {name: "column", typ: typeInt64}, {name: "value", typ: typeFloat64, low: -math.MaxFloat64, high: math.MaxFloat64}}
	out, err := encodeParquet(w, nil, cols)
	if err != nil {
		return err
	}
	return inChunks(out, cols, nil, func(more func() error) error {
		return each(func(row, column int64, value float64) error {
			cols[0].ints, cols[1].ints = append(cols[0].ints, row), append(cols[1].ints, column)
			cols[2].floats = append(cols[2].floats, value)
			return more()
		})
	})
}
