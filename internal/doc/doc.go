// Package doc is what there is to say of a file, a result or a run, said once: as text for a
// terminal ([Doc.Text]), as a value for scripts ([Doc.Value]), and by package report as a page.
package doc

import (
	"fmt"
	"strings"
)

// Doc describes something. All text is plain text.
type Doc struct {
	Title    string // in a line
	Lead     []string
	Facts    []Fact // those that matter most
	Sections []Section
	Terms    []Fact // words that it uses, with what they mean
	Origin   []Fact // what made it: inputs, settings, hashes
	Value    any    // marshals to JSON
}

// Fact is a named value with a remark; Note may be empty.
type Fact struct{ Name, Value, Note string }

// Section is a part, its content in the order of the fields. A part without a heading belongs to
// the one before.
type Section struct {
	Heading  string
	Text     []string // paragraphs
	Facts    []Fact
	Commands []Fact // to type: what for, and the command
	Table    *Table
	Drawn    bool // the table has what the figures show: a page folds it away below them if it is long
	Boards   []Board
	Plain    string    // text as it is, line by line
	Figures  []Drawing // of a page
	Note     string    // below
	Aside    bool      // on a page alone, and folded away there
}

// Drawing is what can be drawn, once somebody wants to see it.
type Drawing interface{ Draw() (Figure, error) }

// Figure is a drawing for wide and narrow screens, and as a picture.
type Figure struct {
	Name        string // name of the files, without extension: letters, digits, '-' and '_'
	Caption     string // what the figure shows and how to read it
	Alt         string // description for readers who cannot see it
	SVG, Narrow []byte // as package report draws it
	PNG         func() ([]byte, error)
	Values      *Table // that are drawn; nil for none
}

// Draw implements [Drawing].
func (f Figure) Draw() (Figure, error) { return f, nil }

// Board is a position: its text and its diagram, what there is to say of it, and how a page
// draws it, nil for the diagram alone.
type Board struct {
	Board, Diagram string
	Line, Link     string // where a page leads to from it; "" for nowhere
	Drawing        Drawing
}

// Table has a cell for each column in every row. Columns of numbers are aligned to the right.
type Table struct {
	Header  []string
	Rows    [][]string
	Caption string
	Bars    []int    // a bar for each row; nil for none
	Links   []string // where a page leads to from each row; nil for nowhere
}

// NewTable makes a table without rows.
func NewTable(header ...string) *Table { return &Table{Header: header} }

// TableOf makes a row of each element of a list.
func TableOf[T any](header []string, list []T, row func(T) []any) *Table {
	t := NewTable(header...)
	for _, x := range list {
		t.Add(row(x)...)
	}
	return t
}

// Add adds a row. Cells that it lacks are empty.
func (t *Table) Add(cells ...any) {
	row := make([]string, max(len(t.Header), len(cells)))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.Rows = append(t.Rows, row)
}

// Numeric reports whether a column has numbers, shares or nothing: also with signs, error bars
// and intervals, as in "−1 024.5 ± 3 %" and "+500 [+412, +669]".
func (t *Table) Numeric(column int) bool {
	seen := false
	for _, row := range t.Rows {
		if strings.Trim(row[column], "0123456789+-−–±<≤≥>.,eE×/:%[] \u00a0") != "" {
			return false
		}
		seen = seen || strings.ContainsAny(row[column], "0123456789")
	}
	return seen
}

// Check refuses rows whose length differs from the header's.
func (t *Table) Check() error {
	for i, row := range t.Rows {
		if len(row) != len(t.Header) {
			return fmt.Errorf("table row %d has %d cells, expected %d as in the header", i, len(row), len(t.Header))
		}
	}
	return nil
}

// Facts lists names and values in turn, without those whose value is empty.
func Facts(pairs ...string) (all []Fact) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, Fact{Name: pairs[i], Value: pairs[i+1]})
		}
	}
	return all
}

// Add adds a section.
func (d *Doc) Add(s Section) { d.Sections = append(d.Sections, s) }

// Addf adds a paragraph.
func (d *Doc) Addf(format string, args ...any) {
	d.Add(Section{Text: []string{fmt.Sprintf(format, args...)}})
}

// Figures are all drawings, to be exchanged for what they draw.
func (d *Doc) Figures() (all []*Drawing) {
	for _, s := range d.Sections {
		for i := range s.Figures {
			all = append(all, &s.Figures[i])
		}
	}
	return all
}

// AddDoc adds all of another document.
func (d *Doc) AddDoc(heading string, o *Doc) {
	if o.Title != "" {
		heading += ": " + o.Title
	}
	first := Section{Heading: heading, Text: o.Lead, Facts: append(o.Facts, o.Origin...)}
	rest := o.Sections
	if len(first.Text)+len(first.Facts) == 0 && len(rest) > 0 && rest[0].Heading == "" {
		first, rest = rest[0], rest[1:]
		first.Heading = heading
	}
	d.Sections = append(append(d.Sections, first), rest...)
}

// DrawFunc is a function that is a [Drawing].
type DrawFunc func() (Figure, error)

// Draw implements [Drawing].
func (f DrawFunc) Draw() (Figure, error) { return f() }
