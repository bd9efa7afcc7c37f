package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
)

const (
	arrowMagic   = "ARROW1"
	arrowTrailer = 4 + len(arrowMagic) // bytes: length of the footer, and the magic again
)

// openArrow opens a file by its footer, as other readers do: a file may contain data that its
// footer does not refer to, and the schema may be in the footer alone. The library trusts the
// footer, so it is checked first. The magic at the beginning is for people.
func openArrow(r source, mem memory.Allocator) (contents, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	var head [len(arrowMagic)]byte
	var tail [arrowTrailer]byte
	if size < int64(len(head)+len(tail)) {
		return nil, fmt.Errorf("%d bytes: too short for an arrow file", size)
	}
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, err
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return nil, err
	}
	length, end := int64(binary.LittleEndian.Uint32(tail[:])), size-int64(len(tail))
	switch {
	case string(head[:4]) == endOfStream[:4]:
		return nil, errors.New("it is an arrow stream: expected an arrow file, which has a footer; write it as a file (in JavaScript, tableToIPC(table, 'file'))")
	case string(head[:]) != arrowMagic || string(tail[4:]) != arrowMagic || length > end-int64(len(head)):
		return nil, errors.New("not an arrow file: it does not begin and end as one")
	}
	footer := make([]byte, length)
	if _, err := r.ReadAt(footer, end-length); err != nil {
		return nil, err
	}
	if err := checkArrowFooter(footer, end-length); err != nil {
		return nil, err
	}
	in, err := ipc.NewFileReader(r, ipc.WithAllocator(mem))
	return arrowFile{in, size}, err
}

// Fields of the footer's tables, from Arrow's File.fbs and Schema.fbs.
const (
	footerSchema, footerDictionaries, footerBatches = 1, 2, 3
	schemaFields, schemaMetadata                    = 1, 2
	fieldChildren, fieldMetadata                    = 5, 6
)

// checkArrowFooter refuses a footer with lists longer than its bytes, for which the library would
// allocate, and blocks that are not entirely before the footer. It may panic on invalid offsets.
func checkArrowFooter(footer []byte, begin int64) error {
	root := flatbuffers.Table{Bytes: footer, Pos: flatbuffers.GetUOffsetT(footer)}
	at, ok := slot(root, footerSchema)
	if !ok {
		return errors.New("a footer without a schema")
	}
	schema := flatbuffers.Table{Bytes: footer, Pos: root.Indirect(at)}
	left := maxFields
	if err := checkFields(schema, schemaFields, &left); err != nil {
		return err
	}
	if _, err := elements(schema, schemaMetadata); err != nil {
		return err
	}
	total := int64(0) // total size, so that no block is listed repeatedly
	for _, place := range []int{footerDictionaries, footerBatches} {
		if err := checkBlocks(root, place, begin, &total); err != nil {
			return err
		}
	}
	return nil
}

// checkBlocks checks a list of message blocks: offset (8 bytes), length of the metadata (4, and 4
// of padding), length of the body (8).
func checkBlocks(footer flatbuffers.Table, place int, begin int64, total *int64) error {
	const block, least = 24, 8 // bytes of an element; of the shortest message
	at, ok := slot(footer, place)
	if !ok {
		return nil
	}
	n := footer.VectorLen(at - footer.Pos)
	if n < 0 || n > len(footer.Bytes)/block {
		return fmt.Errorf("a list of %d in a footer of %d bytes", n, len(footer.Bytes))
	}
	start := footer.Vector(at - footer.Pos)
	for i := range n {
		b := start + flatbuffers.UOffsetT(block*i)
		offset, meta, body := footer.GetInt64(b), int64(footer.GetInt32(b+8)), footer.GetInt64(b+16)
		if offset < 0 || meta < least || body < 0 || offset > begin || meta > begin-offset || body > begin-offset-meta {
			return fmt.Errorf("message %d is at offset %d, %d and %d bytes long: the footer begins at %d", i, offset, meta, body, begin)
		}
		if *total += meta + body; *total > begin {
			return fmt.Errorf("message %d: together they are longer than the file", i)
		}
	}
	return nil
}

// maxFields limits the columns of an Arrow file, nested ones included.
const maxFields = 10_000

// checkFields checks a list of fields, and recursively their children.
func checkFields(t flatbuffers.Table, place int, left *int) error {
	list, err := elements(t, place)
	if err != nil {
		return err
	}
	if *left -= len(list); *left < 0 {
		return fmt.Errorf("more than %d columns", maxFields)
	}
	for _, f := range list {
		if err := checkFields(f, fieldChildren, left); err != nil {
			return err
		}
		if _, err := elements(f, fieldMetadata); err != nil {
			return err
		}
	}
	return nil
}

// elements returns the tables in a vector of tables.
func elements(t flatbuffers.Table, place int) (list []flatbuffers.Table, err error) {
	at, ok := slot(t, place)
	if !ok {
		return nil, nil
	}
	n := t.VectorLen(at - t.Pos)
	if n < 0 || n > len(t.Bytes)/4 {
		return nil, fmt.Errorf("a list of %d in a schema of %d bytes", n, len(t.Bytes))
	}
	start := t.Vector(at - t.Pos)
	for i := range n {
		list = append(list, flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(start + flatbuffers.UOffsetT(4*i))})
	}
	return list, nil
}

// slot returns the offset of a table's field, and whether it is present.
func slot(t flatbuffers.Table, place int) (flatbuffers.UOffsetT, bool) {
	offset := t.Offset(flatbuffers.VOffsetT(4 + 2*place))
	return t.Pos + flatbuffers.UOffsetT(offset), offset != 0
}
