package datasets

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/apache/thrift/lib/go/thrift"
)

// parquetFile is a Parquet file written by any program.
type parquetFile struct {
	meta    *metadata.FileMetaData
	source  source
	mem     memory.Allocator
	unknown map[int]bool // columns with a logical type unknown to the library
}

// openParquet opens a file. The library panics at an unknown logical type in any column, so these
// types are removed from the footer first.
func openParquet(r source, mem memory.Allocator) (contents, error) {
	footer, err := parquetFooter(r)
	if err != nil {
		return nil, err
	}
	f := &parquetFile{source: r, mem: mem, unknown: map[int]bool{}}
	f.meta, err = f.known(footer)
	if err != nil {
		return nil, fmt.Errorf("its footer: %w", err)
	}
	return f, nil
}

func parquetFooter(r source) (footer []byte, err error) {
	const magic, encrypted = "PAR1", "PARE"
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	var tail [4 + len(magic)]byte // the length of the footer before the magic
	if size < int64(len(magic)+len(tail)) {
		return nil, fmt.Errorf("%d bytes: too short for a parquet file", size)
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return nil, err
	}
	length, end := int64(binary.LittleEndian.Uint32(tail[:])), size-int64(len(tail))
	switch {
	case string(tail[4:]) == encrypted:
		return nil, errors.New("it is encrypted: expected a plain parquet file")
	case string(tail[4:]) != magic || length > end-int64(len(magic)):
		return nil, errors.New("not a parquet file: it does not end as one")
	}
	footer = make([]byte, length)
	_, err = r.ReadAt(footer, end-length)
	return footer, err
}

func (f *parquetFile) describe() (description, error) {
	keyValues := f.meta.KeyValueMetadata()
	d := newDescription(keyValues.Keys(), keyValues.Values())
	for i := range f.meta.Schema.NumColumns() {
		as, err := f.reading(i)
		d.add(strings.Join(f.meta.Schema.Column(i).ColumnPath(), "."), err == nil && as.isText)
	}
	return d, nil
}

// reading returns how to read the i-th column as text.
func (f *parquetFile) reading(i int) (parquetReading, error) {
	if f.unknown[i] {
		return parquetReading{}, refusedType("one that is newer than this program")
	}
	return parquetReadingOf(f.meta.Schema.Column(i))
}

// known reads a footer, removes unknown logical types, and notes their columns.
func (f *parquetFile) known(footer []byte) (*metadata.FileMetaData, error) {
	var all metadata.FileMetaData
	all.FileMetaData = newLike(all.FileMetaData)
	text := thrift.NewTMemoryBuffer()
	text.Write(footer)
	if err := all.FileMetaData.Read(context.Background(), thrift.NewTCompactProtocolConf(text, nil)); err != nil {
		return nil, err
	}
	column, left := 0, int32(0) // left in a group of an unknown type; a group precedes its children
	for _, e := range all.FileMetaData.Schema {
		unknown := e.LogicalType != nil && e.LogicalType.CountSetFieldsLogicalType() == 0
		if unknown {
			e.LogicalType = nil
		}
		if left > 0 {
			left, unknown = left+e.GetNumChildren()-1, true
		} else if unknown {
			left = e.GetNumChildren()
		}
		if e.GetNumChildren() == 0 {
			if unknown {
				f.unknown[column] = true
			}
			column++
		}
	}
	if len(f.unknown) > 0 {
		var known bytes.Buffer
		if _, err := all.WriteTo(&known, nil); err != nil {
			return nil, err
		}
		footer = known.Bytes()
	}
	return metadata.NewFileMetaData(footer, nil)
}

// newLike allocates a value of a type that is internal to the library.
func newLike[T any](*T) *T { return new(T) }

func (f *parquetFile) check(cols []column) error {
	want, err := parquetSchema(cols)
	if err == nil && !f.meta.Schema.Equals(schema.NewSchema(want)) {
		err = errColumns
	}
	return err
}

func (f *parquetFile) groups() iter.Seq2[group, error] {
	return func(yield func(group, error) bool) {
		for g := range f.meta.RowGroups {
			if !yield(parquetGroup{f, g}, nil) {
				return
			}
		}
	}
}

type parquetGroup struct {
	*parquetFile
	number int
}

func (p parquetGroup) rows() int64 { return p.meta.RowGroup(p.number).NumRows() }

// bounds returns those that parquetWriter wrote; files of other programs and older ones may lack
// them.
func (p parquetGroup) bounds(i int, typ columnType) (low, high float64, known bool) {
	s := p.meta.RowGroups[p.number].Columns[i].MetaData.Statistics
	if s == nil {
		return 0, 0, false
	}
	low, known = typ.bound(s.MinValue)
	high, also := typ.bound(s.MaxValue)
	return low, high, known && also
}

// bound decodes a bound of the footer.
func (t columnType) bound(b []byte) (v float64, known bool) {
	switch {
	case t == typeInt64 && len(b) == 8:
		return float64(int64(binary.LittleEndian.Uint64(b))), true
	case t == typeFloat64 && len(b) == 8:
		v = math.Float64frombits(binary.LittleEndian.Uint64(b))
		return v, v == v
	case t == typeBool && len(b) == 1:
		return float64(b[0]), true
	case (t == typeInt32 || t == typeUint8) && len(b) == 4:
		return float64(int32(binary.LittleEndian.Uint32(b))), true
	}
	return 0, false
}

