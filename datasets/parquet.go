package datasets

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// Snappy, not zstd: the zstd decoder works in goroutines of its own, where a
// panic cannot be caught.
var parquetCodec = compress.Codecs.Snappy

var parquetTypes = map[columnType]struct {
	physical parquet.Type
	logical  schema.LogicalType
}{
	typeInt64:   {parquet.Types.Int64, schema.NewIntLogicalType(64, true)},
	typeInt32:   {parquet.Types.Int32, schema.NewIntLogicalType(32, true)},
	typeUint8:   {parquet.Types.Int32, schema.NewIntLogicalType(8, false)},
	typeFloat64: {parquet.Types.Double, nil},
	typeBool:    {parquet.Types.Boolean, nil},
	typeText:    {parquet.Types.ByteArray, schema.StringLogicalType{}},
}

func parquetSchema(cols []column) (*schema.GroupNode, error) {
	fields := make(schema.FieldList, len(cols))
	for i, c := range cols {
		t := parquetTypes[c.typ]
		node, err := schema.NewPrimitiveNodeLogical(c.name, parquet.Repetitions.Required, t.logical, t.physical, -1, -1)
		if err != nil {
			return nil, err
		}
		fields[i] = node
	}
	return schema.NewGroupNode("kroo", parquet.Repetitions.Required, fields, -1)
}

// parquetProperties: a dictionary pays where values are few. Key and board are
// stored plainly, which [Manifest] counts on. No statistics: the library writes that columns have
// 0 distinct values, which other programs believe.
func parquetProperties() *parquet.WriterProperties {
	return parquet.NewWriterProperties(
		parquet.WithCompression(parquetCodec),
		parquet.WithDictionaryDefault(true),
		parquet.WithDictionaryFor("key", false),
		parquet.WithDictionaryFor("board", false),
		parquet.WithStats(false),
		parquet.WithCreatedBy("kroo"),
	)
}

// parquetWriter writes a row group a chunk.
type parquetWriter struct{ out *file.Writer }

func encodeParquet(w io.Writer, meta []pair, cols []column) (groupWriter, error) {
	root, err := parquetSchema(cols)
	if err != nil {
		return nil, err
	}
	kv := metadata.NewKeyValueMetadata()
	for _, p := range meta {
		if err := kv.Append(p.key, p.value); err != nil {
			return nil, err
		}
	}
	return parquetWriter{file.NewParquetWriter(w, root, file.WithWriterProps(parquetProperties()), file.WithWriteMetadata(kv))}, nil
}

func (p parquetWriter) write(cols []column) (err error) {
	defer recoverWriter(&err)
	return writeGroup(p.out.AppendRowGroup(), cols)
}

func (p parquetWriter) close() (err error) {
	defer recoverWriter(&err)
	return p.out.Close()
}

// recoverWriter makes errors of panics: so the library answers some write errors.
func recoverWriter(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("parquet writer: %v", p)
	}
}

