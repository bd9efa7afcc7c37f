package datasets

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow/memory"
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

// cellGroup is a group of rows of texts, a cell for each column, which a function hands over.
type cellGroup struct {
	each func(row func(cells []string) error) error
}

func (cellGroup) rows() (int64, bool) { return 0, false }

func (cellGroup) bounds(int) (low, high float64, known bool) { return 0, 0, false }

func (g cellGroup) read(_ memory.Allocator, cols []column, wanted []int, each func() error) error {
	err := g.each(func(cells []string) error {
		if len(cells) != len(cols) {
			return fmt.Errorf("%d values: expected %d, one for each column", len(cells), len(cols))
		}
		for _, i := range wanted {
			if err := takeCell(&cols[i], cells[i]); err != nil {
				return err
			}
		}
		if cols[wanted[0]].len() < batchRows {
			return nil
		}
		err := each()
		resetAll(cols)
		return err
	})
	if err == nil {
		err = each()
	}
	return err
}
