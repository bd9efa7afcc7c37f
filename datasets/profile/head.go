package profile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"kroo/internal/sheet"
)

// screen is the width of a terminal, in characters, that text for people keeps to.
const screen = 80

// headText shows the first rows: in columns where they fit into a terminal, else the
// values of a row below its board.
func (s *Profile) headText() string {
	if len(s.boards) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nRows\n")
	table := sheet.Aligned(s.rowTable)
	columns := sheet.Width(s.rowTable) <= screen
	if columns {
		b.WriteString(table)
	}
	for i, board := range s.boards {
		fmt.Fprintf(&b, "\nrow %d\n%s", i+1, board)
		if !columns {
			b.WriteString(pairs(s.rowTable[0][1:], s.rowTable[i+1][1:]))
		}
	}
	return b.String()
}

// pairs are names and values, as many on a line as fit.
func pairs(names, values []string) string {
	var b strings.Builder
	width := 0
	for i, name := range names {
		text := name + " " + values[i]
		if n := utf8.RuneCountInString(text) + 2; width > 0 && width+n > screen {
			b.WriteByte('\n')
			width = n
		} else {
			width += n
		}
		b.WriteString("  " + text)
	}
	return b.String() + "\n"
}
