package profile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/sheet"
)

// screen is the width of a terminal, in characters, that text for people keeps to.
const screen = 80

// headRow is a row that is shown whole.
type headRow[P games.Position[P]] struct {
	number int64
	values []float64 // of the fields
	board  string
	text   string // the board as a picture and as text
}

func headOf[P games.Position[P]](t *table[P], i int) headRow[P] {
	p := t.positions[i]
	r := headRow[P]{number: t.numbers[i], board: t.game.Print(p), text: t.game.Diagram(p) + "\n" + t.game.Print(p) + "\n"}
	for _, f := range t.fields {
		r.values = append(r.values, f.values[i])
	}
	return r
}

// unitOf is a divisor of a column's values which makes them what people count in, and the name of
// that; 1 and "" of other columns.
func unitOf(game games.Info, column string) (per float64, unit string) {
	switch column {
	case "label", datasets.PredictionColumns[0], datasets.PredictionColumns[1]:
		return game.PointsPerUnit(), game.Unit + "s"
	}
	return 1, ""
}

// heading is a column with the unit of its values.
func heading(game games.Info, column string) string {
	if _, unit := unitOf(game, column); unit != "" {
		return column + ", " + unit
	}
	return column
}

// addHead puts the first rows into the sheet.
func addHead[P games.Position[P]](s *Profile, fields []field, rows []headRow[P]) {
	s.rowTable = [][]string{{"row"}}
	for _, f := range fields {
		s.rowTable[0] = append(s.rowTable[0], heading(s.game, f.name))
	}
	for _, r := range rows {
		row := map[string]any{"board": r.board}
		texts := []string{fmt.Sprint(r.number)}
		for k, f := range fields {
			v := r.values[k]
			if v == v { // not missing
				row[f.name] = f.json(v)
			}
			if per, unit := unitOf(s.game, f.name); unit != "" {
				texts = append(texts, fmt.Sprintf("%+.2f", v/per))
			} else {
				texts = append(texts, f.show(v))
			}
		}
		s.Head = append(s.Head, row)
		s.rowTable = append(s.rowTable, texts)
		s.boards = append(s.boards, r.text)
	}
}

// json is a value as JSON holds it.
func (f *field) json(v float64) any {
	switch f.typ {
	case datasets.TextField:
		return f.names[int(v)]
	case datasets.TruthField:
		return v != 0
	}
	return v
}

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
		fmt.Fprintf(&b, "\nrow %s\n%s", s.rowTable[i+1][0], board)
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

// wrapped is text in lines that fit into a terminal.
func wrapped(text string) string { return wrappedTo(text, screen) }

func wrappedTo(text string, most int) string {
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

// inLines breaks long values of rows of a name and a value.
func inLines(rows [][]string) (all [][]string) {
	const names = 15 // what they take at most, with the spaces
	for _, row := range rows {
		name := row[0]
		for line := range strings.Lines(wrappedTo(row[1], screen-names)) {
			all = append(all, []string{name, strings.TrimRight(line, "\n")})
			name = ""
		}
	}
	return all
}
