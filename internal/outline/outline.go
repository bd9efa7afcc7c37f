// Package outline builds descriptions of files, results and runs that print as text ([Doc.Text]),
// marshal to JSON ([Doc.Value]) and render as pages (package report).
package outline

import (
	"fmt"
	"strings"
)

// Doc describes a file, a result or a run. All text is plain text.
type Doc struct {
	Title    string // one line
	Lead     []string
	Facts    []Fact // the most important ones
	Sections []Section
	Origin   []Fact // provenance: inputs, settings, hashes
	Value    any    // JSON output
}

// Fact is a named value with an optional note.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Note  string `json:"note,omitempty"`
}

// Section is a part of a document; its fields are shown in their order here. A section without a
// heading belongs to the preceding one.
type Section struct {
	Heading  string
	Text     []string // paragraphs
	Facts    []Fact
	Commands []Fact // description and command line to copy
	Table    *Table
	Drawn    bool   // the figures show the table's content: pages fold a long table away below them
	Plain    string // preformatted text
	Boards   []Board
	Figures  []Drawing // shown on pages only
	Note     string    // shown below the rest
	Folded   bool      // pages show only the heading until it is opened
	Aside    bool      // shown only on pages, folded
}

// IsFolded reports whether pages fold the section.
func (s Section) IsFolded() bool { return s.Folded || s.Aside }

// Drawing is a figure that is drawn on demand.
type Drawing interface{ Draw() (Figure, error) }

// Figure is a drawing as SVG, for wide and narrow screens, and as PNG.
type Figure struct {
	Name        string // file name without extension: letters, digits, '-' and '_'
	Caption     string // what the figure shows and how to read it
	Alt         string // description for readers who cannot see it
	SVG, Narrow []byte // drawn by package report
	PNG         func() ([]byte, error)
	Values      *Table // the values drawn; may be nil
}

// Draw implements [Drawing].
func (f Figure) Draw() (Figure, error) { return f, nil }

// Board is a position with its diagram, an optional description and an optional drawing for pages.
// Without a drawing, pages show the diagram.
type Board struct {
	Board, Diagram string
	Line, Link     string // Link is a page's link for the board; "" if absent
	Drawing        Drawing
}

// Table has one cell per column in every row. Numeric columns are right-aligned.
type Table struct {
	Header []string
	Rows   [][]string
	Bars   []int    // one per row; may be nil
	Links  []string // a page's link for each row, possibly ""; may be nil

	HeadLinks []string // a page's link for each column, which sorts by it; may be nil
}

// NewTable returns a table without rows.
func NewTable(header ...string) *Table { return &Table{Header: header} }

// TableOf returns a table with one row per element of list.
func TableOf[T any](header []string, list []T, row func(T) []any) *Table {
	t := NewTable(header...)
	for _, x := range list {
		t.Add(row(x)...)
	}
	return t
}

// Add appends a row, with empty cells for missing ones.
func (t *Table) Add(cells ...any) {
	row := make([]string, max(len(t.Header), len(cells)))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.Rows = append(t.Rows, row)
}

// Numeric reports whether a column consists of numbers, percentages and blanks. Signs, error bars
// and intervals are allowed, as in "−1 024.5 ± 3 %" and "+500 [+412, +669]".
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

// Check returns an error if a row's length differs from the header's.
func (t *Table) Check() error {
	for i, row := range t.Rows {
		if len(row) != len(t.Header) {
			return fmt.Errorf("table row %d has %d cells, expected %d as in the header", i, len(row), len(t.Header))
		}
	}
	return nil
}

// Facts makes facts of alternating names and values, skipping empty values.
func Facts(pairs ...string) (all []Fact) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, Fact{Name: pairs[i], Value: pairs[i+1]})
		}
	}
	return all
}

// Add appends a section.
func (d *Doc) Add(s Section) { d.Sections = append(d.Sections, s) }

// Addf appends a paragraph.
func (d *Doc) Addf(format string, args ...any) {
	d.Add(Section{Text: []string{fmt.Sprintf(format, args...)}})
}

// Figures returns pointers to all drawings, so that callers can replace them by the drawn figures.
func (d *Doc) Figures() (all []*Drawing) {
	for _, s := range d.Sections {
		for i := range s.Figures {
			all = append(all, &s.Figures[i])
		}
	}
	return all
}

// AddDoc appends another document's lead, facts and sections under a heading.
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
