package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"io"

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

func decodeParquet(r source, mem memory.Allocator, meta []pair, cols []column, each func([]column) error) error {
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
		resetAll(cols)
		group := in.RowGroup(g)
		for i := range cols {
			if err := checkChunk(group, i, size); err != nil {
				return fmt.Errorf("row group %d, column %q: %w", g, cols[i].name, err)
			}
			chunk, err := group.Column(i)
			if err == nil {
				err = readParquetColumn(chunk, &cols[i])
			}
			if err != nil {
				return fmt.Errorf("row group %d, column %q: %w", g, cols[i].name, err)
			}
		}
		if err := each(cols); err != nil {
			return err
		}
	}
	return nil
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

func readParquetColumn(chunk file.ColumnChunkReader, c *column) (err error) {
	switch chunk := chunk.(type) {
	case *file.Int64ColumnChunkReader:
		err = readBatches(chunk.ReadBatch, chunk.HasNext, func(v int64) { c.ints = append(c.ints, v) })
	case *file.Int32ColumnChunkReader:
		err = readBatches(chunk.ReadBatch, chunk.HasNext, func(v int32) { c.ints = append(c.ints, int64(v)) })
	case *file.Float64ColumnChunkReader:
		err = readBatches(chunk.ReadBatch, chunk.HasNext, func(v float64) { c.floats = append(c.floats, v) })
	case *file.BooleanColumnChunkReader:
		err = readBatches(chunk.ReadBatch, chunk.HasNext, func(v bool) { c.bools = append(c.bools, v) })
	case *file.ByteArrayColumnChunkReader:
		var bad error
		err = readBatches(chunk.ReadBatch, chunk.HasNext, func(v parquet.ByteArray) { bad = cmp.Or(bad, addText(c, v)) })
		err = cmp.Or(err, bad)
	default:
		return fmt.Errorf("no reader for %s", c.typ)
	}
	if err == nil {
		err = chunk.Err()
	}
	if err == nil && c.typ == typeUint8 {
		err = checkBytes(c.ints)
	}
	return err
}

// readBatches takes all values of a column chunk, at most chunkRows of them.
func readBatches[T any](read func(int64, []T, []int16, []int16) (int64, int, error), more func() bool, take func(T)) error {
	var values [1024]T
	for total := 0; more(); {
		_, n, err := read(int64(len(values)), values[:], nil, nil)
		if err != nil {
			return err
		}
		if total += n; n <= 0 || total > chunkRows {
			return fmt.Errorf("ends or goes on after %d values, not where its length says", total)
		}
		for _, v := range values[:n] {
			take(v)
		}
	}
	return nil
}

func checkBytes(values []int64) error {
	for i, v := range values {
		if v < 0 || v > 255 {
			return fmt.Errorf("value %d is %d: expected 0 to 255", i, v)
		}
	}
	return nil
}

var errMeta = errors.New("the meta in the file is not the one in its manifest")