func (p parquetGroup) batches(cols []column, wanted []int) iter.Seq[error] {
	return func(yield func(error) bool) {
		next, err := p.columnReaders(cols, wanted)
		if err != nil {
			yield(err)
			return
		}
		for {
			for k, i := range wanted {
				cols[i].reset()
				err := p.readNamed(&cols[i], func() error { return next[k](&cols[i]) })
				if err != nil {
					yield(err)
					return
				}
			}
			// The last batch is empty: columns that have not ended then differ in length.
			n := cols[wanted[0]].len()
			if !yield(nil) || n == 0 {
				return
			}
		}
	}
}

// columnReaders returns a function for each wanted column that appends its next values, at most
// batchRows.
func (p parquetGroup) columnReaders(cols []column, wanted []int) ([]func(*column) error, error) {
	next := make([]func(*column) error, len(wanted))
	for k, i := range wanted {
		err := p.readNamed(&cols[i], func() (err error) {
			next[k], err = p.column(i, cols[i].typ)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return next, nil
}

// readNamed adds the place to an error of a column, also to a panic of the library.
func (p parquetGroup) readNamed(c *column, read func() error) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("%v; if it is not damaged, write it again with data pages of version 1", panicked)
		}
		if err != nil {
			err = fmt.Errorf("row group %d, column %q: %w", p.number, c.name, err)
		}
	}()
	return read()
}

// column returns a function that appends the next values of a column, at most batchRows.
func (p parquetGroup) column(i int, typ columnType) (func(*column) error, error) {
	about := p.meta.Schema.Column(i)
	var as parquetReading
	var err error
	if typ == typeCell {
		as, err = p.reading(i)
		if err != nil {
			return nil, err
		}
	}
	pages, err := p.pages(i, typ)
	if err != nil {
		return nil, err
	}
	switch chunk := file.NewColumnReader(about, pages, p.mem, nil).(type) {
	case *file.Int64ColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, as.whole, (*column).addInts), nil
	case *file.Int32ColumnChunkReader:
		text := func(v int32) string { return as.whole(int64(v)) }
		return batchesOf(chunk, chunk.ReadBatch, text, (*column).addNarrow), nil
	case *file.Float64ColumnChunkReader:
		text := func(v float64) string { return realText(v, 64) }
		return batchesOf(chunk, chunk.ReadBatch, text, (*column).addFloats), nil
	case *file.Float32ColumnChunkReader:
		text := func(v float32) string { return realText(float64(v), 32) }
		return batchesOf(chunk, chunk.ReadBatch, text, nil), nil
	case *file.BooleanColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, strconv.FormatBool, (*column).addBools), nil
	case *file.ByteArrayColumnChunkReader:
		text := func(v parquet.ByteArray) string { return as.bytes(v) }
		return batchesOf(chunk, chunk.ReadBatch, text, (*column).addTexts), nil
	case *file.FixedLenByteArrayColumnChunkReader:
		text := func(v parquet.FixedLenByteArray) string { return as.bytes(v) }
		return batchesOf(chunk, chunk.ReadBatch, text, nil), nil
	}
	return nil, refusedType(about.PhysicalType().String())
}

func (c *column) addInts(values []int64) error {
	c.ints = append(c.ints, values...)
	return nil
}

func (c *column) addFloats(values []float64) error {
	c.floats = append(c.floats, values...)
	return nil
}

func (c *column) addBools(values []bool) error {
	c.bools = append(c.bools, values...)
	return nil
}

func (c *column) addNarrow(values []int32) error {
	for _, v := range values {
		c.ints = append(c.ints, int64(v))
	}
	return nil
}

func (c *column) addTexts(values []parquet.ByteArray) error {
	for _, text := range values {
		if err := c.addText(string(text)); err != nil {
			return err
		}
	}
	return nil
}

// batchesOf reads a column's values and definition levels, which mark missing values. Cells are
// formatted by text, other columns take all values by add.
func batchesOf[T any](
	chunk file.ColumnChunkReader, read func(int64, []T, []int16, []int16) (int64, int, error),
	text func(T) string, add func(*column, []T) error,
) func(*column) error {
	values := make([]T, batchRows)
	levels := make([]int16, batchRows)
	there := chunk.Descriptor().MaxDefinitionLevel()
	return func(c *column) error {
		for left := int64(batchRows); left > 0 && chunk.HasNext(); {
			total, got, err := read(left, values, levels, nil)
			switch {
			case err != nil:
				return err
			case total <= 0 || got < 0 || total > left:
				return errors.New("it is shorter than its length in the header")
			case c.typ != typeCell:
				err = add(c, values[:got])
			default:
				err = addCells(c, levels[:total], there, values[:got], text)
			}
			if err != nil {
				return err
			}
			left -= total
		}
		return chunk.Err()
	}
}

// addCells adds the texts of values; a lower level than there marks a missing one.
func addCells[T any](c *column, levels []int16, there int16, values []T, text func(T) string) error {
	for _, level := range levels {
		switch {
		case there > 0 && level < there:
			c.texts = append(c.texts, "")
		case len(values) == 0:
			return errors.New("fewer values than its levels count")
		default:
			c.texts, values = append(c.texts, text(values[0])), values[1:]
		}
	}
	return nil
}
