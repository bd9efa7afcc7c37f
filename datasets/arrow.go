package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
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

// arrowWriter writes a record batch a chunk.
type arrowWriter struct {
	out   *ipc.FileWriter
	build *array.RecordBuilder
}

func encodeArrow(w io.Writer, meta []pair, cols []column) (groupWriter, error) {
	mem := memory.NewGoAllocator()
	sch := arrowSchema(meta, cols)
	out, err := ipc.NewFileWriter(&teller{w: w}, ipc.WithSchema(sch), ipc.WithAllocator(mem))
	if err != nil {
		return nil, err
	}
	return arrowWriter{out, array.NewRecordBuilder(mem, sch)}, nil
}

func (a arrowWriter) write(cols []column) error {
	for i := range cols {
		if err := buildArrow(a.build.Field(i), &cols[i]); err != nil {
			return err
		}
	}
	rec := a.build.NewRecord()
	defer rec.Release()
	return a.out.Write(rec)
}

func (a arrowWriter) close() error {
	a.build.Release()
	return a.out.Close()
}

func buildArrow(b array.Builder, c *column) error {
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
	default:
		return fmt.Errorf("column %q: no writer for %s", c.name, c.typ)
	}
	return nil
}

// teller lets the writer ask where it is, the only seek it makes.
type teller struct {
	w  io.Writer
	at int64
}

func (t *teller) Write(b []byte) (int, error) {
	n, err := t.w.Write(b)
	t.at += int64(n)
	return n, err
}

func (t *teller) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("the output cannot seek")
	}
	return t.at, nil
}

// decodeArrow reads the file front to back, as the stream it also is. The
// library's reader of files trusts every length in the footer and in the
// schema; here the beginning must be what encodeArrow writes for this schema,
// byte for byte, and messages takes the lengths that follow.
func decodeArrow(r source, mem memory.Allocator, meta []pair, cols []column, each func([]column) error) error {
	begin, err := arrowBegin(meta, cols)
	if err != nil {
		return err
	}
	m, err := newMessages(r, mem)
	if err != nil {
		return err
	}
	found := make([]byte, min(len(begin), int(m.end)))
	if _, err := r.ReadAt(found, 0); err != nil {
		return err
	}
	if !bytes.Equal(found, begin) {
		return errors.New("its columns or its meta are not those its manifest calls for")
	}
	in, err := ipc.NewReaderFromMessageReader(m, ipc.WithAllocator(mem))
	if err != nil {
		return err
	}
	defer in.Release()
	for b := 0; in.Next(); b++ {
		if err := readRecord(in.Record(), cols); err != nil {
			return fmt.Errorf("record batch %d: %w", b, err)
		}
		if err := each(cols); err != nil {
			return err
		}
	}
	return in.Err()
}

// arrowBegin is how a file with this schema begins: magic and schema message.
func arrowBegin(meta []pair, cols []column) ([]byte, error) {
	var out bytes.Buffer
	w, err := encodeArrow(&out, meta, cols)
	if err == nil {
		err = w.close()
	}
	if err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(out.Bytes()[arrowMagic+4:])
	return out.Bytes()[:arrowMagic+messageHead+int(length)], nil
}

func readRecord(rec arrow.Record, cols []column) error {
	if n := rec.NumRows(); n < 0 || n > chunkRows {
		return fmt.Errorf("%d rows: at most %d", n, chunkRows)
	}
	resetAll(cols)
	for i := range cols {
		a := rec.Column(i)
		if a.NullN() != 0 {
			return fmt.Errorf("column %q holds nulls", cols[i].name)
		}
		if err := readArrow(a, &cols[i]); err != nil {
			return err
		}
	}
	return nil
}

func readArrow(a arrow.Array, c *column) error {
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
			if err := addText(c, a.Value(i)); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("column %q: no reader for %s", c.name, c.typ)
	}
	return nil
}
