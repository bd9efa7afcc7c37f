package datasets

import "fmt"

// columnType is the type of a column as stored. In memory the integers are all
// int64, which keeps the code that walks columns short.
type columnType string

const (
	typeInt64   columnType = "int64"
	typeInt32   columnType = "int32"
	typeUint8   columnType = "uint8"
	typeFloat64 columnType = "float64"
	typeBool    columnType = "bool"
	typeText    columnType = "text"
)

// column is a run of values of one column; its type says which slice is used.
type column struct {
	name   string
	typ    columnType
	ints   []int64
	floats []float64
	bools  []bool
	texts  []string
}

func (c *column) len() int {
	switch c.typ {
	case typeFloat64:
		return len(c.floats)
	case typeBool:
		return len(c.bools)
	case typeText:
		return len(c.texts)
	}
	return len(c.ints)
}

func (c *column) reset() {
	c.ints, c.floats, c.bools, c.texts = c.ints[:0], c.floats[:0], c.bools[:0], c.texts[:0]
}

func resetAll(cols []column) {
	for i := range cols {
		cols[i].reset()
	}
}

// maxText is longer than any board. Without a limit, rows that share one long
// text in a hostile file would become far larger in memory than the file.
const maxText = 64

// addText appends a copy of a text.
func addText[T ~string | ~[]byte](c *column, v T) error {
	if len(v) > maxText {
		return fmt.Errorf("column %q holds a text of %d bytes: at most %d", c.name, len(v), maxText)
	}
	c.texts = append(c.texts, string([]byte(v)))
	return nil
}

// sameLength returns the number of rows, or an error if the columns differ.
func sameLength(cols []column) (int, error) {
	n := cols[0].len()
	for i := range cols {
		if cols[i].len() != n {
			return 0, fmt.Errorf("column %q has %d rows where %q has %d", cols[i].name, cols[i].len(), cols[0].name, n)
		}
	}
	return n, nil
}

// columnsFor is the schema of a table.
func columnsFor(m Meta) []column {
	cols := []column{{name: "key", typ: typeInt64}, {name: "board", typ: typeText}}
	add := func(name string, typ columnType) { cols = append(cols, column{name: name, typ: typ}) }
	if m.Kind != Features {
		add("seeds", typeUint8)
	}
	if m.Kind == Labels {
		add("score", typeInt32)
	}
	if m.Kind != Positions {
		add("label", typeFloat64)
		add("depth", typeInt32)
	}
	if m.Kind == Labels {
		add("nodes", typeInt64)
	}
	if m.Kind != Positions {
		add("exact", typeBool)
	}
	for _, f := range m.Features {
		add("own:"+f, typeUint8)
		add("opp:"+f, typeUint8)
	}
	return cols
}
