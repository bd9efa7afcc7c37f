package datasets

import (
	"bufio"
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/apache/thrift/lib/go/thrift"

	"kroo/internal/testkit"
)

// pageV2 returns a page of version 2 with n values as in a file.
func pageV2(t *testing.T, n, length int32, encoding parquet.Encoding, levels, values []byte) []byte {
	t.Helper()
	ctx, out := context.Background(), thrift.NewTMemoryBuffer()
	p := thrift.NewTCompactProtocolConf(out, nil)
	write := func(fields ...int32) { // field number and value, of I32
		for i := 0; i < len(fields); i += 2 {
			if err := p.WriteFieldBegin(ctx, "", thrift.I32, int16(fields[i])); err != nil || p.WriteI32(ctx, fields[i+1]) != nil {
				t.Fatal(err)
			}
		}
	}
	p.WriteStructBegin(ctx, "")
	write(pageType, dataPageV2, pageLength, length, pageStored, int32(len(levels)+len(values)))
	p.WriteFieldBegin(ctx, "", thrift.STRUCT, v2Values/100)
	p.WriteStructBegin(ctx, "")
	write(v2Values%100, n, v2Encoding%100, int32(encoding), v2Levels%100, int32(len(levels)), v2Repetitions%100, 0)
	p.WriteFieldStop(ctx)
	p.WriteStructEnd(ctx)
	p.WriteFieldStop(ctx)
	return slices.Concat(out.Bytes(), levels, values)
}

// pageCells reads n nullable numbers from a column of such pages.
func pageCells(t *testing.T, n int, codec compress.Compression, content []byte) ([]string, error) {
	t.Helper()
	about := schema.NewColumn(schema.NewFloat64Node("x", parquet.Repetitions.Optional, -1), 1, 0)
	decompress, err := decompressor(codec)
	testkit.NoError(t, err)
	p := &pages{about: about, decompress: decompress, in: bufio.NewReader(bytes.NewReader(content)), values: int64(n), mem: memory.DefaultAllocator}
	chunk, c := file.NewColumnReader(about, p, memory.DefaultAllocator, nil).(*file.Float64ColumnChunkReader), column{typ: typeCell}
	err = batchesOf(chunk, chunk.ReadBatch, func(v float64) string { return realText(v, 64) }, nil)(&c)
	return c.texts, err
}

// As parquet-java writes them: snappy without bytes to decompress, and dictionary encoding without
// a dictionary.
func TestPagesOfNullsOnly(t *testing.T) {
	for _, encoding := range []parquet.Encoding{parquet.Encodings.Plain, parquet.Encodings.RLEDict} {
		missing := []byte{3 << 1, 0} // a run of three zeros
		got, err := pageCells(t, 3, compress.Codecs.Snappy, pageV2(t, 3, 2, encoding, missing, nil))
		if err != nil || !slices.Equal(got, []string{"", "", ""}) {
			t.Errorf("%s: %q, error %v", encoding, got, err)
		}
	}
}

// Without checks the library would read forever.
func TestDamagedPagesAreErrors(t *testing.T) {
	values, none := make([]byte, 16), compress.Codecs.Uncompressed
	good := pageV2(t, 2, 18, parquet.Encodings.Plain, []byte{2 << 1, 1}, values)
	if got, err := pageCells(t, 2, none, good); err != nil || !slices.Equal(got, []string{"0", "0"}) {
		t.Fatalf("%q, error %v", got, err)
	}
	for says, content := range map[string][]byte{
		"levels of 2 values in a page of 10":         pageV2(t, 10, 18, parquet.Encodings.Plain, []byte{2 << 1, 1}, values),
		"levels of 0 values in a page of 2":          pageV2(t, 2, 16, parquet.Encodings.Plain, nil, values),
		"a page of 18 bytes: its header says 17":     pageV2(t, 2, 17, parquet.Encodings.Plain, []byte{2 << 1, 1}, values),
		"field 801 is -2":                            pageV2(t, -2, 18, parquet.Encodings.Plain, []byte{2 << 1, 1}, values),
		"15 bytes of DOUBLE in the encoding BYTE_ST": pageV2(t, 2, 17, byteStreamSplit, []byte{2 << 1, 1}, values[1:]),
		"the header of a page":                       good[:9],
		"a page of 18 bytes: unexpected EOF":         good[:len(good)-16],
	} {
		_, err := pageCells(t, 10, none, content)
		wantError(t, err, "after 0 values", says)
	}
}

func TestRunLengths(t *testing.T) {
	for _, c := range []struct {
		runs  string
		width int
		want  int64
	}{
		{"", 1, 0}, {"\x06\x01", 1, 3}, {"\x03\xff", 1, 8}, {"\x03\xff\x06\x01", 1, 11}, {"\x05\xff\xff\x06\x01", 1, 19},
		{"\x03\xff", 2, 4}, {"\x06", 1, 0}, {"\x06\x01\x00\x01\x06\x01", 1, 3}, {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 1, 0},
	} {
		if got := runLengths([]byte(c.runs), c.width); got != c.want {
			t.Errorf("%q of %d bits: %d, want %d", c.runs, c.width, got, c.want)
		}
	}
}
