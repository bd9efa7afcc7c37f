package datasets

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/thrift/lib/go/thrift"
)

// parquetFile is a Parquet file written by any program.
type parquetFile struct {
	*file.Reader
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
	meta, err := f.known(footer)
	if err != nil {
		return nil, fmt.Errorf("its footer: %w", err)
	}
	// The reader is not closed: that would close r, which belongs to the caller.
	f.Reader, err = file.NewParquetReader(r, file.WithMetadata(meta), file.WithReadProps(parquet.NewReaderProperties(mem)))
	return f, err
}

func parquetFooter(r source) ([]byte, error) {
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
	footer := make([]byte, length)
	_, err = r.ReadAt(footer, end-length)
	return footer, err
}

func (f *parquetFile) describe() (d description, err error) {
	keyValues := f.MetaData().KeyValueMetadata()
	d.Pairs = pairsOf(keyValues.Keys(), keyValues.Values())
	for i, name := range parquetNames(f.MetaData().Schema) {
		as, err := f.reading(i)
		d.add(name, err == nil && as.isText)
	}
	return d, nil
}

// reading returns how to read the i-th column.
func (f *parquetFile) reading(i int) (parquetReading, error) {
	if f.unknown[i] {
		return parquetReading{}, refusedType("one that is newer than this program")
	}
	return parquetReadingOf(f.MetaData().Schema.Column(i))
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
