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
	return arrowFile{in}, err
}

// vectors are the lists of tables in a table of the footer, by field number, and those in their
// elements; from Arrow's File.fbs and Schema.fbs.
type vectors map[flatbuffers.VOffsetT]vectors

var schemaVectors = func() vectors {
	const children, fieldMetadata, fields, metadata = 5, 6, 1, 2
	field := vectors{fieldMetadata: nil}
	field[children] = field
	return vectors{fields: field, metadata: nil}
}()

// maxListed limits the columns of an Arrow file, nested ones and their metadata included.
const maxListed = 10_000

// checkArrowFooter refuses a footer with lists longer than its bytes, for which the library would
// allocate, and blocks that are not entirely before the footer. It may panic on invalid offsets.
func checkArrowFooter(footer []byte, begin int64) error {
	const schema, dictionaries, batches = 1, 2, 3
	root := flatbuffers.Table{Bytes: footer, Pos: flatbuffers.GetUOffsetT(footer)}
	at := root.Offset(4 + 2*schema)
	if at == 0 {
		return errors.New("a footer without a schema")
	}
	left, total := maxListed, int64(0)
	err := schemaVectors.check(flatbuffers.Table{Bytes: footer, Pos: root.Indirect(root.Pos + flatbuffers.UOffsetT(at))}, &left)
	for _, list := range []flatbuffers.VOffsetT{dictionaries, batches} {
		if err == nil {
			err = checkBlocks(root, list, begin, &total)
		}
	}
	return err
}

// vector returns the start and length of a list with elements of at least size bytes.
func vector(t flatbuffers.Table, place flatbuffers.VOffsetT, size int) (start flatbuffers.UOffsetT, n int, err error) {
	at := flatbuffers.UOffsetT(t.Offset(4 + 2*place))
	if at == 0 {
		return 0, 0, nil
	}
	if n = t.VectorLen(at); n < 0 || n > len(t.Bytes)/size {
		return 0, 0, fmt.Errorf("a list of %d in a footer of %d bytes", n, len(t.Bytes))
	}
	return t.Vector(at), n, nil
}

func (v vectors) check(t flatbuffers.Table, left *int) error {
	for place, of := range v {
		start, n, err := vector(t, place, 4)
		if *left -= n; err == nil && *left < 0 {
			err = fmt.Errorf("more than %d columns", maxListed)
		}
		for i := 0; i < n && err == nil; i++ {
			err = of.check(flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(start + flatbuffers.UOffsetT(4*i))}, left)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkBlocks checks a list of message blocks: offset (8 bytes), length of the metadata (4, and 4
// of padding), length of the body (8). total is their length, so that no block is listed repeatedly.
func checkBlocks(footer flatbuffers.Table, list flatbuffers.VOffsetT, begin int64, total *int64) error {
	const block, least = 24, 8 // bytes of an element; of the shortest message
	start, n, err := vector(footer, list, block)
	for i := 0; i < n && err == nil; i++ {
		b := start + flatbuffers.UOffsetT(block*i)
		offset, meta, body := footer.GetInt64(b), int64(footer.GetInt32(b+8)), footer.GetInt64(b+16)
		if offset < 0 || meta < least || body < 0 || offset > begin || meta > begin-offset || body > begin-offset-meta {
			return fmt.Errorf("message %d is at offset %d, %d and %d bytes long: the footer begins at %d", i, offset, meta, body, begin)
		}
		if *total += meta + body; *total > begin {
			return fmt.Errorf("message %d: together they are longer than the file", i)
		}
	}
	return err
}
