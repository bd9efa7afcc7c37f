package doc

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Screen is the width to which text is wrapped, in characters.
const Screen = 80

// Text formats the document for a terminal; name precedes the title.
func (d *Doc) Text(name string) string {
	head := name + ": " + d.Title
	if name == "" || d.Title == "" {
		head = name + d.Title
	}
	if head == "" {
		return strings.TrimPrefix(d.Body(), "\n")
	}
	return head + "\n" + d.Body()
}

// Body formats everything below the title.
func (d *Doc) Body() string {
	var b strings.Builder
	for _, p := range d.Lead {
		b.WriteString(wrap(p, Screen))
	}
	b.WriteString(factsText(d.Facts))
	if len(d.Origin) > 0 {
		b.WriteString("\nOrigin\n" + factsText(d.Origin))
	}
	for _, s := range d.Sections {
		if !s.Aside {
			b.WriteString("\n" + s.text())
		}
	}
	return b.String()
}

func (s Section) text() string {
	var b strings.Builder
	if s.Heading != "" {
		b.WriteString(strings.ToUpper(s.Heading[:1]) + s.Heading[1:] + "\n")
	}
	for _, p := range s.Text {
		b.WriteString(wrap(p, Screen))
	}
	b.WriteString(factsText(s.Facts))
	for _, c := range s.Commands {
		b.WriteString("  " + c.Name + "\n      " + c.Value + "\n")
	}
	if s.Table != nil {
		b.WriteString(s.Table.Text())
	}
	b.WriteString(s.Plain)
	for i, board := range s.Boards {
		if i > 0 || b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(board.Diagram, "\n") + "\n" + board.Board + "\n" + wrap(board.Line, Screen))
	}
	b.WriteString(wrap(s.Note, Screen))
	return b.String()
}

// factsText aligns names, values and notes in columns. A note that takes more than two lines of its column stands below
// the value.
func factsText(all []Fact) string {
	names, values := 0, 0
	for _, f := range all {
		names = max(names, utf8.RuneCountInString(f.Name)+5)
		if f.Note != "" {
			values = max(values, utf8.RuneCountInString(f.Value)+2)
		}
	}
	names, values = min(names, Screen/2), min(values, Screen/4)
	var b strings.Builder
	for _, f := range all {
		head := pad("  "+f.Name+":", names)
		text := f.Value
		if f.Note != "" {
			column := head + pad(f.Value, values)
			width := utf8.RuneCountInString(column)
			if note := wrap(f.Note, Screen-width); strings.Count(note, "\n") <= 2 {
				head, text = column, note
			} else {
				text += "\n" + f.Note
			}
		}
		width := utf8.RuneCountInString(head)
		for line := range strings.Lines(wrap(text, Screen-width)) {
			b.WriteString(head + line)
			head = strings.Repeat(" ", width)
		}
	}
	return b.String()
}

// pad pads text with blanks to a width, at least one.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(1, width-utf8.RuneCountInString(text)))
}

// Text formats the table: numeric columns right-aligned, others left-aligned, a bar after each row.
func (t *Table) Text() string {
	rows := append([][]string{t.Header}, t.Rows...)
	widths, numbers := make([]int, len(t.Header)), make([]bool, len(t.Header))
	all := 0
	for j := range t.Header {
		for _, row := range rows {
			widths[j] = max(widths[j], utf8.RuneCountInString(row[j]))
		}
		numbers[j] = t.Numeric(j)
		all += widths[j] + 2
	}
	var b strings.Builder
	for i, row := range rows {
		line := ""
		for j, text := range row {
			pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(text))
			if numbers[j] {
				line += "  " + pad + text
			} else {
				line += "  " + text + pad
			}
		}
		if t.Bars != nil && i > 0 {
			line += "  " + bar(t.Bars[i-1], slices.Max(t.Bars), min(longestBar, Screen-2-all))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// wrap breaks text at blanks into lines of at most the given length, in characters.
func wrap(text string, most int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		width := 0
		for i, word := range strings.Fields(line) {
			n := utf8.RuneCountInString(word)
			switch {
			case i == 0:
			case width+1+n > most:
				b.WriteByte('\n')
				width = 0
			default:
				b.WriteByte(' ')
				width++
			}
			b.WriteString(word)
			width += n
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// longestBar is the greatest length of a table's bars, in characters.
const longestBar = 30

// bar returns a bar for n, scaled so that most is width characters long.
func bar(n, most, width int) string {
	if n == 0 || most == 0 || width < 1 {
		return ""
	}
	const parts = " ▏▎▍▌▋▊▉█"
	eighths := max(1, n*width*8/most)
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune(parts)[rest])
	}
	return text
}

// Percent formats n as a percentage of the total.
func Percent(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of)) }
