package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// FirstRows is the number of rows that a [Summary] shows.
const FirstRows = 5

// Quantiles are the shares that [ColumnSummary.Quantiles] stands for.
var Quantiles = [...]float64{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99}

// Summary describes a table.
type Summary struct {
	File    string          `json:"file"`
	Format  string          `json:"format"` // "parquet" or "arrow"
	Bytes   int64           `json:"bytes"`
	SHA256  string          `json:"sha256"`
	Rows    int64           `json:"rows"`
	Meta    Meta            `json:"meta"`
	Columns []ColumnSummary `json:"columns"`
	First   [][]any         `json:"first"` // up to FirstRows rows, a value for every column
}

// ColumnSummary describes the values of one column. For truth values, true
// counts as 1.
type ColumnSummary struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`     // int64, int32, uint8, float64, bool or text
	Distinct int64    `json:"distinct"` // number of different values
	Numbers  *Numbers `json:"numbers,omitempty"`
}

// Numbers are the statistics of a column that is not text and has rows.
type Numbers struct {
	Min       float64   `json:"min"`
	Max       float64   `json:"max"`
	Mean      float64   `json:"mean"`
	SD        float64   `json:"sd"`        // of the values themselves: divided by their number
	Quantiles []float64 `json:"quantiles"` // at the shares Quantiles, each a value that occurs
}

// Inspect reads a table of any kind and format, with all the checks of the
// other readers, and sums it up.
func Inspect(path string) (*Summary, error) {
	s, err := inspect(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return s, nil
}

func inspect(path string) (*Summary, error) {
	t, err := open(path)
	if err != nil {
		return nil, err
	}
	defer t.f.Close()
	all := columnsFor(t.Meta)
	switch t.Meta.Kind {
	case Positions:
		err = scan(t, keep[PositionRow](all))
	case Labels:
		err = scan(t, keep[LabelRow](all))
	default:
		err = scan(t, keep[FeatureRow](all))
	}
	if err != nil {
		return nil, err
	}
	s := &Summary{File: path, Format: t.format.name, Bytes: t.Bytes, SHA256: t.SHA256, Rows: t.Rows, Meta: t.Meta}
	s.First = firstRows(all)
	for i := range all { // sorts the columns, so the rows are gone after this
		s.Columns = append(s.Columns, summarize(&all[i]))
	}
	return s, nil
}

// keep collects the columns of all chunks.
func keep[R any](all []column) func([]column, []R) error {
	return func(cols []column, _ []R) error {
		for i := range cols {
			from, to := &cols[i], &all[i]
			to.ints = append(to.ints, from.ints...)
			to.floats = append(to.floats, from.floats...)
			to.bools = append(to.bools, from.bools...)
			to.texts = append(to.texts, from.texts...)
		}
		return nil
	}
}

func firstRows(cols []column) [][]any {
	rows := make([][]any, min(FirstRows, cols[0].len()))
	for r := range rows {
		for i := range cols {
			rows[r] = append(rows[r], cols[i].value(r))
		}
	}
	return rows
}

func (c *column) value(i int) any {
	switch c.typ {
	case typeFloat64:
		return c.floats[i]
	case typeBool:
		return c.bools[i]
	case typeText:
		return c.texts[i]
	}
	return c.ints[i]
}

func summarize(c *column) ColumnSummary {
	s := ColumnSummary{Name: c.name, Type: string(c.typ)}
	switch c.typ {
	case typeText:
		s.Distinct = sortedDistinct(c.texts)
	case typeFloat64:
		s.Distinct = sortedDistinct(c.floats)
		s.Numbers = numbers(c.floats, func(v float64) float64 { return v })
	case typeBool:
		for _, v := range c.bools {
			n := int64(0)
			if v {
				n = 1
			}
			c.ints = append(c.ints, n)
		}
		fallthrough
	default:
		s.Distinct = sortedDistinct(c.ints)
		s.Numbers = numbers(c.ints, func(v int64) float64 { return float64(v) })
	}
	return s
}

// sortedDistinct sorts the values and counts the different ones.
func sortedDistinct[T cmp.Ordered](values []T) (n int64) {
	slices.Sort(values)
	for i := range values {
		if i == 0 || values[i] != values[i-1] {
			n++
		}
	}
	return n
}

// numbers sums up sorted values, in two passes: keys are so large that the
// square of a sum would lose the digits that matter.
func numbers[T any](sorted []T, float func(T) float64) *Numbers {
	n := len(sorted)
	if n == 0 {
		return nil
	}
	s := &Numbers{Min: float(sorted[0]), Max: float(sorted[n-1])}
	for _, v := range sorted {
		s.Mean += float(v) / float64(n)
	}
	for _, v := range sorted {
		d := float(v) - s.Mean
		s.SD += d * d / float64(n)
	}
	s.SD = math.Sqrt(s.SD)
	for _, q := range Quantiles {
		at := int(math.Ceil(q*float64(n))) - 1 // nearest rank
		s.Quantiles = append(s.Quantiles, float(sorted[max(at, 0)]))
	}
	return s
}
