package oware

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// WriteJSON writes the header and an object of the columns by name with their
// weights in points, in the order of the columns.
func (m *Model) WriteJSON(w io.Writer) error {
	head, err := json.MarshalIndent(m.header(), "  ", "  ")
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n  \"header\": %s,\n  \"points\": {", head)
	comma := ""
	for i, x := range m.Weights {
		fmt.Fprintf(b, "%s\n    %q: %s", comma, m.Set.ColumnName(i), number(x))
		comma = ","
	}
	b.WriteString("\n  }\n}\n")
	return exported(b.Flush())
}

// WriteCSV writes a table of column, name and points.
func (m *Model) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"column", "name", "points"})
	for i, x := range m.Weights {
		c.Write([]string{strconv.Itoa(i), m.Set.ColumnName(i), number(x)})
	}
	c.Flush()
	return exported(c.Error())
}

// number is the shortest text that reads back as the same weight.
func number(x float32) string { return strconv.FormatFloat(float64(x), 'g', -1, 32) }

func exported(err error) error {
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}
