package datasets

import (
	"errors"
	"math"
	"slices"
	"strings"
)

// rowFilter says which rows are wanted. The zero value wants all. [parseFilter] reads one.
type rowFilter struct{ wanted condition }

// filterValues are the values of rows by the number of the column: numbers, truth as 0 or 1, and
// texts.
type filterValues struct {
	numbers func(column int) []float64
	texts   func(column int) []string
}

// condition is part of a filter.
type condition interface {
	// holds sets for each row whether the condition holds.
	holds(v filterValues, to []bool)
	// possible reports whether it can hold in rows whose values have bounds.
	possible(bounds bounds) bool
	// columns are those it compares.
	columns() []int
}

// bounds are those of the values of a column, where they are known.
type bounds func(column int) (low, high float64, known bool)

type (
	every  []condition // all hold
	either []condition // at least one holds
)

func (all every) holds(v filterValues, to []bool)  { combine(all, v, to, false) }
func (all either) holds(v filterValues, to []bool) { combine(all, v, to, true) }

// combine sets for each row whether a condition is decisive, else the opposite.
func combine(all []condition, v filterValues, to []bool, decisive bool) {
	all[0].holds(v, to)
	if len(all) == 1 {
		return
	}
	next := make([]bool, len(to))
	for _, c := range all[1:] {
		c.holds(v, next)
		for i, holds := range next {
			if holds == decisive {
				to[i] = decisive
			}
		}
	}
}

func (all every) possible(b bounds) bool {
	return !slices.ContainsFunc(all, func(c condition) bool { return !c.possible(b) })
}

func (all either) possible(b bounds) bool {
	return slices.ContainsFunc(all, func(c condition) bool { return c.possible(b) })
}

func (all every) columns() []int  { return columnsOfAll(all) }
func (all either) columns() []int { return columnsOfAll(all) }

func columnsOfAll(all []condition) (columns []int) {
	for _, c := range all {
		columns = append(columns, c.columns()...)
	}
	return columns
}

// comparison compares two sums.
type comparison struct {
	operator    string
	left, right sum
}

// sum is a constant and columns that are added or taken away.
type sum struct {
	constant float64
	terms    []term
	truth    bool // it is true or false
}

type term struct {
	column int
	sign   float64
}

// of is the sum in each of n rows.
func (s sum) of(v filterValues, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = s.constant
	}
	for _, t := range s.terms {
		for i, x := range v.numbers(t.column) {
			all[i] += t.sign * x
		}
	}
	return all
}

// within is the bounds of the sum.
func (s sum) within(b bounds) (low, high float64) {
	low, high = s.constant, s.constant
	for _, t := range s.terms {
		from, to, known := b(t.column)
		if !known {
			return math.Inf(-1), math.Inf(1)
		}
		from, to = t.sign*from, t.sign*to
		low, high = low+min(from, to), high+max(from, to)
	}
	return low, high
}

func (c comparison) holds(v filterValues, to []bool) {
	a, b := c.left.of(v, len(to)), c.right.of(v, len(to))
	for i := range to {
		switch c.operator {
		case "=":
			to[i] = a[i] == b[i]
		case "!=":
			to[i] = a[i] != b[i]
		case "<":
			to[i] = a[i] < b[i]
		case "<=":
			to[i] = a[i] <= b[i]
		case ">":
			to[i] = a[i] > b[i]
		default:
			to[i] = a[i] >= b[i]
		}
	}
}

func (c comparison) possible(b bounds) bool {
	low, high := c.left.within(b)
	from, to := c.right.within(b)
	switch c.operator {
	case "=":
		return low <= to && from <= high
	case "!=":
		return low != high || from != to || low != from
	case "<":
		return low < to
	case "<=":
		return low <= to
	case ">":
		return high > from
	}
	return high >= from
}

func (c comparison) columns() (all []int) {
	for _, t := range slices.Concat(c.left.terms, c.right.terms) {
		all = append(all, t.column)
	}
	return all
}

// textComparison compares a column of text.
type textComparison struct {
	column int
	text   string
	differ bool
}

func (c textComparison) holds(v filterValues, to []bool) {
	for i, text := range v.texts(c.column) {
		to[i] = (text != c.text) == c.differ
	}
}

func (c textComparison) possible(bounds) bool { return true }
func (c textComparison) columns() []int       { return []int{c.column} }

// matching are the numbers of the wanted ones of n rows; nil is all of them. numbers and texts are the
// values of a column by its number.
func (f rowFilter) matching(n int, numbers func(column int) []float64, texts func(column int) []string) []int32 {
	if f.wanted == nil {
		return nil
	}
	wanted := make([]bool, n)
	f.wanted.holds(filterValues{numbers, texts}, wanted)
	rows := make([]int32, 0, n)
	for i, w := range wanted {
		if w {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// rows is Rows of the columns of a table, of which places reports where those of the filter are.
func (f rowFilter) rows(n int, cols []column, places []int) []int32 {
	return f.matching(n,
		func(column int) []float64 {
			if c := &cols[places[column]]; c.typ != typeFloat64 {
				return c.appendNumbers(make([]float64, 0, n))
			}
			return cols[places[column]].floats
		},
		func(column int) []string { return cols[places[column]].texts })
}

func (f rowFilter) possible(b bounds) bool { return f.wanted == nil || f.wanted.possible(b) }

func (f rowFilter) columns() []int {
	if f.wanted == nil {
		return nil
	}
	return f.wanted.columns()
}

// filterColumns are the columns that a filter can name, in the order in which Rows has their
// values: those of [Table.Fields], then key and board.
func filterColumns(fields []Column) []Column {
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
		all = append(all, named{c.Name, c.Type, sum{terms: []term{{i, 1}}}})
	}
	for _, f := range features {
		plain := ColumnName(f)
		own, other := at("own_"+plain), at("opp_"+plain)
		for _, name := range slices.Compact([]string{f, plain}) {
			if own >= 0 && other >= 0 && at(name) < 0 {
				all = append(all, named{name, NumberField, sum{terms: []term{{own, 1}, {other, -1}}}})
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
		return s.truth || slices.ContainsFunc(s.terms, func(t term) bool { return columns[t.column].Type == TruthField })
	}
	if !truth(c.left) && !truth(c.right) {
		return nil
	}
	for _, s := range []sum{c.left, c.right} {
		word := s.truth && s.terms == nil
		column := !s.truth && truth(s) && len(s.terms) == 1 && s.terms[0].sign == 1 && s.constant == 0
		if !word && !column || c.operator != "=" && c.operator != "!=" {
			return errors.New("truth is compared by = or !=: expected true or false alone")
		}
	}
	return nil
}
