package datasets

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/apache/thrift/lib/go/thrift"
	"github.com/pierrec/lz4/v4"
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

// pages reads the pages of a column of a row group for the library's column reader. The library's
// own reader of pages does not know LZ4_RAW and BYTE_STREAM_SPLIT, fails on a page of nulls only,
// which has no bytes to decompress, and trusts lengths.
type pages struct {
	file.PageReader // nil: its other methods are not used
	about           *schema.Column
	decompress      func(to, from []byte) ([]byte, error) // nil if it is not compressed
	in              *bufio.Reader
	seen, values    int64 // in the pages so far, in the column
	mem             memory.Allocator
	page            file.Page
	err             error
}

// pages begins to read the i-th column of a row group. Readers of our own files know one codec.
func (p parquetGroup) pages(i int, typ columnType) (*pages, error) {
	chunk, err := p.meta.RowGroup(p.number).ColumnChunk(i)
	if err != nil {
		return nil, err
	}
	codec := chunk.Compression()
	switch {
	case chunk.CryptoMetadata() != nil:
		return nil, errors.New("it is encrypted")
	case typ != typeCell && codec != parquetCodec: // see there
		return nil, fmt.Errorf("compressed with %s: expected %s", codec, parquetCodec)
	}
	decompress, err := decompressor(codec)
	if err != nil {
		return nil, err
	}
	start := chunk.DataPageOffset()
	if at := chunk.DictionaryPageOffset(); chunk.HasDictionaryPage() && at > 0 {
		start = min(start, at)
	}
	in := bufio.NewReader(io.NewSectionReader(p.source, start, chunk.TotalCompressedSize()))
	return &pages{
		about:      p.meta.Schema.Column(i),
		decompress: decompress,
		in:         in,
		values:     chunk.NumValues(),
		mem:        p.mem,
	}, nil
}

// A codec and an encoding that the library does not know. BYTE_STREAM_SPLIT has the first bytes of
// all values, then the second ones, and so on.
const (
	lz4Raw          = 7
	byteStreamSplit = 9
)

func decompressor(codec compress.Compression) (func(to, from []byte) ([]byte, error), error) {
	switch codec {
	case compress.Codecs.Uncompressed:
		return nil, nil
	case lz4Raw:
		return func(to, from []byte) ([]byte, error) {
			n, err := lz4.UncompressBlock(from, to)
			return to[:max(0, n)], err
		}, nil
	}
	c, err := compress.GetCodec(codec)
	if err != nil {
		return nil, fmt.Errorf("it is compressed with %s: expected zstd, snappy, gzip, brotli, LZ4_RAW or nothing; "+
			"write it with one of these (in DuckDB, COPY … TO … (COMPRESSION zstd))", codec)
	}
	return func(to, from []byte) ([]byte, error) { return c.Decode(to, from), nil }, nil
}

// Page, Err and Next implement [file.PageReader].
func (p *pages) Page() file.Page { return p.page }
func (p *pages) Err() error      { return p.err }

func (p *pages) Next() bool {
	p.page = nil
	for p.page == nil && p.err == nil && p.seen < p.values {
		if err := p.next(); err != nil {
			p.err = fmt.Errorf("after %d values: %w", p.seen, err)
		}
	}
	return p.page != nil
}

// pageHeader has the numbers of a page's header by field number; for a field of a nested structure,
// 100 times the structure's number is added.
type pageHeader map[int16]int64

// Field numbers and page types from parquet.thrift.
const (
	pageType, pageLength, pageStored              = 1, 2, 3
	dataValues, dataEncoding                      = 501, 502
	dictionaryValues, dictionaryEncoding          = 701, 702
	v2Values, v2Encoding, v2Levels, v2Repetitions = 801, 804, 805, 806
	v2IsCompressed                                = 807

	dataPage, dictionaryPage, dataPageV2 = 0, 2, 3
)

func (h pageHeader) read(in thrift.TProtocol, structure int16) error {
	ctx := context.Background()
	if _, err := in.ReadStructBegin(ctx); err != nil {
		return err
	}
	for {
		_, typ, id, err := in.ReadFieldBegin(ctx)
		if err != nil {
			return err
		}
		is, v := false, int32(0)
		switch {
		case typ == thrift.STOP:
			return in.ReadStructEnd(ctx)
		case typ == thrift.BOOL:
			is, err = in.ReadBool(ctx)
			h[100*structure+id] = int64(number(is))
		case typ == thrift.I32:
			v, err = in.ReadI32(ctx)
			h[100*structure+id] = int64(v)
		case typ == thrift.STRUCT && structure == 0 && id > 0 && id < 100:
			err = h.read(in, id)
		default:
			err = in.Skip(ctx, typ)
		}
		if err == nil && v < 0 {
			err = fmt.Errorf("field %d is %d: expected no negative number", 100*structure+id, v)
		}
		if err != nil {
			return err
		}
	}
}

