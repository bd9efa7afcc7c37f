package datasets

import (
	"encoding/binary"
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

// Snappy, not zstd: the zstd decoder works in goroutines of its own, where a panic cannot be
// caught.
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

// parquetProperties uses a dictionary for columns with few distinct values. Key and board are
// plain, which [Manifest] relies on. The library's statistics are off: it writes a distinct count
// of 0, which other programs believe. parquetWriter writes its own.
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

// parquetWriter writes one row group per chunk, and bounds of its numbers to the footer.
type parquetWriter struct {
	out    *file.Writer
	to     *footerBuffer
	groups [][]metadata.EncodedStatistics // by row group and column
}

// footerBuffer buffers writes once hold is set.
type footerBuffer struct {
	io.Writer
	hold   bool
	footer []byte
}

func (h *footerBuffer) Write(b []byte) (int, error) {
	if !h.hold {
		return h.Writer.Write(b)
	}
	h.footer = append(h.footer, b...)
	return len(b), nil
}

func encodeParquet(w io.Writer, meta []pair, cols []column) (groupWriter, error) {
	root, err := parquetSchema(cols)
	if err != nil {
		return nil, err
	}
	kv := metadata.NewKeyValueMetadata()
	for _, p := range meta {
		if err := kv.Append(p.Key, p.Value); err != nil {
			return nil, err
		}
	}
	to := &footerBuffer{Writer: w}
	return &parquetWriter{out: file.NewParquetWriter(to, root, file.WithWriterProps(parquetProperties()), file.WithWriteMetadata(kv)), to: to}, nil
}

func (p *parquetWriter) write(cols []column) (err error) {
	defer recoverWriter(&err)
	group, bounds := p.out.AppendRowGroup(), make([]metadata.EncodedStatistics, len(cols))
	for i := range cols {
		w, err := group.NextColumn()
		if err != nil {
			return err
		}
		if bounds[i], err = writeParquetColumn(w, &cols[i]); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	p.groups = append(p.groups, bounds)
	return group.Close()
}

func (p *parquetWriter) close() (err error) {
	defer recoverWriter(&err)
	p.to.hold = true
	if err := p.out.Close(); err != nil {
		return err
	}
	const tail = 8 // the length of the footer, and the magic
	end := len(p.to.footer) - tail
	begin := end - int(binary.LittleEndian.Uint32(p.to.footer[end:]))
	meta, err := metadata.NewFileMetaData(p.to.footer[begin:end], nil)
	if err != nil {
		return err
	}
	for g, bounds := range p.groups {
		for i := range bounds {
			if bounds[i].HasMin {
				meta.RowGroups[g].Columns[i].MetaData.Statistics = bounds[i].ToThrift()
			}
		}
	}
	if _, err := p.to.Writer.Write(p.to.footer[:begin]); err != nil {
		return err
	}
	length, err := meta.WriteTo(p.to.Writer, nil)
	if err != nil {
		return err
	}
	_, err = p.to.Writer.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(length)), p.to.footer[end+4:]...))
	return err
}

// bound decodes a bound of the footer.
func (t columnType) bound(b []byte) (v float64, known bool) {
	size := map[columnType]int{typeInt64: 8, typeFloat64: 8, typeInt32: 4, typeUint8: 4, typeBool: 1}[t]
	if size == 0 || len(b) != size {
		return 0, false
	}
	switch t {
	case typeInt64:
		return float64(int64(binary.LittleEndian.Uint64(b))), true
	case typeFloat64:
		v = math.Float64frombits(binary.LittleEndian.Uint64(b))
		return v, v == v
	case typeBool:
		return float64(b[0]), true
	}
	return float64(int32(binary.LittleEndian.Uint32(b))), true
}

// recoverWriter turns panics into errors: the library panics at some write errors.
func recoverWriter(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("parquet writer: %v", p)
	}
}

