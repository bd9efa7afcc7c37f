// Package sheet is what a file holds, as the package that knows such files describes it:
// lines and tables for people, and a value for scripts.
package sheet

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Sheet describes a file.
type Sheet struct {
	Title string // what the file is, in a line
	Value any    // marshals to JSON
	Rest  string // text below all lines, as it is

	lines []string
}

// Line adds a line below the title. Cells of lines that follow each other stand in
// columns; a line of one cell is text, one of none is empty.
func (s *Sheet) Line(cells ...any) {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = fmt.Sprint(c)
	}
	s.lines = append(s.lines, strings.Join(texts, "\t"))
}

// Text is the sheet of a file for people.
func (s *Sheet) Text(path string) string { return path + ": " + s.Title + "\n" + s.Body() }

// Body is the text below the title.
func (s *Sheet) Body() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, line := range s.lines {
		fmt.Fprintln(w, line)
	}
	w.Flush()
	return b.String() + s.Rest
}
