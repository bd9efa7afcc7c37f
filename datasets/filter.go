package datasets

import (
	"errors"
	"slices"
	"strings"
)

// Filter says which rows are wanted. The zero value wants all. [ParseFilter] reads one.
type Filter struct{ wanted condition }

// rowValues are the values of a row by the number of the column: numbers, truth as 0 or 1, and
// texts.
type rowValues struct {
	number func(column int) float64
	text   func(column int) string
}

// condition is part of a filter.
type condition interface{ holds(r rowValues) bool }

type (
	every  []condition // all hold
	either []condition // at least one holds
)

func (all every) holds(r rowValues) bool {
	return !slices.ContainsFunc(all, func(c condition) bool { return !c.holds(r) })
}

func (all either) holds(r rowValues) bool {
	return slices.ContainsFunc(all, func(c condition) bool { return c.holds(r) })
}

// comparison compares two sums.
type comparison struct {
	operator    string
	left, right sum
}

// sum is a constant and columns that are added or taken away.
type sum struct {
	constant float64
	columns  []term
	truth    bool // it is true or false
}

type term struct {
	column int
	sign   float64
}

func (s sum) of(r rowValues) float64 {
	v := s.constant
	for _, c := range s.columns {
		v += c.sign * r.number(c.column)
	}
	return v
}

func (c comparison) holds(r rowValues) bool {
	a, b := c.left.of(r), c.right.of(r)
	switch c.operator {
	case "=":
		return a == b
	case "!=":
		return a != b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}

// textComparison compares a column of text.
type textComparison struct {
	column int
	text   string
	differ bool
}

func (c textComparison) holds(r rowValues) bool {
	return (r.text(c.column) != c.text) == c.differ
}

// Wants reports whether a row is wanted, by the values of its columns: text of those of text,
// and number of the others.
func (f Filter) Wants(number func(column int) float64, text func(column int) string) bool {
	return f.wanted == nil || f.wanted.holds(rowValues{number, text})
}

// FilterColumns are the columns that a filter can name, in the order in which Wants has their
// values: those of [Fields], then key and board.
func FilterColumns(fields []Column) []Column {
	return append(slices.Clone(fields), Column{Name: "key", Type: NumberField}, Column{Name: "board", Type: TextField})
}

// named is what a filter can call by a name: a column, or the difference of a feature, own minus
// the other side's, which is what weights are fitted to.
type named struct {
	name string
	typ  string // of the column
	is   sum
}

// namesOf lists the columns and the features that are no columns by the same name.
func namesOf(columns []Column, features []string) []named {
	var all []named
	at := func(name string) int {
		return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	}
	for i, c := range columns {
		all = append(all, named{c.Name, c.Type, sum{columns: []term{{i, 1}}}})
	}
	for _, f := range features {
		plain := ColumnName(f)
		own, other := at("own_"+plain), at("opp_"+plain)
		for _, name := range slices.Compact([]string{f, plain}) {
			if own >= 0 && other >= 0 && at(name) < 0 {
				all = append(all, named{name, NumberField, sum{columns: []term{{own, 1}, {other, -1}}}})
			}
		}
	}
	return all
}

// listed are the names for an error.
func listed(all []named) string {
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.name
	}
	return strings.Join(names, ", ")
}

// check refuses to compare truth with numbers.
func (c comparison) check(columns []Column) error {
	truth := func(s sum) bool {
		return s.truth || slices.ContainsFunc(s.columns, func(t term) bool { return columns[t.column].Type == TruthField })
	}
	if !truth(c.left) && !truth(c.right) {
		return nil
	}
	for _, s := range []sum{c.left, c.right} {
		word := s.truth && s.columns == nil
		column := !s.truth && truth(s) && len(s.columns) == 1 && s.columns[0].sign == 1 && s.constant == 0
		if !word && !column || c.operator != "=" && c.operator != "!=" {
			return errors.New("truth is compared by = or !=: expected true or false alone")
		}
	}
	return nil
}
