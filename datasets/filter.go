package datasets

import (
	"math"
	"slices"
	"strings"
)

// rowFilter selects rows; the zero value selects all. [parseFilter] parses one.
type rowFilter struct{ wanted *expression }

// expression is a number per row; a condition is 1 if true, else 0.
type expression struct {
	operator string // of the two parts, or one of these:
	left     *expression
	right    *expression

	constant float64 // constantOf
	column   int     // columnOf, and textIs
	text     string  // textIs
	truth    bool    // the value is a boolean or a sum of booleans
}

const (
	constantOf = "constant"
	columnOf   = "column" // of numbers or booleans
	textIs     = "text"   // a column of text equals a text
)

// operators combine two numbers, and the bounds of two.
var operators = map[string]struct {
	of     func(a, b float64) float64
	bounds func(a, b interval) interval
}{
	"+": {func(a, b float64) float64 { return a + b },
		func(a, b interval) interval { return interval{a.low + b.low, a.high + b.high} }},
	"-": {func(a, b float64) float64 { return a - b },
		func(a, b interval) interval { return interval{a.low - b.high, a.high - b.low} }},
	"and": {math.Min, func(a, b interval) interval { return interval{min(a.low, b.low), min(a.high, b.high)} }},
	"or":  {math.Max, func(a, b interval) interval { return interval{max(a.low, b.low), max(a.high, b.high)} }},
	"=": {func(a, b float64) float64 { return number(a == b) },
		func(a, b interval) interval { return possibly(a.low <= b.high && b.low <= a.high) }},
	"!=": {func(a, b float64) float64 { return number(a != b) },
		func(a, b interval) interval { return possibly(a.low != a.high || a != b) }},
	"<":  {func(a, b float64) float64 { return number(a < b) }, func(a, b interval) interval { return possibly(a.low < b.high) }},
	"<=": {func(a, b float64) float64 { return number(a <= b) }, func(a, b interval) interval { return possibly(a.low <= b.high) }},
	">":  {func(a, b float64) float64 { return number(a > b) }, func(a, b interval) interval { return possibly(a.high > b.low) }},
	">=": {func(a, b float64) float64 { return number(a >= b) }, func(a, b interval) interval { return possibly(a.high >= b.low) }},
}

// interval bounds a number.
type interval struct{ low, high float64 }

// possibly returns the interval of a condition.
func possibly(can bool) interval { return interval{0, number(can)} }

// bounds returns the bounds of a column's values, if known.
type bounds func(column int) (low, high float64, known bool)

// of evaluates the expression for n rows.
func (e *expression) of(cols []column, n int) []float64 {
	all := make([]float64, 0, n)
	switch e.operator {
	case constantOf:
		return slices.Repeat([]float64{e.constant}, n)
	case columnOf:
		return cols[e.column].appendNumbers(all)
	case textIs:
		for _, text := range cols[e.column].texts {
			all = append(all, number(text == e.text))
		}
		return all
	}
	left, right, of := e.left.of(cols, n), e.right.of(cols, n), operators[e.operator].of
	for i, x := range right {
		left[i] = of(left[i], x)
	}
	return left
}

// within returns bounds of the expression's values.
func (e *expression) within(b bounds) interval {
	switch e.operator {
	case constantOf:
		return interval{e.constant, e.constant}
	case columnOf:
		if low, high, known := b(e.column); known {
			return interval{low, high}
		}
		return interval{math.Inf(-1), math.Inf(1)}
	case textIs:
		return interval{0, 1}
	}
	return operators[e.operator].bounds(e.left.within(b), e.right.within(b))
}

// columns lists the columns that the expression needs.
func (e *expression) columns() []int {
	switch e.operator {
	case constantOf:
		return nil
	case columnOf, textIs:
		return []int{e.column}
	}
	return append(e.left.columns(), e.right.columns()...)
}

// rows returns the numbers of the selected ones of n rows; nil means all.
func (f rowFilter) rows(n int, cols []column) []int32 {
	if f.wanted == nil {
		return nil
	}
	rows := make([]int32, 0, n)
	for i, wanted := range f.wanted.of(cols, n) {
		if wanted != 0 {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// possible reports whether a row with values within the bounds can be selected.
func (f rowFilter) possible(b bounds) bool { return f.wanted == nil || f.wanted.within(b).high > 0 }

func (f rowFilter) columns() []int {
	if f.wanted == nil {
		return nil
	}
	return f.wanted.columns()
}

// named is a name that a filter can use: a column, or the difference of a feature, own minus
// opponent's, to which weights are fitted.
type named struct {
	name string
	typ  columnType
	is   expression
}

// namesOf lists the columns, those of little interest last, and the features that no column shares
// a name with.
func namesOf(cols []column, features []string) []named {
	var all []named
	at := func(name string) int {
		return slices.IndexFunc(cols, func(c column) bool { return c.name == name })
	}
	of := func(i int) *expression {
		return &expression{operator: columnOf, column: i, truth: cols[i].typ == typeBool}
	}
	for _, hidden := range []bool{false, true} {
		for i, c := range cols {
			if c.hidden == hidden {
				all = append(all, named{c.name, c.typ, *of(i)})
			}
		}
	}
	for _, f := range features {
		plain := ColumnName(f)
		own, other := at("own_"+plain), at("opp_"+plain)
		for _, name := range slices.Compact([]string{f, plain}) {
			if own >= 0 && other >= 0 && at(name) < 0 {
				all = append(all, named{name, typeFloat64, expression{operator: "-", left: of(own), right: of(other)}})
			}
		}
	}
	return all
}

// listed formats the names for an error.
func listed(all []named) string {
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.name
	}
	return strings.Join(names, ", ")
}