func writeGroup(group file.SerialRowGroupWriter, cols []column) error {
	for i := range cols {
		w, err := group.NextColumn()
		if err != nil {
			return err
		}
		if err := writeParquetColumn(w, &cols[i]); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	return group.Close()
}

func writeParquetColumn(w file.ColumnChunkWriter, c *column) (err error) {
	switch w := w.(type) {
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(c.ints, nil, nil)
	case *file.Int32ColumnChunkWriter:
		narrow := make([]int32, len(c.ints))
		for i, v := range c.ints {
			narrow[i] = int32(v)
		}
		_, err = w.WriteBatch(narrow, nil, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(c.floats, nil, nil)
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(c.bools, nil, nil)
	case *file.ByteArrayColumnChunkWriter:
		bytes := make([]parquet.ByteArray, len(c.texts))
		for i, s := range c.texts {
			bytes[i] = parquet.ByteArray(s)
		}
		_, err = w.WriteBatch(bytes, nil, nil)
	default:
		err = fmt.Errorf("column %q: no writer for %s", c.name, c.typ)
	}
	return err
}

// batchRows is how many rows are read at a time: their columns stay in the second cache.
const batchRows = 1 << 12

func groupsOfParquet(r source, mem memory.Allocator, meta []pair, cols []column, ask func(group) error) error {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	// The reader is not closed: that would close r, which is the caller's.
	in, err := file.NewParquetReader(r, file.WithReadProps(parquet.NewReaderProperties(mem)))
	if err != nil {
		return err
	}
	if err := checkParquetSchema(in.MetaData(), meta, cols); err != nil {
		return err
	}
	for g := range in.NumRowGroups() {
		if err := ask(parquetGroup{r, size, in.MetaData(), g}); err != nil {
			return err
		}
	}
	return nil
}

// parquetGroup is a row group.
type parquetGroup struct {
	from   source
	size   int64 // of the file
	meta   *metadata.FileMetaData
	number int
}

func (p parquetGroup) rows() (int64, bool) { return p.meta.RowGroup(p.number).NumRows(), true }

func (parquetGroup) bounds(int) (low, high float64, known bool) { return 0, 0, false }

func (p parquetGroup) read(mem memory.Allocator, cols []column, wanted []int, each func() error) error {
	in, err := file.NewParquetReader(p.from, file.WithMetadata(p.meta), file.WithReadProps(parquet.NewReaderProperties(mem)))
	if err != nil {
		return err
	}
	g := in.RowGroup(p.number)
	failed := func(i int, err error) error {
		return fmt.Errorf("row group %d, column %q: %w", p.number, cols[i].name, err)
	}
	chunks := make([]func(*column) error, len(wanted))
	for k, i := range wanted {
		err := checkChunk(g, i, p.size)
		var chunk file.ColumnChunkReader
		if err == nil {
			chunk, err = g.Column(i)
		}
		if err == nil {
			chunks[k], err = parquetBatches(chunk, cols[i].typ)
		}
		if err != nil {
			return failed(i, err)
		}
	}
	for total := 0; ; {
		for k, i := range wanted {
			cols[i].reset()
			if err := chunks[k](&cols[i]); err != nil {
				return failed(i, err)
			}
		}
		n := cols[wanted[0]].len()
		if total += n; n == 0 {
			return each() // for columns that have not ended
		}
		if total > chunkRows {
			return fmt.Errorf("row group %d goes on after %d values, not where its length says", p.number, total)
		}
		if err := each(); err != nil {
			return err
		}
	}
}

func checkParquetSchema(m *metadata.FileMetaData, meta []pair, cols []column) error {
	found := m.KeyValueMetadata()
	for _, p := range meta {
		if got := found.FindValue(p.key); got == nil || *got != p.value {
			return errMeta
		}
	}
	want, err := parquetSchema(cols)
	if err != nil {
		return err
	}
	if !m.Schema.Equals(schema.NewSchema(want)) {
		return errors.New("its columns are not those its meta calls for")
	}
	return nil
}

// checkChunk refuses what the reader would trust: lengths beyond the file, row
// counts beyond what this package writes, and codecs it does not use.
func checkChunk(group *file.RowGroupReader, i int, size int64) error {
	m, err := group.MetaData().ColumnChunk(i)
	if err != nil {
		return err
	}
	if n := m.TotalCompressedSize(); n < 0 || n > size {
		return fmt.Errorf("%d bytes long in a file of %d", n, size)
	}
	if n := m.NumValues(); n < 0 || n > chunkRows {
		return fmt.Errorf("%d values: at most %d", n, chunkRows)
	}
	if m.Compression() != parquetCodec {
		return fmt.Errorf("compressed with %s: expected %s", m.Compression(), parquetCodec)
	}
	return nil
}

// parquetBatches returns what appends the next values of a column, batchRows or all that are left.
func parquetBatches(chunk file.ColumnChunkReader, typ columnType) (func(*column) error, error) {
	switch chunk := chunk.(type) {
	case *file.Int64ColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, func(c *column, v []int64) error { c.ints = append(c.ints, v...); return nil }), nil
	case *file.Int32ColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, func(c *column, v []int32) error { return c.addNarrow(v) }), nil
	case *file.Float64ColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, func(c *column, v []float64) error { c.floats = append(c.floats, v...); return nil }), nil
	case *file.BooleanColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, func(c *column, v []bool) error { c.bools = append(c.bools, v...); return nil }), nil
	case *file.ByteArrayColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, func(c *column, v []parquet.ByteArray) error {
			for _, text := range v {
				if err := addText(c, text); err != nil {
					return err
				}
			}
			return nil
		}), nil
	}
	return nil, fmt.Errorf("no reader for %s", typ)
}

func (c *column) addNarrow(values []int32) error {
	for i, v := range values {
		if c.typ == typeUint8 && uint32(v) > math.MaxUint8 {
			return fmt.Errorf("value %d is %d: expected 0 to 255", len(c.ints), values[i])
		}
		c.ints = append(c.ints, int64(v))
	}
	return nil
}

func batchesOf[T any](chunk file.ColumnChunkReader, read func(int64, []T, []int16, []int16) (int64, int, error), add func(*column, []T) error) func(*column) error {
	values := make([]T, batchRows)
	return func(c *column) error {
		for left := int64(batchRows); left > 0 && chunk.HasNext(); {
			_, n, err := read(left, values, nil, nil)
			if err != nil {
				return err
			}
			if n <= 0 {
				return errors.New("it ends before its length says")
			}
			if err := add(c, values[:n]); err != nil {
				return err
			}
			left -= int64(n)
		}
		return chunk.Err()
	}
}

var errMeta = errors.New("the meta in the file is not the one in its manifest")
