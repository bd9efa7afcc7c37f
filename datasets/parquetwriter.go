package datasets

import (
	"encoding/binary"
	"fmt"
	"io"

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
		if err := kv.Append(p.key, p.value); err != nil {
			return nil, err
		}
	}
	to := &footerBuffer{Writer: w}
	out := file.NewParquetWriter(to, root, file.WithWriterProps(parquetProperties()), file.WithWriteMetadata(kv))
	return &parquetWriter{out: out, to: to}, nil
}

func (p *parquetWriter) write(cols []column) (err error) {
	defer recoverWriter(&err)
	group, bounds := p.out.AppendRowGroup(), make([]metadata.EncodedStatistics, len(cols))
	for i := range cols {
		w, err := group.NextColumn()
		if err != nil {
			return err
		}
		bounds[i], err = writeParquetColumn(w, &cols[i])
		if err != nil {
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
	}
	if err == nil {
		bounds, err = all.Encode()
	}
	bounds.HasDistinctCount = false // it is 0, which other programs believe
	return bounds, err
}
