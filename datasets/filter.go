package datasets

import (
	"math"
	"slices"
)

// expression is a number per row; a condition is 1 if true, else 0. As a filter it selects the rows
// with 1, and nil selects all. [parseFilter] parses one.
type expression struct {
	of      func(cols []column, n int) []float64 // the values of n rows
	within  func(b bounds) interval              // bounds of the values
	columns []int                                // that it needs
	truth   bool                                 // a boolean, or a sum with one
	parts   bool                                 // it has two parts

	// whole returns the values of n rows as whole numbers; nil if some may not be whole. Comparisons
	// use it if wide is true: the numbers may be larger than a float64 represents exactly.
	whole func(cols []column, n int) []wholeNumber
	wide  bool
}

// rows returns the numbers of the selected ones of n rows; nil means all.
func (e *expression) rows(n int, cols []column) []int32 {
	if e == nil {
		return nil
	}
	rows := make([]int32, 0, n)
	for i, wanted := range e.of(cols, n) {
		if wanted != 0 {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// possible reports whether a row with values within the bounds can be selected.
func (e *expression) possible(b bounds) bool { return e == nil || e.within(b).high > 0 }

// interval bounds a number.
type interval struct{ low, high float64 }

var anything = interval{math.Inf(-1), math.Inf(1)}

// bounds returns the bounds of a column's values, if known.
type bounds func(column int) (low, high float64, known bool)

// maxExact is the largest whole number up to which a float64 represents all.
const maxExact = 1 << 53

// constant is a number in each row.
func constant(v float64, truth bool) *expression {
	return &expression{truth: truth,
		of:     func(_ []column, n int) []float64 { return slices.Repeat([]float64{v}, n) },
		within: func(bounds) interval { return interval{v, v} },
	}
}

// wholeConstant is a whole number in each row.
func wholeConstant(v uint64) *expression {
	e := constant(float64(v), false)
	e.wide = v > maxExact
	e.whole = func(_ []column, n int) []wholeNumber { return slices.Repeat([]wholeNumber{{low: v}}, n) }
	return e
}

// ofColumn is the values of a column of numbers or booleans.
func ofColumn(i int, typ columnType) *expression {
	e := &expression{columns: []int{i}, truth: typ == typeBool, wide: typ == typeInt64,
		of: func(cols []column, n int) []float64 { return cols[i].appendNumbers(make([]float64, 0, n)) },
		within: func(b bounds) interval {
			if low, high, known := b(i); known {
				return interval{low, high}
			}
			return anything
		}}
	if typ == typeInt64 || typ == typeInt32 || typ == typeUint8 {
		e.whole = func(cols []column, n int) []wholeNumber {
			all := make([]wholeNumber, 0, n)
			for _, v := range cols[i].ints {
				all = append(all, wholeOf(v))
			}
			return all
		}
	}
	return e
}

// textIs reports whether a column of text is equal to a text.
func textIs(i int, text string) *expression {
	return &expression{columns: []int{i},
		of: func(cols []column, n int) []float64 {
			all := make([]float64, 0, n)
			for _, v := range cols[i].texts {
				all = append(all, number(v == text))
			}
			return all
		},
		within: func(bounds) interval { return possibly(true) },
	}
}

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
	"<": {func(a, b float64) float64 { return number(a < b) },
		func(a, b interval) interval { return possibly(a.low < b.high) }},
	"<=": {func(a, b float64) float64 { return number(a <= b) },
		func(a, b interval) interval { return possibly(a.low <= b.high) }},
	">": {func(a, b float64) float64 { return number(a > b) },
		func(a, b interval) interval { return possibly(a.high > b.low) }},
	">=": {func(a, b float64) float64 { return number(a >= b) },
		func(a, b interval) interval { return possibly(a.high >= b.low) }},
}

// comparators are the operators that compare, by the sign of left minus right.
var comparators = map[string]func(sign int) bool{
	"=":  func(sign int) bool { return sign == 0 },
	"!=": func(sign int) bool { return sign != 0 },
	"<":  func(sign int) bool { return sign < 0 },
	"<=": func(sign int) bool { return sign <= 0 },
	">":  func(sign int) bool { return sign > 0 },
	">=": func(sign int) bool { return sign >= 0 },
}

// roundedBounds are the bounds of comparators of whole numbers that a float64 may round: numbers that
// differ can have equal bounds.
var roundedBounds = map[string]func(a, b interval) interval{
	"=":  operators["="].bounds,
	"!=": func(_, _ interval) interval { return possibly(true) },
	"<":  operators["<="].bounds,
	"<=": operators["<="].bounds,
	">":  operators[">="].bounds,
	">=": operators[">="].bounds,
}

// possibly returns the interval of a condition.
func possibly(can bool) interval { return interval{0, number(can)} }

// combine joins two numbers, or two conditions, by an operator.
func combine(operator string, left, right *expression) *expression {
	isWhole := left.whole != nil && right.whole != nil
	compare := comparators[operator]
	if isWhole && compare != nil && (left.wide || right.wide) {
		return compareWhole(operator, left, right)
	}
	o := operators[operator]
	e := &expression{columns: slices.Concat(left.columns, right.columns), truth: left.truth || right.truth, parts: true,
		of: func(cols []column, n int) []float64 {
			all := left.of(cols, n)
			for i, x := range right.of(cols, n) {
				all[i] = o.of(all[i], x)
			}
			return all
		},
		within: func(b bounds) interval { return o.bounds(left.within(b), right.within(b)) },
	}
	if isWhole && (operator == "+" || operator == "-") {
		e.wide = left.wide || right.wide
		if e.wide {
			e.within = func(bounds) interval { return anything } // rounding may cross a bound
		}
		e.whole = func(cols []column, n int) []wholeNumber {
			all := left.whole(cols, n)
			for i, x := range right.whole(cols, n) {
				if operator == "+" {
					all[i] = all[i].plus(x)
				} else {
					all[i] = all[i].minus(x)
				}
			}
			return all
		}
	}
	return e
}

// compareWhole compares whole numbers without rounding them.
func compareWhole(operator string, left, right *expression) *expression {
	compare := comparators[operator]
	return &expression{columns: slices.Concat(left.columns, right.columns), parts: true,
		of: func(cols []column, n int) []float64 {
			others := right.whole(cols, n)
			all := make([]float64, 0, n)
			for i, x := range left.whole(cols, n) {
				all = append(all, number(compare(x.compare(others[i]))))
			}
			return all
		},
		within: func(b bounds) interval { return roundedBounds[operator](left.within(b), right.within(b)) },
	}
}
