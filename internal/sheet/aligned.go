package sheet

import (
	"strings"
	"unicode/utf8"
)

// Aligned lays a table out in columns: those that hold numbers to the right, others to
// the left. The first row is the header.
func Aligned(table [][]string) string {
	widths, numbers := shape(table)
	var b strings.Builder
	for _, row := range table {
		line := ""
		for j, text := range row {
			pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(text))
			if numbers[j] {
				line += "  " + pad + text
			} else {
				line += "  " + text + pad
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// shape is the width of each column, and which hold numbers alone.
func shape(table [][]string) (widths []int, numbers []bool) {
	for i, row := range table {
		for j, text := range row {
			if j == len(widths) {
				widths, numbers = append(widths, 0), append(numbers, true)
			}
			widths[j] = max(widths[j], utf8.RuneCountInString(text))
			if i > 0 && !numeric(text) {
				numbers[j] = false
			}
		}
	}
	return widths, numbers
}

// Width is how many characters a table takes when it is aligned.
func Width(table [][]string) (width int) {
	widths, _ := shape(table)
	for _, w := range widths {
		width += 2 + w
	}
	return width
}

// numeric tells whether a text is a number, a share, or nothing.
func numeric(text string) bool {
	return strings.Trim(text, "+-0123456789.,e%– ") == ""
}
