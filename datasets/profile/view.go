package profile

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/doc"
	"kroo/internal/parallel"
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
func Open[P games.Position[P]](ctx context.Context, g *games.Game[P], path string, most int64, progress parallel.Progress) (*View[P], error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, err
	}
	if err := m.Meta.CheckRules(g.Name, m.Meta.Rules); err != nil {
		return nil, err
	}
	if columns := int64(10 + 2*len(m.Meta.Features) + len(m.Meta.Columns)); m.Rows > most/columns {
		return nil, fmt.Errorf("%d rows of %d columns: expected at most %d rows", m.Rows, columns, most/columns)
	}
	from, err := datasets.Open(ctx, g.Info, path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	v := &View[P]{Manifest: from.Manifest, predicted: map[string][]float64{}}
	for t, err := range chunks(ctx, g, from, datasets.Query{Progress: progress}, int(m.Rows)+1) {
		if err != nil {
			return nil, err
		}
		v.table = t // all rows at once
	}
	return v, nil
}

// Selection is the rows of a view that a filter wants.
type Selection[P games.Position[P]] struct {
	view *View[P]
	rows []int32
}

// Select finds the rows that a filter wants ([datasets.ParseFilter]); "" is all.
func (v *View[P]) Select(where string) (*Selection[P], error) {
	t := v.table
	keep, err := datasets.ParseFilter(where, datasets.FilterColumns(columns(t.fields)), v.Manifest.Meta.Features)
	if err != nil {
		return nil, err
	}
	s := &Selection[P]{view: v}
	numbers := func(column int) []float64 {
		if column < len(t.fields) {
			return t.fields[column].values
		}
		keys := make([]float64, len(t.positions))
		for i, p := range t.positions {
			key, _ := t.game.Key(p)
			keys[i] = float64(key)
		}
		return keys
	}
	texts := func(column int) []string {
		all := make([]string, len(t.positions))
		for i, p := range t.positions {
			if column < len(t.fields) {
				all[i] = t.fields[column].text(t.fields[column].values[i])
			} else {
				all[i] = t.game.Print(p)
			}
		}
		return all
	}
	if s.rows = keep.Rows(len(t.positions), numbers, texts); s.rows == nil {
		s.rows = make([]int32, len(t.positions))
		for i := range s.rows {
			s.rows[i] = int32(i)
		}
	}
	return s, nil
}

// Rows is how many rows there are.
func (s *Selection[P]) Rows() int { return len(s.rows) }

// of is the values of the rows.
func (s *Selection[P]) of(all []float64) []float64 { return pick(all, s.rows) }

// pick is the values of some rows.
func pick(all []float64, rows []int32) []float64 {
	values := make([]float64, len(rows))
	for k, i := range rows {
		values[k] = all[i]
	}
	return values
}

// Distribution describes a column, and counts its values.
type Distribution struct {
	ColumnStats
	Bars doc.Bins `json:"bars"`
}

// Columns is the number of columns.
func (s *Selection[P]) Columns() int { return len(s.view.table.fields) }

// Distribution describes a column by its number.
func (s *Selection[P]) Distribution(ctx context.Context, column int) (d Distribution, err error) {
	f := s.view.table.fields[column]
	f.values = s.of(f.values)
	t := tally{room: enoughRoom}
	defer func() { err = cmp.Or(err, t.close()) }()
	for _, v := range f.values {
		if err := t.add(v); err != nil {
			return d, err
		}
	}
	if d.ColumnStats, err = columnOf(ctx, f, &t); err != nil {
		return d, err
	}
	if f.typ == datasets.NumberField {
		d.Bars = doc.BinsOf(f.values)
	} else {
		d.Bars = f.namedBars()
	}
	return d, nil
}

// maxNamed is how many texts have a bar.
const maxNamed = 24

// namedBars counts texts and truth values, the most frequent texts first.
func (f *field) namedBars() doc.Bins {
	bars := doc.Bins{}
	names := f.names
	if f.typ == datasets.TruthField {
		names = []string{"false", "true"}
	}
	for _, name := range names {
		bars = append(bars, doc.Bin{Name: name})
	}
	for _, v := range f.values {
		if !math.IsNaN(v) {
			bars[int(v)].Rows++
		}
	}
	if f.typ == datasets.TextField {
		slices.SortStableFunc(bars, func(a, b doc.Bin) int { return cmp.Compare(b.Rows, a.Rows) })
	}
	return bars[:min(len(bars), maxNamed)]
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
	Cells     [][]int  `json:"cells"` // rows by prediction, then by label, each from −1000 up
	Residuals doc.Bins `json:"residuals"`
}

// Compare compares an evaluation with the labels.
func (s *Selection[P]) Compare(e Evaluation[P]) (*Comparison, error) {
	if err := needLabels(s.view.Manifest); err != nil {
		return nil, err
	}
	y, predicted := s.of(s.view.table.labels()), s.of(s.view.predictions(e))
	sums := agreementSums{phases: grouped{}}
	sums.add(predicted, y, s.of(s.view.table.field("phase").values))
	c := &Comparison{Agreement: sums.agreement(e.Name), Cells: make([][]int, densityCells)}
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
	c.Residuals = doc.BinsOf(off)
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
		byResidual(order, labels, predicted)
	}
	list := []ViewRow{}
	for k := max(0, offset); k < min(len(order), offset+n); k++ {
		i := order[k]
		r := ViewRow{Row: int(t.numbers[i]), Board: t.game.Print(t.positions[i])}
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
