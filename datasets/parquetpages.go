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

func (p *pages) Err() error { return p.err }

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
