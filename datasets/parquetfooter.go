package datasets

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/thrift/lib/go/thrift"
)

// parquetFile is a Parquet file of any program.
type parquetFile struct {
	*file.Reader
	source  source
	mem     memory.Allocator
	unknown map[int]string // columns whose logical type the library does not know: its name
}

// openParquet opens a file. The library panics at a logical type that it does not know, in
// whatever column: it gets a footer without those.
func openParquet(r source, mem memory.Allocator) (*parquetFile, error) {
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
	if _, err := r.ReadAt(footer, end-length); err != nil {
		return nil, err
	}
	known, unknown, err := knownTypes(footer)
	if err != nil {
		return nil, fmt.Errorf("its footer: %w", err)
	}
	f := &parquetFile{source: r, mem: mem, unknown: unknown}
	from := parquet.ReaderAtSeeker(r)
	if len(unknown) > 0 {
		known = append(binary.LittleEndian.AppendUint32(known, uint32(len(known))), magic...)
		from = io.NewSectionReader(otherTail{r, end - length, known}, 0, end-length+int64(len(known)))
	}
	// The reader is not closed: that would close r, which is the caller's.
	f.Reader, err = file.NewParquetReader(from, file.WithReadProps(parquet.NewReaderProperties(mem)))
	return f, err
}

// reading is how the i-th column is read.
func (f *parquetFile) reading(i int) (parquetReading, error) {
	if name, ok := f.unknown[i]; ok {
		return parquetReading{}, refusedType(name)
	}
	return parquetReadingOf(f.MetaData().Schema.Column(i))
}

// otherTail reads a file that goes on with something else from some place on.
type otherTail struct {
	io.ReaderAt
	at   int64
	tail []byte
}

func (o otherTail) ReadAt(b []byte, at int64) (n int, err error) {
	if at < o.at {
		if n, err = o.ReaderAt.ReadAt(b[:min(int64(len(b)), o.at-at)], at); err != nil || n == len(b) {
			return n, err
		}
	}
	more, err := bytes.NewReader(o.tail).ReadAt(b[n:], at+int64(n)-o.at)
	return n + more, err
}

// Numbers of fields in the structures of a footer, as parquet.thrift has them.
const (
	metaSchema                      = 2
	elementChildren, elementLogical = 5, 10
	unusedLogical, lastLogical      = 9, 15 // of the logical types the library knows the others to the last
)

// laterLogical are the names of types that are newer than the library.
var laterLogical = map[int16]string{16: "Variant", 17: "Geometry", 18: "Geography"}

// schemaElement is a column, or a group of some, in the order of the schema: a group before what
// is in it.
type schemaElement struct {
	children int32
	unknown  string // the name of a logical type that the library does not know
	from, to int    // where in the footer this is
}

// knownTypes is a footer with known logical types alone, and the columns of others.
func knownTypes(footer []byte) (known []byte, unknown map[int]string, err error) {
	elements, err := schemaElements(footer)
	if err != nil {
		return nil, nil, err
	}
	unknown = map[int]string{}
	copied, column := 0, 0
	left, group := int32(0), "" // elements of a group of an unknown type that are yet to come
	for _, e := range elements {
		name, instead := e.unknown, "\xbc\x00\x00" // Unknown {}
		if e.children > 0 {
			instead = "\x3c\x00\x00" // List {}, since groups are nothing else
		}
		if name != "" {
			known = append(append(known, footer[copied:e.from]...), instead...)
			copied = e.to
		}
		if left > 0 {
			left, name = left+e.children-1, group
		} else if name != "" {
			left, group = e.children, name
		}
		if e.children == 0 {
			if name != "" {
				unknown[column] = name
			}
			column++
		}
	}
	return append(known, footer[copied:]...), unknown, nil
}

func schemaElements(footer []byte) (all []schemaElement, err error) {
	text := thrift.NewTMemoryBuffer()
	text.Write(footer)
	in := thrift.NewTCompactProtocolConf(text, nil)
	ctx := context.Background()
	at := func() int { return len(footer) - int(text.RemainingBytes()) }
	element := func(e *schemaElement) error {
		return thriftFields(in, func(id int16, typ thrift.TType) (err error) {
			switch {
			case id == elementChildren && typ == thrift.I32:
				e.children, err = in.ReadI32(ctx)
				return err
			case id != elementLogical || typ != thrift.STRUCT:
				return in.Skip(ctx, typ)
			}
			e.from = at()
			err = thriftFields(in, func(id int16, typ thrift.TType) error {
				if id == unusedLogical || id > lastLogical {
					e.unknown = cmp.Or(laterLogical[id], fmt.Sprintf("number %d of the logical types", id))
				}
				return in.Skip(ctx, typ)
			})
			e.to = at()
			return err
		})
	}
	err = thriftFields(in, func(id int16, typ thrift.TType) error {
		if id != metaSchema || typ != thrift.LIST {
			return in.Skip(ctx, typ)
		}
		_, n, err := in.ReadListBegin(ctx)
		for i := 0; i < n && err == nil; i++ {
			var e schemaElement
			err = element(&e)
			all = append(all, e)
		}
		return err
	})
	return all, err
}

// thriftFields reads a structure: each takes the value of a field.
func thriftFields(in thrift.TProtocol, each func(id int16, typ thrift.TType) error) error {
	ctx := context.Background()
	if _, err := in.ReadStructBegin(ctx); err != nil {
		return err
	}
	for {
		_, typ, id, err := in.ReadFieldBegin(ctx)
		if err != nil {
			return err
		}
		if typ == thrift.STOP {
			return in.ReadStructEnd(ctx)
		}
		if err := each(id, typ); err != nil {
			return err
		}
	}
}
