package datasets

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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

// parquetFile is a Parquet file written by any program.
type parquetFile struct {
	meta    *metadata.FileMetaData
	source  source
	size    int64
	unknown map[int]bool // columns with a logical type unknown to the library
}

// openParquet opens a file. The library panics at an unknown logical type in any column, so these
// types are removed from the footer first.
func openParquet(r source, _ memory.Allocator) (contents, error) {
	footer, size, err := parquetFooter(r)
	if err != nil {
		return nil, err
	}
	f := &parquetFile{source: r, size: size, unknown: map[int]bool{}}
	if f.meta, err = f.known(footer); err != nil {
		return nil, fmt.Errorf("its footer: %w", err)
	}
	return f, nil
}

func parquetFooter(r source) (footer []byte, size int64, err error) {
	const magic, encrypted = "PAR1", "PARE"
	if size, err = r.Seek(0, io.SeekEnd); err != nil {
		return nil, 0, err
	}
	var tail [4 + len(magic)]byte // the length of the footer before the magic
	if size < int64(len(magic)+len(tail)) {
		return nil, 0, fmt.Errorf("%d bytes: too short for a parquet file", size)
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return nil, 0, err
	}
	length, end := int64(binary.LittleEndian.Uint32(tail[:])), size-int64(len(tail))
	switch {
	case string(tail[4:]) == encrypted:
		return nil, 0, errors.New("it is encrypted: expected a plain parquet file")
	case string(tail[4:]) != magic || length > end-int64(len(magic)):
		return nil, 0, errors.New("not a parquet file: it does not end as one")
	}
	footer = make([]byte, length)
	_, err = r.ReadAt(footer, end-length)
	return footer, size, err
}

func (f *parquetFile) describe() (d description, err error) {
	keyValues := f.meta.KeyValueMetadata()
	d.Pairs = pairsOf(keyValues.Keys(), keyValues.Values())
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

func (f *parquetFile) check(meta []pair, cols []column) error {
	keyValues := f.meta.KeyValueMetadata()
	if err := checkPairs(pairsOf(keyValues.Keys(), keyValues.Values()), meta); err != nil {
		return err
	}
	want, err := parquetSchema(cols)
	if err == nil && !f.meta.Schema.Equals(schema.NewSchema(want)) {
		err = errColumns
	}
	return err
}

func (f *parquetFile) groups(visit func(group) error) error {
	for g := range f.meta.RowGroups {
		if err := visit(parquetGroup{f, g}); err != nil {
			return err
		}
	}
	return nil
}

type parquetGroup struct {
	*parquetFile
	number int
}

func (p parquetGroup) rows() (int64, bool) { return p.meta.RowGroup(p.number).NumRows(), true }

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

func (p parquetGroup) read(mem memory.Allocator, cols []column, wanted []int, each func() error) error {
	failed := func(i int, err error) error {
		return fmt.Errorf("row group %d, column %q: %w", p.number, cols[i].name, err)
	}
	next := make([]func(*column) error, len(wanted))
	for k, i := range wanted {
		var err error
		if next[k], err = p.column(mem, i, cols[i].typ); err != nil {
			return failed(i, err)
		}
	}
	for {
		for k, i := range wanted {
			cols[i].reset()
			if err := next[k](&cols[i]); err != nil {
				return failed(i, err)
			}
		}
		n := cols[wanted[0]].len()
		if err := each(); err != nil || n == 0 { // columns that have not ended are an error of each
			return err
		}
	}
}

// column returns a function that appends the next values of a column, at most batchRows.
func (p parquetGroup) column(mem memory.Allocator, i int, typ columnType) (func(*column) error, error) {
	about := p.meta.Schema.Column(i)
	var as parquetReading
	var err error
	if typ == typeCell {
		if as, err = p.reading(i); err != nil {
			return nil, err
		}
	}
	pages, err := p.pages(mem, i, typ)
	if err != nil {
		return nil, err
	}
	switch chunk := file.NewColumnReader(about, pages, mem, nil).(type) {
	case *file.Int64ColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, as.whole, func(c *column, v []int64) error { c.ints = append(c.ints, v...); return nil }), nil
	case *file.Int32ColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, func(v int32) string { return as.whole(int64(v)) }, (*column).addNarrow), nil
	case *file.Float64ColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, func(v float64) string { return realText(v, 64) }, func(c *column, v []float64) error { c.floats = append(c.floats, v...); return nil }), nil
	case *file.Float32ColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, func(v float32) string { return realText(float64(v), 32) }, nil), nil
	case *file.BooleanColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, strconv.FormatBool, func(c *column, v []bool) error { c.bools = append(c.bools, v...); return nil }), nil
	case *file.ByteArrayColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, func(v parquet.ByteArray) string { return as.bytes(v) }, addTexts[parquet.ByteArray]), nil
	case *file.FixedLenByteArrayColumnChunkReader:
		return batchesOf(chunk, chunk.ReadBatch, func(v parquet.FixedLenByteArray) string { return as.bytes(v) }, nil), nil
	}
	return nil, refusedType(about.PhysicalType().String())
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

