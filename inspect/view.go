package inspect

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"kroo/datasets"
	"kroo/games"
)

// View is a dataset in memory, to be filtered and looked at again and again. Several
// goroutines may use it at a time.
type View[P games.Position[P]] struct {
	Manifest datasets.Manifest
	table    *table[P]

	mu        sync.Mutex
	predicted map[string][]float64 // by the name of the weights
}

// maxPredicted is how many evaluations a view keeps the predictions of.
const maxPredicted = 3

// Open reads a dataset with at most so many values: rows times columns. progress is told
// of the rows.
func Open[P games.Position[P]](ctx context.Context, g *games.Game[P], path string, most int64, progress func(done, total int64)) (*View[P], error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, err
	}
	if err := m.Meta.CheckRules(g.Name, m.Meta.Rules); err != nil {
		return nil, err
	}
	if columns := int64(10 + 2*len(m.Meta.Features)); m.Rows > most/columns {
		return nil, fmt.Errorf("%d rows of %d columns: expected at most %d rows", m.Rows, columns, most/columns)
	}
	t, err := readTableOf(ctx, g, path, "", m, func(rows int) { progress(int64(rows), m.Rows) })
	if err != nil {
		return nil, err
	}
	t.orbits = nil // nobody asks a view for them
	return &View[P]{Manifest: m, table: t, predicted: map[string][]float64{}}, nil
}

// Selection is the rows of a view that a filter wants.
type Selection[P games.Position[P]] struct {
	view *View[P]
	rows []int32
}

// Select finds the rows that a filter wants, such as "phase>=20, exact=true"; "" is all.
func (v *View[P]) Select(where string) (*Selection[P], error) {
	keep, err := parseFilter(where, v.table.fields)
	if err != nil {
		return nil, err
	}
	s := &Selection[P]{view: v}
	for i := range v.table.positions {
		if !slices.ContainsFunc(keep, func(c comparison) bool { return !c.holds(c.field.values[i]) }) {
			s.rows = append(s.rows, int32(i))
		}
	}
	return s, nil
}

// Rows is how many rows there are.
func (s *Selection[P]) Rows() int { return len(s.rows) }

// of is the values of the rows.
func (s *Selection[P]) of(all []float64) []float64 {
	values := make([]float64, len(s.rows))
	for k, i := range s.rows {
		values[k] = all[i]
	}
	return values
}

// Distribution describes a column, and counts its values.
type Distribution struct {
	ColumnStats
	Bars []Bar `json:"bars"`
}

// Bar counts the rows with From ≤ value < To, or with a text; the last bar holds its end.
// Of a column of few whole numbers there is a bar for each, and To is From.
type Bar struct {
	Name string  `json:"name,omitempty"`
	From float64 `json:"from"`
	To   float64 `json:"to"`
	Rows int     `json:"rows"`
}

// Columns is the number of columns.
func (s *Selection[P]) Columns() int { return len(s.view.table.fields) }

// Distribution describes a column by its number.
func (s *Selection[P]) Distribution(column int) Distribution {
	f := s.view.table.fields[column]
	f.values = s.of(f.values)
	d := Distribution{ColumnStats: f.describe(), Bars: []Bar{}}
	switch {
	case f.typ != typeNumber:
		d.Bars = f.namedBars()
	case d.Rows > 0:
		d.Bars = numberBars(f.values, d.Min, d.Max)
	}
	return d
}

// maxNamed is how many texts have a bar.
const maxNamed = 24

// namedBars counts texts and truth values, the most frequent texts first.
func (f *field) namedBars() []Bar {
	bars := []Bar{}
	names := f.names
	if f.typ == typeTruth {
		names = []string{"false", "true"}
	}
	for _, name := range names {
		bars = append(bars, Bar{Name: name})
	}
	for _, v := range f.values {
		if !math.IsNaN(v) {
			bars[int(v)].Rows++
		}
	}
	if f.typ == typeText {
		slices.SortStableFunc(bars, func(a, b Bar) int { return cmp.Compare(b.Rows, a.Rows) })
	}
	return bars[:min(len(bars), maxNamed)]
}

// The bars of a column of numbers.
const (
	maxWhole  = 60    // different whole numbers with a bar each
	equalBars = 30    // of other numbers
	narrowest = 1e-12 // of a bar
)

