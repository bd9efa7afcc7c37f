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

// marked is a number with a comma or point, and its place.
type marked struct{ text, place string }

// marks are the first numbers of a column that have a mark, by its possible meaning.
type marks struct {
	comma, point           marked // certainly a decimal mark
	commaDoubt, pointDoubt marked // a mark of decimals or of thousands
	several                marked // not a number with one decimal mark
}

func (m *marks) note(text, place string) {
	in := &m.several
	switch comma := strings.Contains(text, ","); {
	case !oneMark.MatchString(text):
		if !someMarks.MatchString(text) {
			return
		}
	case thousands.MatchString(text) && comma:
		in = &m.commaDoubt
	case thousands.MatchString(text):
		in = &m.pointDoubt
	case comma:
		in = &m.comma
	default:
		in = &m.point
	}
	if in.text == "" {
		*in = marked{text, place}
	}
}

// check refuses a column with commas in its numbers, unless all are decimal marks.
func (m *marks) check() (at marked, err error) {
	comma, point := cmp.Or(m.comma, m.commaDoubt), cmp.Or(m.point, m.pointDoubt)
	switch none := (marked{}); {
	case m.several != none:
		return m.several, errors.New("expected a number without thousands separators")
	case comma != none && point != none:
		return comma, fmt.Errorf("expected a decimal point, as in %q", point.text)
	case comma != none && m.comma == none:
		return comma, errors.New("the comma may separate decimals or thousands")
	}
	return at, nil
}

// withDecimalPoints replaces decimal commas by points in the numbers of a row, if the column uses decimal
// commas throughout.
func (f *foreignTable[P]) withDecimalPoints(ctx context.Context, cells []string) error {
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
func (f *foreignTable[P]) detectDecimalCommas(ctx context.Context) error {
	columns := make([]marks, len(f.wanted))
	err := f.cells(ctx, func(place string, cells []string) error {
		for i, text := range cells {
			if i != f.at[f.Board] {
				columns[i].note(text, place)
			}
		}
		return nil
	})
	decimal := "" // a number with a decimal comma
	for _, m := range columns {
		decimal = cmp.Or(decimal, m.comma.text)
	}
	for i, m := range columns {
		at, doubt := m.check()
		if none := (marked{}); doubt == nil && decimal != "" && m.pointDoubt != none && m.point == none {
			at, doubt = m.pointDoubt, fmt.Errorf("the point may separate thousands: other columns have decimal commas, as in %q", decimal)
		}
		if err == nil && doubt != nil {
			err = fmt.Errorf("%s%s: column %s contains %q: %w; write numbers with a decimal point and no thousands separators", f.path, at.place, f.wanted[i], at.text, doubt)
		}
	}
	return err
}
