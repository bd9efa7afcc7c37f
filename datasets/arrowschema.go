package datasets

import (
	"errors"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// maxFields is how many columns, with those inside of others, an Arrow file may have.
const maxFields = 10_000

// checkArrowSchema refuses a schema whose lists are longer than its bytes: the library makes
// room for as many fields as they say. It may panic where offsets lead nowhere.
func checkArrowSchema(message []byte) error {
	root := flatbuffers.Table{Bytes: message, Pos: flatbuffers.GetUOffsetT(message)}
	const header, fields, metadata = 2, 1, 2 // places in Message and Schema, as Arrow's Schema.fbs has them
	at, ok := slot(root, header)
	if !ok {
		return errors.New("a message without a header")
	}
	schema := flatbuffers.Table{Bytes: message, Pos: root.Indirect(at)}
	left := maxFields
	if err := checkFields(schema, fields, &left); err != nil {
		return err
	}
	_, err := elements(schema, metadata)
	return err
}

// checkFields looks at the fields in one of a table's places, and at those inside of them.
func checkFields(t flatbuffers.Table, place int, left *int) error {
	const children, metadata = 5, 6 // places in Field
	list, err := elements(t, place)
	if err != nil {
		return err
	}
	if *left -= len(list); *left < 0 {
		return fmt.Errorf("more than %d columns", maxFields)
	}
	for _, f := range list {
		if err := checkFields(f, children, left); err != nil {
			return err
		}
		if _, err := elements(f, metadata); err != nil {
			return err
		}
	}
	return nil
}

// elements are the tables in a vector of tables.
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

// slot is where a table holds what is at one of its places.
func slot(t flatbuffers.Table, place int) (flatbuffers.UOffsetT, bool) {
	offset := t.Offset(flatbuffers.VOffsetT(4 + 2*place))
	return t.Pos + flatbuffers.UOffsetT(offset), offset != 0
}
