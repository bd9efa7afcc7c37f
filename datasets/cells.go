package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// placesOf finds columns by name.
func placesOf(in, names []string) ([]int, error) {
	places := make([]int, len(names))
	for i, name := range names {
		if places[i] = slices.Index(in, name); places[i] < 0 {
			return nil, fmt.Errorf("there is no column %q: it has %.200s", name, strings.Join(in, ", "))
		}
	}
	return places, nil
}

func (in csvFile) cells(names []string, each eachCells) error {
	places, err := placesOf(in.head, names)
	if err != nil {
		return err
	}
	cells := make([]string, len(names))
	for {
		row, err := in.Read()
		line, err := lineOf(in.Reader, err)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if len(row) != len(in.head) {
			if err := each(fmt.Sprintf(":%d", line), nil); err != nil {
				return err
			}
			continue
		}
		for i, at := range places {
			cells[i] = strings.TrimSpace(row[at])
			if cells[i] == "?" || cells[i] == "NA" { // R's missing value
				cells[i] = ""
			}
		}
		if err := each(fmt.Sprintf(":%d", line), cells); err != nil {
			return err
		}
	}
}

func (in arrowFile) cells(names []string, each eachCells) error {
	places, err := placesOf(arrowNames(in.Schema()), names)
	if err != nil {
		return err
	}
	readings := make([]arrowReading, len(places))
	for i, at := range places {
		if readings[i], err = arrowReadingOf(in.Schema().Field(at)); err != nil {
			return fmt.Errorf("column %q: %w", names[i], err)
		}
	}
	cells, row := make([]string, len(names)), int64(0)
	return in.eachRecord(func(_ int, rec arrow.Record) error {
		if err := checkRows(in.source, row+rec.NumRows()); err != nil {
			return err
		}
		for i := range int(rec.NumRows()) {
			for c, at := range places {
				if column := rec.Column(at); column.IsNull(i) {
					cells[c] = ""
				} else {
					cells[c] = readings[c].text(column, i)
				}
			}
			if err := each(fmt.Sprintf(": row %d", row), cells); err != nil {
				return err
			}
			row++
		}
		return nil
	})
}

func arrowNames(s *arrow.Schema) []string {
	names := make([]string, s.NumFields())
	for i, f := range s.Fields() {
		names[i] = f.Name
	}
	return names
}

func (f *parquetFile) cells(names []string, each eachCells) error {
	if err := checkRows(f.source, f.NumRows()); err != nil {
		return err
	}
	root := f.MetaData().Schema
	places, err := placesOf(parquetNames(root), names)
	if err != nil {
		return err
	}
	readings := make([]parquetReading, len(places))
	for i, at := range places {
		if readings[i], err = f.reading(at); err != nil {
			return fmt.Errorf("column %q: %w", names[i], err)
		}
	}
	first := int64(0)
	for g := range f.NumRowGroups() {
		group := f.RowGroup(g)
		columns := make([]func(int) ([]string, error), len(places))
		for i, at := range places {
			chunk, err := f.column(group, at)
			if err == nil {
				columns[i], err = parquetTexts(chunk, readings[i])
			}
			if err != nil {
				return fmt.Errorf("row group %d, column %q: %w", g, names[i], err)
			}
		}
		rows := min(group.NumRows(), f.NumRows()-first)
		if err := eachOfGroup(columns, names, rows, first, each); err != nil {
			return err
		}
		first += rows
	}
	return nil
}

// parquetNames returns the names of the leaf columns, prefixed by those of their groups.
func parquetNames(root *schema.Schema) []string {
	names := make([]string, root.NumColumns())
	for i := range names {
		names[i] = strings.Join(root.Column(i).ColumnPath(), ".")
	}
	return names
}

// maxRowsPerByte exceeds what any table of boards needs, however repetitive. A hostile file can
// claim endless repetitions of a value in a few bytes.
const maxRowsPerByte = 16

// checkRows refuses more rows than a file of its size can have.
func checkRows(r source, rows int64) error {
	size, err := r.Seek(0, io.SeekEnd)
	if err == nil && (rows < 0 || rows > maxRowsPerByte*size) {
		err = fmt.Errorf("%d rows in %d bytes: too few bytes for that many different positions", rows, size)
	}
	return err
}

// cellBatch is the number of rows of a Parquet file read at a time.
const cellBatch = 1024

// eachOfGroup passes on the rows of a row group; first is the number of its first row.
func eachOfGroup(columns []func(int) ([]string, error), names []string, rows, first int64, each eachCells) error {
	cells, texts := make([]string, len(columns)), make([][]string, len(columns))
	for from := int64(0); from < rows; from += cellBatch {
		n := int(min(cellBatch, rows-from))
		for c, next := range columns {
			var err error
			if texts[c], err = next(n); err != nil {
				return fmt.Errorf("row %d, column %q: %w", first+from, names[c], err)
			}
		}
		for i := range n {
			for c := range cells {
				cells[c] = texts[c][i]
			}
			if err := each(fmt.Sprintf(": row %d", first+from+int64(i)), cells); err != nil {
				return err
			}
		}
	}
	return nil
}

// parquetTexts returns a function that reads the next n values of a column as text.
func parquetTexts(chunk file.ColumnChunkReader, as parquetReading) (func(n int) ([]string, error), error) {
	switch chunk := chunk.(type) {
	case *file.Int64ColumnChunkReader:
		return textsOf(chunk, chunk.ReadBatch, as.whole), nil
	case *file.Int32ColumnChunkReader:
		return textsOf(chunk, chunk.ReadBatch, func(v int32) string { return as.whole(int64(v)) }), nil
	case *file.Float64ColumnChunkReader:
		return textsOf(chunk, chunk.ReadBatch, func(v float64) string { return realText(v, 64) }), nil
	case *file.Float32ColumnChunkReader:
		return textsOf(chunk, chunk.ReadBatch, func(v float32) string { return realText(float64(v), 32) }), nil
	case *file.BooleanColumnChunkReader:
		return textsOf(chunk, chunk.ReadBatch, strconv.FormatBool), nil
	case *file.ByteArrayColumnChunkReader:
		return textsOf(chunk, chunk.ReadBatch, func(v parquet.ByteArray) string { return as.bytes(v) }), nil
	case *file.FixedLenByteArrayColumnChunkReader:
		return textsOf(chunk, chunk.ReadBatch, func(v parquet.FixedLenByteArray) string { return as.bytes(v) }), nil
	}
	return nil, refusedType(chunk.Type().String())
}

// textsOf reads a column's values and definition levels, which mark missing values.
func textsOf[T any](chunk file.ColumnChunkReader, read func(int64, []T, []int16, []int16) (int64, int, error), text func(T) string) func(int) ([]string, error) {
	values, levels := make([]T, cellBatch), make([]int16, cellBatch)
	there := chunk.Descriptor().MaxDefinitionLevel()
	texts := make([]string, 0, cellBatch)
	return func(n int) ([]string, error) {
		texts = texts[:0]
		for len(texts) < n {
			total, got, err := read(int64(n-len(texts)), values, levels, nil)
			if err != nil {
				return nil, err
			}
			if total <= 0 || got < 0 || total > int64(n-len(texts)) {
				return nil, cmp.Or(chunk.Err(), errors.New("it ends before the rows do"))
			}
			next := 0
			for i := range total {
				switch {
				case there > 0 && levels[i] < there:
					texts = append(texts, "")
				case next == got:
					return nil, errors.New("fewer values than its levels count")
				default:
					texts = append(texts, text(values[next]))
					next++
				}
			}
		}
		return texts, nil
	}
}
