package datasets

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/apache/thrift/lib/go/thrift"
	"github.com/pierrec/lz4/v4"
)

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

// column reads the i-th column of a row group.
func (f *parquetFile) column(group *file.RowGroupReader, i int) (file.ColumnChunkReader, error) {
	chunk, err := group.MetaData().ColumnChunk(i)
	if err != nil {
		return nil, err
	}
	if chunk.CryptoMetadata() != nil {
		return nil, errors.New("it is encrypted")
	}
	start, length := chunk.DataPageOffset(), chunk.TotalCompressedSize()
	if at := chunk.DictionaryPageOffset(); chunk.HasDictionaryPage() && at > 0 && at < start {
		start = at
	}
	size, err := f.source.Seek(0, io.SeekEnd)
	if err == nil && (start < 0 || length < 0 || start > size || length > size-start) {
		err = fmt.Errorf("it is at offset %d, %d bytes long, in a file of %d", start, length, size)
	}
	if err != nil {
		return nil, err
	}
	p := &pages{about: f.MetaData().Schema.Column(i), codec: chunk.Compression(), left: length, values: chunk.NumValues(), mem: f.mem}
	p.in = bufio.NewReader(io.NewSectionReader(f.source, start, length))
	if p.decompress, err = decompressor(p.codec); err != nil {
		return nil, err
	}
	return file.NewColumnReader(p.about, p, f.mem, nil), nil
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
