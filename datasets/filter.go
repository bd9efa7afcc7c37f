package datasets

import (
	"math"
	"slices"
	"strings"
)

// rowFilter says which rows are wanted. The zero value wants all. [parseFilter] reads one.
type rowFilter struct{ wanted *expression }

// expression has a number in each row: of a condition 1 where it holds, else 0.
type expression struct {
	operator string // of the two parts, else one of these:
	left     *expression
	right    *expression

	constant float64 // constantOf
	column   int     // columnOf, and textIs
	text     string  // textIs
	truth    bool    // the value is true or false, or such values are added
}

const (
	constantOf = "constant"
	columnOf   = "column" // of numbers or truth
	textIs     = "text"   // a column of text has a text
)

// operators make a number of two, and bounds of bounds.
var operators = map[string]struct {
	of     func(a, b float64) float64
	bounds func(a, b limited) limited
}{
	"+": {func(a, b float64) float64 { return a + b },
		func(a, b limited) limited { return limited{a.low + b.low, a.high + b.high} }},
	"-": {func(a, b float64) float64 { return a - b },
		func(a, b limited) limited { return limited{a.low - b.high, a.high - b.low} }},
	"and": {math.Min, func(a, b limited) limited { return limited{min(a.low, b.low), min(a.high, b.high)} }},
	"or":  {math.Max, func(a, b limited) limited { return limited{max(a.low, b.low), max(a.high, b.high)} }},
	"=": {func(a, b float64) float64 { return number(a == b) },
		func(a, b limited) limited { return possibly(a.low <= b.high && b.low <= a.high) }},
	"!=": {func(a, b float64) float64 { return number(a != b) },
		func(a, b limited) limited { return possibly(a.low != a.high || a != b) }},
	"<":  {func(a, b float64) float64 { return number(a < b) }, func(a, b limited) limited { return possibly(a.low < b.high) }},
	"<=": {func(a, b float64) float64 { return number(a <= b) }, func(a, b limited) limited { return possibly(a.low <= b.high) }},
	">":  {func(a, b float64) float64 { return number(a > b) }, func(a, b limited) limited { return possibly(a.high > b.low) }},
	">=": {func(a, b float64) float64 { return number(a >= b) }, func(a, b limited) limited { return possibly(a.high >= b.low) }},
}

// limited is between which bounds a number is.
type limited struct{ low, high float64 }

// possibly are the bounds of a condition.
func possibly(can bool) limited { return limited{0, number(can)} }

// bounds are those of the values of a column, where they are known.
type bounds func(column int) (low, high float64, known bool)

// filterValues are the values of rows by the number of the column: numbers, truth as 0 or 1, and
// texts.
type filterValues struct {
	numbers func(column int) []float64
	texts   func(column int) []string
}

// of are the values in n rows.
func (e *expression) of(v filterValues, n int) []float64 {
	switch all := make([]float64, n); e.operator {
	case constantOf:
		for i := range all {
			all[i] = e.constant
		}
		return all
	case columnOf:
		copy(all, v.numbers(e.column))
		return all
	case textIs:
		for i, text := range v.texts(e.column) {
			all[i] = number(text == e.text)
		}
		return all
	}
	left, right, of := e.left.of(v, n), e.right.of(v, n), operators[e.operator].of
	for i, x := range right {
		left[i] = of(left[i], x)
	}
	return left
}

// within are bounds of the values.
func (e *expression) within(b bounds) limited {
	switch e.operator {
	case constantOf:
		return limited{e.constant, e.constant}
	case columnOf:
		if low, high, known := b(e.column); known {
			return limited{low, high}
		}
		return limited{math.Inf(-1), math.Inf(1)}
	case textIs:
		return limited{0, 1}
	}
	return operators[e.operator].bounds(e.left.within(b), e.right.within(b))
}

// columns are those whose values it needs.
func (e *expression) columns() []int {
	switch e.operator {
	case constantOf:
		return nil
	case columnOf, textIs:
		return []int{e.column}
	}
	return append(e.left.columns(), e.right.columns()...)
}

// matching are the numbers of the wanted ones of n rows; nil is all of them. numbers and texts are the
// values of a column by its number.
func (f rowFilter) matching(n int, numbers func(column int) []float64, texts func(column int) []string) []int32 {
	if f.wanted == nil {
		return nil
	}
	rows := make([]int32, 0, n)
	for i, wanted := range f.wanted.of(filterValues{numbers, texts}, n) {
		if wanted != 0 {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// rows is matching for the columns of a table, of which places reports where those of the filter are.
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

// possible reports whether a row can be wanted whose values have bounds.
func (f rowFilter) possible(b bounds) bool { return f.wanted == nil || f.wanted.within(b).high > 0 }

func (f rowFilter) columns() []int {
	if f.wanted == nil {
		return nil
	}
	return f.wanted.columns()
}

// filterColumns are the columns that a filter can name, in the order in which rows has their
// values: those of [Table.Fields], then key and board.
func filterColumns(fields []Column) []Column {
	return append(slices.Clone(fields), Column{Name: "key", Type: NumberField}, Column{Name: "board", Type: TextField})
}

// named is what a filter can call by a name: a column, or the difference of a feature, own minus
// the other side's, which is what weights are fitted to.
type named struct {
	name string
	typ  string // of the column
	is   expression
}

// namesOf lists the columns and the features that are no columns by the same name.
func namesOf(columns []Column, features []string) []named {
	var all []named
	at := func(name string) int {
		return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	}
	of := func(i int) *expression {
		return &expression{operator: columnOf, column: i, truth: columns[i].Type == TruthField}
	}
	for i, c := range columns {
		all = append(all, named{c.Name, c.Type, *of(i)})
	}
	for _, f := range features {
		plain := ColumnName(f)
		own, other := at("own_"+plain), at("opp_"+plain)
		for _, name := range slices.Compact([]string{f, plain}) {
			if own >= 0 && other >= 0 && at(name) < 0 {
				all = append(all, named{name, NumberField, expression{operator: "-", left: of(own), right: of(other)}})
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