// next reads a page, skipping pages without values and pages of other types.
func (p *pages) next() error {
	h := pageHeader{v2IsCompressed: 1}
	if err := h.read(thrift.NewTCompactProtocolConf(thrift.NewStreamTransportR(p.in), nil), 0); err != nil {
		return fmt.Errorf("the header of a page: %w", err)
	}
	page, err := p.unpack(h)
	switch {
	case err != nil:
		return err
	case h[pageType] == dictionaryPage:
		encoding := parquet.Encoding(h[dictionaryEncoding])
		p.page = file.NewDictionaryPage(memory.NewBufferBytes(page), int32(h[dictionaryValues]), encoding)
	case h[pageType] == dataPage && (p.about.MaxDefinitionLevel() == 0 || len(page) < 4):
		return p.data(page, h[dataValues], parquet.Encoding(h[dataEncoding]), 0)
	case h[pageType] == dataPage: // the length of the levels precedes them
		levels := int64(binary.LittleEndian.Uint32(page))
		return p.data(page[4:], h[dataValues], parquet.Encoding(h[dataEncoding]), levels)
	case h[pageType] == dataPageV2:
		return p.data(page[h[v2Repetitions]:], h[v2Values], parquet.Encoding(h[v2Encoding]), h[v2Levels])
	}
	return nil
}

// unpack reads and decompresses a page. In version 2, levels are never compressed, and an empty
// page is not either.
func (p *pages) unpack(h pageHeader) ([]byte, error) {
	page := p.mem.Allocate(int(h[pageStored]))
	if _, err := io.ReadFull(p.in, page); err != nil {
		return nil, fmt.Errorf("a page of %d bytes: %w", len(page), err)
	}
	plain, levels := p.decompress == nil, int64(0)
	if h[pageType] == dataPageV2 {
		plain, levels = plain || h[v2IsCompressed] == 0, h[v2Repetitions]+h[v2Levels]
	}
	if levels > min(h[pageStored], h[pageLength]) {
		return nil, fmt.Errorf("levels of %d bytes in a page of %d", levels, len(page))
	}
	if !plain && h[pageStored] > levels {
		whole := p.mem.Allocate(int(h[pageLength]))
		copy(whole, page[:levels])
		values, err := p.decompress(whole[levels:], page[levels:])
		if err != nil {
			return nil, err
		}
		page = append(whole[:levels], values...) // a codec may return other memory
	}
	if int64(len(page)) != h[pageLength] {
		return nil, fmt.Errorf("a page of %d bytes: its header says %d", len(page), h[pageLength])
	}
	return page, nil
}

// data makes a version 2 page of n values after definition levels of the given length in bytes.
func (p *pages) data(page []byte, n int64, encoding parquet.Encoding, levels int64) error {
	if levels > int64(len(page)) {
		return fmt.Errorf("levels of %d bytes in a page of %d", levels, len(page))
	}
	missing := p.about.MaxDefinitionLevel()
	if got := runLengths(page[:levels], bits.Len16(uint16(missing))); missing > 0 && got < n {
		return fmt.Errorf("levels of %d values in a page of %d", got, n) // the library would wait for more
	}
	values := page[levels:]
	switch {
	case len(values) == 0:
		encoding = parquet.Encodings.Plain // an empty page needs no dictionary
	case encoding == byteStreamSplit:
		whole, err := p.joinBytes(values)
		if err != nil {
			return err
		}
		page, encoding = slices.Concat(page[:levels], whole), parquet.Encodings.Plain
	}
	p.seen += n
	if n > 0 {
		buffer := memory.NewBufferBytes(page)
		p.page = file.NewDataPageV2(buffer, int32(n), 0, 0, encoding, int32(levels), 0, int32(len(page)), false)
	}
	return nil
}

// joinBytes puts the bytes of values in the encoding BYTE_STREAM_SPLIT together.
func (p *pages) joinBytes(split []byte) ([]byte, error) {
	width := map[parquet.Type]int{
		parquet.Types.Int32:             4,
		parquet.Types.Float:             4,
		parquet.Types.Int64:             8,
		parquet.Types.Double:            8,
		parquet.Types.FixedLenByteArray: p.about.TypeLength(),
	}[p.about.PhysicalType()]
	if width <= 0 || len(split)%width != 0 {
		return nil, fmt.Errorf("%d bytes of %s in the encoding BYTE_STREAM_SPLIT", len(split), p.about.PhysicalType())
	}
	n, values := len(split)/width, make([]byte, len(split))
	for i := range values {
		values[i] = split[i%width*n+i/width]
	}
	return values, nil
}

// runLengths counts the numbers of the given width in bits in runs. The last bit of a run's length
// is 1 for bit-packed numbers, eight per unit, and 0 for one repeated number.
func runLengths(runs []byte, width int) (n int64) {
	for len(runs) > 0 {
		length, used := binary.Uvarint(runs)
		count, follow := int64(length>>1), int64(width+7)/8
		if used <= 0 || count == 0 || count > math.MaxInt32/8 { // the library stops there
			return n
		}
		if length&1 == 1 {
			count, follow = 8*count, count*int64(width)
		}
		if left := int64(len(runs) - used); follow > left {
			if length&1 == 1 { // some writers leave out the padding
				n += left * 8 / int64(max(1, width))
			}
			return n
		}
		n += count
		runs = runs[int64(used)+follow:]
	}
	return n
}