// numberBars counts numbers between low and high.
func numberBars(values []float64, low, high float64) []Bar {
	whole := high-low < maxWhole && !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) && !math.IsNaN(v) })
	n, width := equalBars, (high-low)/equalBars
	if whole {
		n, width = int(high-low)+1, 1
	}
	if width < narrowest {
		n, width = 1, 1
	}
	bars := make([]Bar, n)
	for i := range bars {
		bars[i].From, bars[i].To = low+float64(i)*width, low+float64(i+1)*width
		if whole {
			bars[i].To = bars[i].From
		}
	}
	bars[n-1].To = high
	for _, v := range values {
		if math.IsNaN(v) {
			continue
		}
		i := min(n-1, int((v-low)/width))
		for i > 0 && v < bars[i].From { // as the edges are written, not as the division rounds
			i--
		}
		for i < n-1 && v >= bars[i+1].From {
			i++
		}
		bars[i].Rows++
	}
	return bars
}

// Evaluation is what labels are compared with, in points; its name tells it apart.
type Evaluation[P any] struct {
	Name    string
	Predict func(P) float64
}

// predictions are an evaluation's values of all rows of the view, within ±1000.
func (v *View[P]) predictions(e Evaluation[P]) []float64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	if known := v.predicted[e.Name]; known != nil {
		return known
	}
	if len(v.predicted) == maxPredicted {
		clear(v.predicted)
	}
	values := v.table.predictions(e.Predict)
	v.predicted[e.Name] = values
	return values
}

// densityCells is how many cells a density has in each direction.
const densityCells = 40

// Comparison is how an evaluation agrees with the labels of a selection. Residuals are
// label minus prediction.
type Comparison struct {
	Agreement
	Cells     [][]int `json:"cells"` // rows by prediction, then by label, each from −1000 up
	Residuals []Bar   `json:"residuals"`
}

// Compare compares an evaluation with the labels.
func (s *Selection[P]) Compare(e Evaluation[P]) (*Comparison, error) {
	labels := s.view.table.labels()
	if labels == nil {
		return nil, fmt.Errorf("%s holds %s: expected labels, to compare weights with", s.view.Manifest.File, s.view.Manifest.Meta.Kind)
	}
	y, predicted := s.of(labels), s.of(s.view.predictions(e))
	c := &Comparison{Agreement: newAgreement(e.Name, predicted, y, s.of(s.view.table.field("phase").values)), Cells: make([][]int, densityCells)}
	for i := range c.Cells {
		c.Cells[i] = make([]int, densityCells)
	}
	cell := func(v float64) int {
		return min(densityCells-1, int((v+games.MaxPoints)*densityCells/(2*games.MaxPoints)))
	}
	off := make([]float64, len(y))
	for i := range y {
		c.Cells[cell(predicted[i])][cell(y[i])]++
		off[i] = y[i] - predicted[i]
	}
	if len(off) > 0 {
		c.Residuals = numberBars(off, slices.Min(off), slices.Max(off))
	}
	return c, nil
}

// ViewRow is a row of a view: its number in the file, from 1, and its values as text.
type ViewRow struct {
	Row        int      `json:"row"`
	Board      string   `json:"board"`
	Values     []string `json:"values"` // of every column
	Label      *float64 `json:"label,omitempty"`
	Prediction *float64 `json:"prediction,omitempty"`
}

// List returns n rows from an offset on, in the order of the file; with an evaluation
// those of the largest residuals, the largest first, of equal ones the first.
func (s *Selection[P]) List(offset, n int, e *Evaluation[P]) []ViewRow {
	t := s.view.table
	labels, order := t.labels(), s.rows
	var predicted []float64
	if e != nil && labels != nil {
		predicted = s.view.predictions(*e)
		order = slices.Clone(order)
		slices.SortStableFunc(order, func(i, j int32) int {
			return cmp.Compare(math.Abs(labels[j]-predicted[j]), math.Abs(labels[i]-predicted[i]))
		})
	}
	list := []ViewRow{}
	for k := max(0, offset); k < min(len(order), offset+n); k++ {
		i := order[k]
		r := ViewRow{Row: int(i) + 1, Board: t.game.Print(t.positions[i])}
		for f := range t.fields {
			r.Values = append(r.Values, t.fields[f].show(t.fields[f].values[i]))
		}
		if labels != nil {
			r.Label = &labels[i]
		}
		if predicted != nil {
			r.Prediction = &predicted[i]
		}
		list = append(list, r)
	}
	return list
}
