package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
)

var arrowTypes = map[columnType]arrow.DataType{
	typeInt64:   arrow.PrimitiveTypes.Int64,
	typeInt32:   arrow.PrimitiveTypes.Int32,
	typeUint8:   arrow.PrimitiveTypes.Uint8,
	typeFloat64: arrow.PrimitiveTypes.Float64,
	typeBool:    arrow.FixedWidthTypes.Boolean,
	typeText:    arrow.BinaryTypes.String,
}

func arrowSchema(meta []pair, cols []column) *arrow.Schema {
	fields := make([]arrow.Field, len(cols))
	for i, c := range cols {
		fields[i] = arrow.Field{Name: c.name, Type: arrowTypes[c.typ]}
	}
	var keys, values []string
	for _, p := range meta {
		keys, values = append(keys, p.key), append(values, p.value)
	}
	kv := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(fields, &kv)
}

// arrowWriter writes one record batch per chunk.
type arrowWriter struct {
	w     *offsetWriter
	out   *ipc.FileWriter
	build *array.RecordBuilder
}

func encodeArrow(w io.Writer, meta []pair, cols []column) (groupWriter, error) {
	mem := memory.NewGoAllocator()
	sch := arrowSchema(meta, cols)
	at := &offsetWriter{w: w}
	out, err := ipc.NewFileWriter(at, ipc.WithSchema(sch), ipc.WithAllocator(mem))
	if err != nil {
		return nil, err
	}
	return arrowWriter{at, out, array.NewRecordBuilder(mem, sch)}, nil
}

func (a arrowWriter) write(cols []column) error {
	for i := range cols {
		buildArrow(a.build.Field(i), &cols[i])
	}
	rec := a.build.NewRecord()
	defer rec.Release()
	return a.out.Write(rec)
}

// endOfStream marks the end of the messages for readers that treat the file as a stream.
const endOfStream = "\xff\xff\xff\xff\x00\x00\x00\x00"

func (a arrowWriter) close() error {
	defer a.build.Release()
	if a.w.at == 0 { // the first batch writes the schema, so write an empty one
		if err := a.write(nil); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(a.w, endOfStream); err != nil {
		return err
	}
	return a.out.Close()
}

func buildArrow(b array.Builder, c *column) {
	switch b := b.(type) {
	case *array.Int64Builder:
		b.AppendValues(c.ints, nil)
	case *array.Int32Builder:
		b.Reserve(len(c.ints))
		for _, v := range c.ints {
			b.UnsafeAppend(int32(v))
		}
	case *array.Uint8Builder:
		b.Reserve(len(c.ints))
		for _, v := range c.ints {
			b.UnsafeAppend(uint8(v))
		}
	case *array.Float64Builder:
		b.AppendValues(c.floats, nil)
	case *array.BooleanBuilder:
		b.AppendValues(c.bools, nil)
	case *array.StringBuilder:
		b.AppendValues(c.texts, nil)
	}
}

// offsetWriter supports the only seek that the library makes: asking for the current offset.
type offsetWriter struct {
	w  io.Writer
	at int64
}

func (t *offsetWriter) Write(b []byte) (int, error) {
	n, err := t.w.Write(b)
	t.at += int64(n)
	return n, err
}

func (t *offsetWriter) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("the output cannot seek")
	}
	return t.at, nil
}

// arrowFile is an Arrow file written by any program.
type arrowFile struct{ *ipc.FileReader }

func (in arrowFile) describe() (description, error) {
	keyValues := in.Schema().Metadata()
	d := newDescription(keyValues.Keys(), keyValues.Values())
	for _, f := range in.Schema().Fields() {
		isText, err := isArrowText(f)
		d.add(f.Name, err == nil && isText)
	}
	return d, nil
}

func (in arrowFile) check(cols []column) error {
	if !in.Schema().Equal(arrowSchema(nil, cols)) {
		return errColumns
	}
	return nil
}