func addTexts[T ~[]byte](c *column, values []T) error {
	for _, text := range values {
		if err := addText(c, text); err != nil {
			return err
		}
	}
	return nil
}

// batchesOf reads a column's values and definition levels, which mark missing values. Cells are
// formatted by text, other columns take all values by add.
func batchesOf[T any](chunk file.ColumnChunkReader, read func(int64, []T, []int16, []int16) (int64, int, error), text func(T) string, add func(*column, []T) error) func(*column) error {
	values, levels := make([]T, batchRows), make([]int16, batchRows)
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
// own page reader does not support LZ4_RAW and BYTE_STREAM_SPLIT, and fails on a page of nulls
// only, which has no bytes to decompress.
type pages struct {
	about      *schema.Column
	codec      compress.Compression
	decompress func(to, from []byte) ([]byte, error)
	in         *bufio.Reader
	left, seen int64 // bytes of the column left at most; values in the pages so far
	values     int64 // of the column
	mem        memory.Allocator
	buffer     []byte // of the page
	page       file.Page
	err        error
}

// pages begins to read the i-th column of a row group.
func (p parquetGroup) pages(mem memory.Allocator, i int, typ columnType) (*pages, error) {
	chunk, err := p.meta.RowGroup(p.number).ColumnChunk(i)
	switch {
	case err != nil:
		return nil, err
	case chunk.CryptoMetadata() != nil:
		return nil, errors.New("it is encrypted")
	case typ != typeCell && chunk.Compression() != parquetCodec: // see there
		return nil, fmt.Errorf("compressed with %s: expected %s", chunk.Compression(), parquetCodec)
	}
	start, length := chunk.DataPageOffset(), chunk.TotalCompressedSize()
	if at := chunk.DictionaryPageOffset(); chunk.HasDictionaryPage() && at > 0 && at < start {
		start = at
	}
	if start < 0 || length < 0 || start > p.size || length > p.size-start {
		return nil, fmt.Errorf("it is at offset %d, %d bytes long, in a file of %d", start, length, p.size)
	}
	all := &pages{about: p.meta.Schema.Column(i), codec: chunk.Compression(), left: length, values: chunk.NumValues(), mem: mem}
	all.in = bufio.NewReader(io.NewSectionReader(p.source, start, length))
	all.decompress, err = decompressor(all.codec)
	return all, err
}

// lz4Raw is a codec unknown to the library.
const lz4Raw = 7

func decompressor(codec compress.Compression) (func(to, from []byte) ([]byte, error), error) {
	switch codec {
	case lz4Raw:
		return func(to, from []byte) ([]byte, error) {
			n, err := lz4.UncompressBlock(from, to)
			return to[:max(0, n)], err
		}, nil
	case compress.Codecs.Lz4, compress.Codecs.Lzo:
		return nil, fmt.Errorf("it is compressed with %s: expected zstd, snappy, gzip, brotli, LZ4_RAW or nothing; write it with one of these (in DuckDB, COPY … TO … (COMPRESSION zstd))", codec)
	}
	c, err := compress.GetCodec(codec)
	if err != nil {
		return nil, err
	}
	return func(to, from []byte) ([]byte, error) { return c.Decode(to, from), nil }, nil
}

// Page, Err, SetMaxPageHeaderSize and Reset implement [file.PageReader].
func (p *pages) Page() file.Page          { return p.page }
func (p *pages) Err() error               { return p.err }
func (p *pages) SetMaxPageHeaderSize(int) {}
func (p *pages) Reset(parquet.BufferedReader, int64, compress.Compression, *file.CryptoContext) {
	p.page, p.err = nil, errors.New("a reader of pages reads one column")
}

// Next implements [file.PageReader].
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
	dataValues, dataEncoding, dataLevels          = 501, 502, 503
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
			if is, err = in.ReadBool(ctx); is {
				v = 1
			}
		case typ == thrift.I32:
			v, err = in.ReadI32(ctx)
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
		if typ == thrift.BOOL || typ == thrift.I32 {
			h[100*structure+id] = int64(v)
		}
	}
}

