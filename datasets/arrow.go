package datasets

import (
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
		keys, values = append(keys, p.Key), append(values, p.Value)
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
		if err := buildArrow(a.build.Field(i), &cols[i]); err != nil {
			return err
		}
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

func (in arrowFile) describe() (d description, err error) {
	keyValues := in.Schema().Metadata()
	d.Pairs = pairsOf(keyValues.Keys(), keyValues.Values())
	for _, f := range in.Schema().Fields() {
		as, err := arrowReadingOf(f)
		d.add(f.Name, err == nil && as.isText)
	}
	return d, nil
}

func (in arrowFile) check(meta []pair, cols []column) error {
	keyValues := in.Schema().Metadata()
	err := checkPairs(pairsOf(keyValues.Keys(), keyValues.Values()), meta)
	if err == nil && !in.Schema().Equal(arrowSchema(meta, cols)) {
		err = errColumns
	}
	return err
}

func (in arrowFile) groups(visit func(group) error) error {
	for b := range in.NumRecords() {
		rec, err := in.Record(b)
		if err == nil {
			rec.Retain()
			err = visit(arrowGroup{rec, b})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// arrowGroup is a record batch.
type arrowGroup struct {
	arrow.Record
	number int
}

func (a arrowGroup) rows() int64 { return a.NumRows() }

func (arrowGroup) bounds(int, columnType) (low, high float64, known bool) { return 0, 0, false }

func (a arrowGroup) read(_ memory.Allocator, cols []column, wanted []int, each func() error) error {
	defer a.Release()
	for from := int64(0); from < a.NumRows(); from += batchRows {
		to := min(a.NumRows(), from+batchRows)
		for _, i := range wanted {
			cols[i].reset()
			values := array.NewSlice(a.Column(i), from, to)
			err := readArrow(a.Schema().Field(i), values, &cols[i])
			values.Release()
			if err != nil {
				return fmt.Errorf("record batch %d, column %q: %w", a.number, cols[i].name, err)
			}
		}
		if err := each(); err != nil {
			return err
		}
	}
	return nil
}

func readArrow(f arrow.Field, a arrow.Array, c *column) error {
	if c.typ == typeCell {
		as, err := arrowReadingOf(f)
		for i := 0; i < a.Len() && err == nil; i++ {
			text := ""
			if a.IsValid(i) {
				text = as.text(a, i)
			}
			c.texts = append(c.texts, text)
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
			if err := addText(c, a.Value(i)); err != nil {
				return err
			}
		}
	default:
		return refusedType(a.DataType().String())
	}
	return nil
}
