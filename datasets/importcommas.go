package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Depending on the locale, programs write one and a half as 1,5, or 1234 as 1,234. The whole column
// decides what a comma means, never a single value.
var (
	oneMark   = regexp.MustCompile(`^[+-]?(\d+[.,]\d*|[.,]\d+)([eE][+-]?\d+)?$`)
	someMarks = regexp.MustCompile(`^[+-]?[\d.,]*,[\d.,]*([eE][+-]?\d+)?$`) // at least one comma
	thousands = regexp.MustCompile(`^[+-]?[1-9]\d{0,2}[.,]\d{3}$`)
)

// The meanings of a mark: certainly of decimals, of decimals or thousands, or of neither.
const (
	comma = iota
	point
	commaDoubt
	pointDoubt
	severalMarks
)

// markedNumber is a number with a comma or point, and its place.
type markedNumber struct{ text, place string }

// marks are the first numbers of a column that have a mark, by its possible meaning.
type marks [severalMarks + 1]markedNumber

func (m *marks) note(text, place string) {
	meaning := severalMarks
	if oneMark.MatchString(text) {
		meaning = point
		if strings.Contains(text, ",") {
			meaning = comma
		}
		if thousands.MatchString(text) {
			meaning += commaDoubt
		}
	} else if !someMarks.MatchString(text) {
		return
	}
	if m[meaning].text == "" {
		m[meaning] = markedNumber{text, place}
	}
}

// check refuses a column with commas in its numbers, unless all are decimal marks. decimal is a
// number with a decimal comma in any column, or "".
func (m *marks) check(decimal string) (at markedNumber, err error) {
	none := markedNumber{}
	commas := cmp.Or(m[comma], m[commaDoubt])
	points := cmp.Or(m[point], m[pointDoubt])
	switch {
	case m[severalMarks] != none:
		return m[severalMarks], errors.New("expected a number without thousands separators")
	case commas != none && points != none:
		return commas, fmt.Errorf("expected a decimal point, as in %q", points.text)
	case commas != none && m[comma] == none:
		return commas, errors.New("the comma may separate decimals or thousands")
	case decimal != "" && m[pointDoubt] != none && m[point] == none:
		return m[pointDoubt], fmt.Errorf("the point may separate thousands: "+
			"other columns have decimal commas, as in %q", decimal)
	}
	return none, nil
}

// withDecimalPoints replaces decimal commas by points in the numbers of a row, if the column uses decimal
// commas throughout.
func (f *importTable[P]) withDecimalPoints(ctx context.Context, cells []string) error {
	for i, text := range cells {
		if i == f.at[f.Board] || !strings.Contains(text, ",") || !someMarks.MatchString(text) {
			continue
		}
		if !f.decimalComma {
			if err := f.detectDecimalCommas(ctx); err != nil {
				return err
			}
			f.decimalComma = true
		}
		cells[i] = strings.Replace(text, ",", ".", 1)
	}
	return nil
}

// detectDecimalCommas reads the whole table once to decide what commas in its numbers mean.
func (f *importTable[P]) detectDecimalCommas(ctx context.Context) error {
	columns := make([]marks, len(f.selected))
	for row, err := range f.cells(ctx) {
		if err != nil {
			return err
		}
		for i, text := range row.Cells {
			if i != f.at[f.Board] {
				columns[i].note(text, row.Place)
			}
		}
	}
	decimal := ""
	for _, m := range columns {
		decimal = cmp.Or(decimal, m[comma].text)
	}
	for i, m := range columns {
		at, doubt := m.check(decimal)
		if doubt != nil {
			return fmt.Errorf("%s%s: column %s contains %q: %w; "+
				"write numbers with a decimal point and no thousands separators",
				f.path, at.place, f.selected[i], at.text, doubt)
		}
	}
	return nil
}
