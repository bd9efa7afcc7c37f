package weights

import (
	"encoding/csv"
	"io"
	"strconv"
)

// Export writes the weights as "json", "csv", "c", a C99 source file, or
// "bot", a program in C++ for the arena of CodinGame. json and
// csv have the weight of every column, or the tables of compiled weights without
// their model.
func (w *Weights) Export(to io.Writer, format string) error {
	if format == "c" && w.Thesis != nil && w.Thesis.Columns != nil {
		return w.writeColumnsC(to)
	}
	if format == "c" || format == "bot" {
		e, err := w.Evaluator()
		switch {
		case err != nil:
			return err
		case format == "bot":
			return e.WriteBot(to)
		}
		return e.WriteC(to)
	}
	if w.Thesis != nil {
		if format == "csv" {
			return w.writeThesisCSV(to)
		}
		return w.Thesis.Write(to)
	}
	if err := w.needOware(); err != nil {
		return err
	}
	var tables interface {
		WriteJSON(io.Writer) error
		WriteCSV(io.Writer) error
	} = w.Model
	if w.Model == nil {
		tables = w.Compiled
	}
	if format == "csv" {
		return tables.WriteCSV(to)
	}
	return tables.WriteJSON(to)
}

// writeThesisCSV writes a table of feature, points and standard error, empty
// where there is none.
func (w *Weights) writeThesisCSV(to io.Writer) error {
	c := csv.NewWriter(to)
	c.Write([]string{"feature", "points", "stderr"})
	for i, name := range w.Thesis.Features {
		row := []string{name, number(w.Thesis.Points[i]), ""}
		if i < len(w.Thesis.StdErr) {
			row[2] = number(w.Thesis.StdErr[i])
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