// writeParquetColumn writes the values and returns the bounds of numbers and booleans.
func writeParquetColumn(w file.ColumnChunkWriter, c *column) (bounds metadata.EncodedStatistics, err error) {
	all := metadata.NewStatistics(w.Descr(), memory.DefaultAllocator)
	switch w := w.(type) {
	case *file.Int64ColumnChunkWriter:
		all.(*metadata.Int64Statistics).Update(c.ints, 0)
		_, err = w.WriteBatch(c.ints, nil, nil)
	case *file.Int32ColumnChunkWriter:
		narrow := make([]int32, len(c.ints))
		for i, v := range c.ints {
			narrow[i] = int32(v)
		}
		all.(*metadata.Int32Statistics).Update(narrow, 0)
		_, err = w.WriteBatch(narrow, nil, nil)
	case *file.Float64ColumnChunkWriter:
		all.(*metadata.Float64Statistics).Update(c.floats, 0)
		_, err = w.WriteBatch(c.floats, nil, nil)
	case *file.BooleanColumnChunkWriter:
		all.(*metadata.BooleanStatistics).Update(c.bools, 0)
		_, err = w.WriteBatch(c.bools, nil, nil)
	case *file.ByteArrayColumnChunkWriter:
		bytes := make([]parquet.ByteArray, len(c.texts))
		for i, s := range c.texts {
			bytes[i] = parquet.ByteArray(s)
		}
		_, err = w.WriteBatch(bytes, nil, nil)
		return bounds, err
	default:
		return bounds, fmt.Errorf("column %q: no writer for %s", c.name, c.typ)
	}
	if err == nil {
		bounds, err = all.Encode()
	}
	bounds.HasDistinctCount = false // it is 0, which other programs believe
	return bounds, err
}

// batchRows is the number of rows read at a time: their columns fit into the L2 cache.
const batchRows = 1 << 12

func (f *parquetFile) groups(meta []pair, cols []column, visit func(group) error) error {
	size, err := f.source.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	keyValues := f.MetaData().KeyValueMetadata()
	if err := checkPairs(pairsOf(keyValues.Keys(), keyValues.Values()), meta); err != nil {
		return err
	}
	want, err := parquetSchema(cols)
	if err != nil {
		return err
	}
	if !f.MetaData().Schema.Equals(schema.NewSchema(want)) {
		return errColumns
	}
	for g := range f.NumRowGroups() {
		if err := visit(parquetGroup{f.source, size, f.MetaData(), g, cols}); err != nil {
			return err
		}
	}
	return nil
}

type parquetGroup struct {
	from   source
	size   int64 // of the file
	meta   *metadata.FileMetaData
	number int
	cols   []column
}

func (p parquetGroup) rows() (int64, bool) { return p.meta.RowGroup(p.number).NumRows(), true }

// bounds returns those that parquetWriter wrote; files of other programs and older ones may lack
// them.
func (p parquetGroup) bounds(i int) (low, high float64, known bool) {
	s := p.meta.RowGroups[p.number].Columns[i].MetaData.Statistics
	if s == nil {
		return 0, 0, false
	}
	low, known = p.cols[i].typ.bound(s.MinValue)
	high, also := p.cols[i].typ.bound(s.MaxValue)
	return low, high, known && also
}

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
			return fmt.Errorf("row group %d continues after %d values, beyond its length", p.number, total)
		}
		if err := each(); err != nil {
			return err
		}
	}
}

// checkChunk refuses metadata that the reader would trust: lengths beyond the file, row counts
// above the limit, and unused codecs.
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

// parquetBatches returns a function that appends the next values of a column, at most batchRows.
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
				return errors.New("it is shorter than its length in the header")
			}
			if err := add(c, values[:n]); err != nil {
				return err
			}
			left -= int64(n)
		}
		return chunk.Err()
	}
}

// WriteTriplets writes the entries of a sparse matrix as Parquet: row and column from 0, and value.
// each calls add once per entry.
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