func (in arrowFile) groups() iter.Seq2[group, error] {
	return func(yield func(group, error) bool) {
		for b := range in.NumRecords() {
			rec, err := in.Record(b)
			if err != nil {
				yield(nil, err)
				return
			}
			rec.Retain()
			if !yield(arrowGroup{rec, b}, nil) {
				return
			}
		}
	}
}

// arrowGroup is a record batch.
type arrowGroup struct {
	arrow.Record
	number int
}

func (a arrowGroup) rows() int64 { return a.NumRows() }

func (arrowGroup) bounds(int, columnType) (low, high float64, known bool) { return 0, 0, false }

func (a arrowGroup) batches(cols []column, wanted []int) iter.Seq[error] {
	return func(yield func(error) bool) {
		defer a.Release()
		for from := int64(0); from < a.NumRows(); from += batchRows {
			err := a.fill(cols, wanted, from, min(a.NumRows(), from+batchRows))
			if !yield(err) || err != nil {
				return
			}
		}
	}
}

// fill sets the wanted columns to some rows of the batch.
func (a arrowGroup) fill(cols []column, wanted []int, from, to int64) error {
	for _, i := range wanted {
		cols[i].reset()
		values := array.NewSlice(a.Column(i), from, to)
		err := readArrow(a.Schema().Field(i), values, &cols[i])
		values.Release()
		if err != nil {
			return fmt.Errorf("record batch %d, column %q: %w", a.number, cols[i].name, err)
		}
	}
	return nil
}

func readArrow(f arrow.Field, a arrow.Array, c *column) error {
	if c.typ == typeCell {
		_, err := isArrowText(f)
		for i := 0; i < a.Len() && err == nil; i++ {
			c.texts = append(c.texts, arrowText(a, i))
		}
		return err
	}
	if a.NullN() != 0 {
		return errors.New("it has nulls")
	}
	switch a := a.(type) {
	case *array.Int64:
		c.ints = append(c.ints, a.Int64Values()...)
	case *array.Int32:
		for _, v := range a.Int32Values() {
			c.ints = append(c.ints, int64(v))
		}
	case *array.Uint8:
		for _, v := range a.Uint8Values() {
			c.ints = append(c.ints, int64(v))
		}
	case *array.Float64:
		c.floats = append(c.floats, a.Float64Values()...)
	case *array.Boolean:
		for i := range a.Len() {
			c.bools = append(c.bools, a.Value(i))
		}
	case *array.String:
		for i := range a.Len() {
			if err := c.addText(strings.Clone(a.Value(i))); err != nil {
				return err
			}
		}
	default:
		return refusedType(a.DataType().String())
	}
	return nil
}

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
		return nil, errors.New("it is an arrow stream: expected an arrow file, which has a footer; " +
			"write it as a file (in JavaScript, tableToIPC(table, 'file'))")
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
	columns := flatbuffers.Table{Bytes: footer, Pos: root.Indirect(root.Pos + flatbuffers.UOffsetT(at))}
	err := schemaVectors.check(columns, &left)
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
	n = t.VectorLen(at)
	if n < 0 || n > len(t.Bytes)/size {
		return 0, 0, fmt.Errorf("a list of %d in a footer of %d bytes", n, len(t.Bytes))
	}
	return t.Vector(at), n, nil
}

func (v vectors) check(t flatbuffers.Table, left *int) error {
	for place, of := range v {
		start, n, err := vector(t, place, 4)
		*left -= n
		if err == nil && *left < 0 {
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
		offset := footer.GetInt64(b)
		meta := int64(footer.GetInt32(b + 8))
		body := footer.GetInt64(b + 16)
		if offset < 0 || meta < least || body < 0 || offset > begin || meta > begin-offset || body > begin-offset-meta {
			return fmt.Errorf("message %d is at offset %d, %d and %d bytes long: the footer begins at %d",
				i, offset, meta, body, begin)
		}
		*total += meta + body
		if *total > begin {
			return fmt.Errorf("message %d: together they are longer than the file", i)
		}
	}
	return err
}
