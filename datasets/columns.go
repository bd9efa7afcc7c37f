package datasets

import (
	"fmt"
	"math"
	"slices"

	"kroo/internal/wording"
)

// columnType is the type of a column as stored. All integers are int64 in memory, which keeps the
// code short.
type columnType string

const (
	typeInt64   columnType = "int64"
	typeInt32   columnType = "int32"
	typeUint8   columnType = "uint8"
	typeFloat64 columnType = "float64"
	typeBool    columnType = "bool"
	typeText    columnType = "text"
	typeCell    columnType = "cell" // of another program's file: any value as text, "" if it is missing
)

// The types of columns in `train inspect --json` and the pages of train serve. The storage type is
// in the manifest.
const (
	NumberField = "number"
	TruthField  = "truth"
	TextField   = "text"
)

// column is a run of values of one column; its type selects the slice in use.
type column struct {
	name  string
	typ   columnType
	about string // meaning of the values, with their unit
	// low and high bound numbers; high bounds the length of a text in bytes.
	low, high float64
	hidden    bool     // left out of lists and filters
	choices   []string // the texts that it can have; nil means any
	ints      []int64
	floats    []float64
	bools     []bool
	texts     []string
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// len returns the number of values, which are in one of the slices.
func (c *column) len() int { return max(len(c.ints), len(c.floats), len(c.bools), len(c.texts)) }

func (c *column) reset() {
	c.ints = c.ints[:0]
	c.floats = c.floats[:0]
	c.bools = c.bools[:0]
	c.texts = c.texts[:0]
}

// appendNumbers appends the values as numbers, booleans as 0 or 1; a column of text appends
// nothing.
func (c *column) appendNumbers(dst []float64) []float64 {
	for _, v := range c.ints {
		dst = append(dst, float64(v))
	}
	for _, v := range c.bools {
		dst = append(dst, number(v))
	}
	return append(dst, c.floats...)
}

// keep drops all values except those of the given rows, in ascending order.
func (c *column) keep(rows []int32) {
	c.ints = keepRows(c.ints, rows)
	c.floats = keepRows(c.floats, rows)
	c.bools = keepRows(c.bools, rows)
	c.texts = keepRows(c.texts, rows)
}

func keepRows[T any](values []T, rows []int32) []T {
	if len(values) == 0 {
		return values
	}
	for i, row := range rows {
		values[i] = values[row]
	}
	return values[:len(rows)]
}

// appendRows appends values of another column of the same type.
func (c *column) appendRows(of *column, from, to int) {
	c.ints, c.floats = appendSome(c.ints, of.ints, from, to), appendSome(c.floats, of.floats, from, to)
	c.bools, c.texts = appendSome(c.bools, of.bools, from, to), appendSome(c.texts, of.texts, from, to)
}

func appendSome[T any](dst, values []T, from, to int) []T {
	if len(values) == 0 {
		return dst
	}
	return append(dst, values[from:to]...)
}

// check returns an error for the first value out of range, and its row.
func (c *column) check() (row int, err error) {
	for i, v := range c.ints {
		if v := float64(v); v < c.low || v > c.high {
			return i, c.outOfRange(v)
		}
	}
	for i, v := range c.floats {
		if !(v >= c.low && v <= c.high) { // written so that NaN fails
			return i, c.outOfRange(v)
		}
	}
	return 0, nil
}

func (c *column) outOfRange(v float64) error {
	if math.IsInf(c.high, 1) {
		return fmt.Errorf("%s is %.20g: expected no negative number", c.name, v)
	}
	return fmt.Errorf("%s is %.20g: expected %g to %g", c.name, v, c.low, c.high)
}

// checkRanges refuses values out of range; first is the table's row number of the first value.
func checkRanges(cols []column, first int64) error {
	for i := range cols {
		if row, err := cols[i].check(); err != nil {
			return fmt.Errorf("%s: %w", wording.Row(first+int64(row)), err)
		}
	}
	return nil
}

// indexOf returns the number of a column, -1 if absent.
func indexOf(cols []column, name string) int {
	return slices.IndexFunc(cols, func(c column) bool { return c.name == name })
}

func resetAll(cols []column) {
	for i := range cols {
		cols[i].reset()
	}
}

// addText appends a text.
func (c *column) addText(v string) error {
	if float64(len(v)) > c.high {
		return fmt.Errorf("column %q has a text of %d bytes: at most %g", c.name, len(v), c.high)
	}
	c.texts = append(c.texts, v)
	return nil
}

// numbers reports whether users can ask for the values as numbers.
func (c *column) numbers() bool { return c.typ != typeText && !c.hidden }

// withoutValues returns the column without its values.
func (c column) withoutValues() column {
	c.ints = nil
	c.floats = nil
	c.bools = nil
	c.texts = nil
	return c
}

// sameLength returns the number of rows, or an error if the wanted columns differ in length.
func sameLength(cols []column, wanted []int) (int, error) {
	first := &cols[wanted[0]]
	n := first.len()
	for _, i := range wanted {
		if cols[i].len() != n {
			return 0, fmt.Errorf("column %q has %d rows where %q has %d", cols[i].name, cols[i].len(), first.name, n)
		}
	}
	return n, nil
}
