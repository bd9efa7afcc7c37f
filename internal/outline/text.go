package outline

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
	if utf8.RuneCountInString(head) > Screen {
		head = strings.TrimSuffix(wrap(head, Screen), "\n")
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

// Text formats the table: numeric columns right-aligned, others left-aligned, a bar after each row. A
// table that is wider than the screen gets narrower gaps; if that is not enough, it is folded: the
// columns that do not fit follow below, after the first column or a number and a name. If the last
// column is sentences, they continue in that column instead.
func (t *Table) Text() string {
	if t.width(wideGap) <= Screen {
		return t.lines(wideGap)
	}
	if last := len(t.Header) - 1; !t.Numeric(last) && t.columnWidth(last) > Screen/2 {
		return t.linesWithSentences()
	}
	var b strings.Builder
	for i, part := range t.fold() {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(part.lines(narrowGap))
	}
	return b.String()
}

// linesWithSentences formats the table without folding it. The last column, of sentences, is wrapped, unless
// the others take more than half the screen.
func (t *Table) linesWithSentences() string {
	last := len(t.Header) - 1
	rest := &Table{Header: t.Header[:last]}
	texts := []string{t.Header[last]}
	for _, row := range t.Rows {
		rest.Rows = append(rest.Rows, row[:last])
		texts = append(texts, row[last])
	}
	indent := rest.width(narrowGap) + len(narrowGap)
	if indent > Screen/2 {
		return t.lines(narrowGap)
	}
	var b strings.Builder
	i := 0
	for head := range strings.Lines(rest.lines(narrowGap)) {
		head = pad(strings.TrimSuffix(head, "\n"), indent)
		for line := range strings.Lines(wrap(texts[i], Screen-indent)) {
			b.WriteString(strings.TrimRight(head+line, " \n") + "\n")
			head = strings.Repeat(" ", indent)
		}
		i++
	}
	return b.String()
}

// Blanks before each column of a table.
const (
	wideGap   = "  "
	narrowGap = " "
)

// columnWidth returns the width of a column, in characters.
func (t *Table) columnWidth(j int) int {
	width := utf8.RuneCountInString(t.Header[j])
	for _, row := range t.Rows {
		width = max(width, utf8.RuneCountInString(row[j]))
	}
	return width
}

// width returns the width of the table without bars, in characters.
func (t *Table) width(gap string) int {
	all := 0
	for j := range t.Header {
		all += len(gap) + t.columnWidth(j)
	}
	return all
}

// fold divides the table into parts that fit on the screen with narrow gaps, as far as its keys leave
// room. The last part has the bars.
func (t *Table) fold() []*Table {
	keys := []int{0}
	if len(t.Header) > 1 && t.Numeric(0) && !t.Numeric(1) {
		keys = []int{0, 1}
	}
	columns := slices.Clone(keys)
	var parts []*Table
	for j := len(keys); j < len(t.Header); j++ {
		wider := t.columns(append(slices.Clone(columns), j))
		if len(columns) > len(keys) && wider.width(narrowGap) > Screen {
			parts = append(parts, t.columns(columns))
			columns = slices.Clone(keys)
		}
		columns = append(columns, j)
	}
	last := t.columns(columns)
	last.Bars = t.Bars
	return append(parts, last)
}

// columns returns a table of some columns.
func (t *Table) columns(list []int) *Table {
	pick := func(row []string) (cells []string) {
		for _, j := range list {
			cells = append(cells, row[j])
		}
		return cells
	}
	part := &Table{Header: pick(t.Header)}
	for _, row := range t.Rows {
		part.Rows = append(part.Rows, pick(row))
	}
	return part
}

// lines formats the table without folding it.
func (t *Table) lines(gap string) string {
	widths := make([]int, len(t.Header))
	numeric := make([]bool, len(t.Header))
	for j := range t.Header {
		widths[j] = t.columnWidth(j)
		numeric[j] = t.Numeric(j)
	}
	room := Screen - len(wideGap) - t.width(gap) // for bars
	var b strings.Builder
	for i, row := range append([][]string{t.Header}, t.Rows...) {
		line := ""
		for j, text := range row {
			blanks := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(text))
			if numeric[j] {
				text = blanks + text
			} else {
				text += blanks
			}
			line += gap + text
		}
		if t.Bars != nil && i > 0 {
			line += wideGap + bar(t.Bars[i-1], slices.Max(t.Bars), min(longestBar, room))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// wrap breaks text at blanks into lines of at most the given length, in characters.
func wrap(text string, most int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(fill(strings.Fields(line), "", most))
	}
	return b.String()
}

// Fill joins words to lines that fit on the screen. Those after the first begin with indent.
func Fill(words []string, indent string) string { return fill(words, indent, Screen) }

func fill(words []string, indent string, most int) string {
	var b strings.Builder
	width := 0
	for i, word := range words {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+n > most:
			b.WriteString("\n" + indent)
			width = utf8.RuneCountInString(indent)
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
	}
	b.WriteByte('\n')
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