// next reads a page, skipping pages without values and pages of other types.
func (p *pages) next() error {
	h := pageHeader{v2IsCompressed: 1}
	if err := h.read(thrift.NewTCompactProtocolConf(thrift.NewStreamTransportR(p.in), nil), 0); err != nil {
		return fmt.Errorf("the header of a page: %w", err)
	}
	if h[pageStored] > p.left {
		return fmt.Errorf("a page of %d bytes in a column of %d", h[pageStored], p.left)
	}
	p.left -= h[pageStored]
	stored := make([]byte, h[pageStored])
	if _, err := io.ReadFull(p.in, stored); err != nil {
		return fmt.Errorf("a page of %d bytes: %w", len(stored), err)
	}
	p.mem.Free(p.buffer)
	p.buffer = p.mem.Allocate(int(h[pageLength]))
	page, err := p.unpacked(h, stored)
	switch {
	case err != nil:
		return err
	case h[pageType] == dictionaryPage:
		p.page = file.NewDictionaryPage(memory.NewBufferBytes(page), int32(h[dictionaryValues]), parquet.Encoding(h[dictionaryEncoding]))
	case h[pageType] == dataPage:
		return p.data(page, h[dataValues], parquet.Encoding(h[dataEncoding]), -1)
	case h[pageType] == dataPageV2:
		return p.data(page[h[v2Repetitions]:], h[v2Values], parquet.Encoding(h[v2Encoding]), h[v2Levels])
	}
	return nil
}

// unpacked decompresses a page. In version 2, levels are never compressed, and an empty page is not
// either.
func (p *pages) unpacked(h pageHeader, stored []byte) ([]byte, error) {
	plain, levels := p.codec == compress.Codecs.Uncompressed, int64(0)
	if h[pageType] == dataPageV2 {
		plain, levels = plain || h[v2IsCompressed] == 0, h[v2Repetitions]+h[v2Levels]
	}
	if levels > int64(min(len(stored), len(p.buffer))) {
		return nil, fmt.Errorf("levels of %d bytes in a page of %d", levels, len(stored))
	}
	page := stored
	if !plain && int64(len(stored)) > levels {
		values, err := p.decompress(p.buffer[levels:], stored[levels:])
		if err != nil {
			return nil, err
		}
		page = append(p.buffer[:copy(p.buffer, stored[:levels])], values...)
	}
	if len(page) != len(p.buffer) {
		return nil, fmt.Errorf("a page of %d bytes: its header says %d", len(page), len(p.buffer))
	}
	return page, nil
}

// data makes a version 2 page of n values after definition levels of the given length in bytes. A
// negative length means a prefix contains it, as in version 1.
func (p *pages) data(page []byte, n int64, encoding parquet.Encoding, levels int64) error {
	missing := p.about.MaxDefinitionLevel()
	if levels < 0 {
		levels = 0
		if missing > 0 && len(page) >= 4 {
			levels, page = int64(binary.LittleEndian.Uint32(page)), page[4:]
		}
	}
	if levels > int64(len(page)) {
		return fmt.Errorf("levels of %d bytes in a page of %d", levels, len(page))
	}
	if got := runLengths(page[:levels], bits.Len16(uint16(missing))); missing > 0 && got < n {
		return fmt.Errorf("levels of %d values in a page of %d", got, n) // the library would wait for more
	}
	values := page[levels:]
	switch {
	case len(values) == 0:
		encoding = parquet.Encodings.Plain // an empty page needs no dictionary
	case encoding == byteStreamSplit:
		whole, err := p.joined(values)
		if err != nil {
			return err
		}
		page, encoding = slices.Concat(page[:levels], whole), parquet.Encodings.Plain
	}
	if p.seen += n; n > 0 {
		p.page = file.NewDataPageV2(memory.NewBufferBytes(page), int32(n), 0, 0, encoding, int32(levels), 0, int32(len(page)), false)
	}
	return nil
}

// byteStreamSplit is an encoding unknown to the library: the first bytes of all values, then the
// second ones, and so on.
const byteStreamSplit = 9

// joined puts the bytes of values together.
func (p *pages) joined(split []byte) ([]byte, error) {
	width := map[parquet.Type]int{parquet.Types.Int32: 4, parquet.Types.Float: 4, parquet.Types.Int64: 8, parquet.Types.Double: 8,
		parquet.Types.FixedLenByteArray: p.about.TypeLength()}[p.about.PhysicalType()]
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
		if used <= 0 || length > math.MaxInt32 {
			return n
		}
		count, follow := int64(length>>1), int64(width+7)/8
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
