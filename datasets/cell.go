package datasets

import (
	"fmt"
	"strconv"
)

// cell is the i-th value of a column as text.
func cell(c *column, i int) string {
	switch c.typ {
	case typeFloat64:
		return strconv.FormatFloat(c.floats[i], 'g', -1, 64)
	case typeBool:
		return strconv.FormatBool(c.bools[i])
	case typeText:
		return c.texts[i]
	}
	return strconv.FormatInt(c.ints[i], 10)
}

// bitsOf are the sizes of the integer types with a sign.
var bitsOf = map[columnType]int{typeInt64: 64, typeInt32: 32}

// takeCell appends a value that is written as text.
func takeCell(c *column, text string) error {
	var err error
	switch c.typ {
	case typeFloat64:
		var v float64
		v, err = strconv.ParseFloat(text, 64)
		c.floats = append(c.floats, v)
	case typeBool:
		if text != "true" && text != "false" {
			err = strconv.ErrSyntax
		}
		c.bools = append(c.bools, text == "true")
	case typeText:
		return addText(c, text)
	case typeUint8:
		var v uint64
		v, err = strconv.ParseUint(text, 10, 8)
		c.ints = append(c.ints, int64(v))
	default:
		var v int64
		v, err = strconv.ParseInt(text, 10, bitsOf[c.typ])
		c.ints = append(c.ints, v)
	}
	if err != nil {
		return fmt.Errorf("column %s holds %.40q: expected a value of type %s", c.name, text, c.typ)
	}
	return nil
}

// takeCells appends a row of texts, a cell for every column.
func takeCells(cols []column, row []string) error {
	if len(row) != len(cols) {
		return fmt.Errorf("%d values: expected %d, one for each column", len(row), len(cols))
	}
	for i := range cols {
		if err := takeCell(&cols[i], row[i]); err != nil {
			return err
		}
	}
	return nil
}

// inChunks hands columns over whenever they are full.
type inChunks struct {
	cols []column
	each func([]column) error
}

// row appends a row.
func (c inChunks) row(cells []string) error {
	if err := takeCells(c.cols, cells); err != nil {
		return err
	}
	if c.cols[0].len() < chunkRows {
		return nil
	}
	return c.flush()
}

// flush hands over what is there.
func (c inChunks) flush() error {
	err := c.each(c.cols)
	resetAll(c.cols)
	return err
}
