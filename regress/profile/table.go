package profile

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/games"
)

// table is some rows of a dataset, by column.
type table[P games.Position[P]] struct {
	game     *games.Game[P]
	manifest datasets.Manifest
	fields   []field

	positions []P
	numbers   []int64 // row numbers in the file, from 1
}

// field is a column of numbers. Texts are numbered; a missing value is NaN.
type field struct {
	name   string
	typ    string   // type of the dataset's field
	names  []string // texts, which values are indices into
	values []float64
}

// missing is the value of an empty text.
var missing = math.NaN()

// code returns the number of a text, missing if it is empty.
func (f *field) code(text string) float64 {
	if text == "" {
		return missing
	}
	i := slices.Index(f.names, text)
	if i < 0 {
		i, f.names = len(f.names), append(f.names, text)
	}
	return float64(i)
}

// show formats a value.
func (f *field) show(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case f.typ == datasets.TextField:
		return f.names[int(v)]
	case f.typ == datasets.TruthField:
		return fmt.Sprint(v != 0)
	}
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.6g", v)
}

// field returns a column, or nil.
func (t *table[P]) field(name string) *field {
	if i := slices.IndexFunc(t.fields, func(f field) bool { return f.name == name }); i >= 0 {
		return &t.fields[i]
	}
	return nil
}

// labels returns the labels of the rows, nil if the table has none.
func (t *table[P]) labels() []float64 {
	if f := t.field("label"); f != nil {
		return f.values
	}
	return nil
}

func (t *table[P]) rows() int { return len(t.positions) }

// needLabels returns an error if there are no labels to compare an evaluation with.
func needLabels(m datasets.Manifest) error {
	if m.Meta.Kind == datasets.Positions {
		return fmt.Errorf("%s contains %s: expected labels, to compare weights with", m.File, m.Meta.Kind)
	}
	return nil
}

// reset empties the table for other rows of the same file. Texts keep their numbers.
func (t *table[P]) reset() {
	t.positions, t.numbers = t.positions[:0], t.numbers[:0]
	for i := range t.fields {
		t.fields[i].values = t.fields[i].values[:0]
	}
}

// difference returns the difference of a feature, the mover's value minus the opponent's, for every
// row.
func (t *table[P]) difference(name string) []float64 {
	if slices.Contains(t.manifest.Meta.Columns, name) {
		return t.field(name).values
	}
	own, opp := t.field("own_"+datasets.ColumnName(name)), t.field("opp_"+datasets.ColumnName(name))
	d := make([]float64, t.rows())
	for i := range d {
		d[i] = own.values[i] - opp.values[i]
	}
	return d
}

// chunkRows is the number of rows summed at a time.
const chunkRows = 1 << 13

// chunks yields the rows of a dataset that match the filter, in tables of at most chunkRows rows,
// each valid until the next one; the last may be empty.
func chunks[P games.Position[P]](ctx context.Context, g *games.Game[P], from *datasets.Table, q datasets.Query, most int) iter.Seq2[*table[P], error] {
	return func(yield func(*table[P], error) bool) {
		t := &table[P]{game: g, manifest: from.Manifest}
		for _, c := range from.Fields() {
			t.fields = append(t.fields, field{name: c.Name, typ: c.Type})
		}
		q.Columns = nil
		for b, err := range from.Batches(ctx, q) {
			for at := 0; err == nil && at < b.Len(); {
				to := min(b.Len(), at+most-t.rows())
				if err = t.add(from, b, at, to); err == nil && t.rows() == most {
					if !yield(t, nil) {
						return
					}
					t.reset()
				}
				at = to
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
		yield(t, nil)
	}
}

// add appends rows of a batch with all columns.
func (t *table[P]) add(from *datasets.Table, b *datasets.Batch, at, to int) (err error) {
	if t.positions, err = datasets.CheckRows(t.game, from, b, at, to, t.positions); err != nil {
		return err
	}
	for i := at; i < to; i++ {
		t.numbers = append(t.numbers, b.Row(i)+1)
	}
	for k := range t.fields {
		f := &t.fields[k]
		if c := from.Column(f.name); f.typ == datasets.TextField {
			for _, text := range b.Texts(c)[at:to] {
				f.values = append(f.values, f.code(text))
			}
		} else {
			f.values = append(f.values, b.Numbers(c)[at:to]...)
		}
	}
	return nil
}

// columnsOf yields the rows of a query as tables with numeric columns only, each valid until the
// next one. It does not repeat the checks of [chunks].
func columnsOf[P games.Position[P]](ctx context.Context, g *games.Game[P], from *datasets.Table, q datasets.Query) iter.Seq2[*table[P], error] {
	return func(yield func(*table[P], error) bool) {
		t := &table[P]{game: g, manifest: from.Manifest}
		for _, name := range q.Columns {
			t.fields = append(t.fields, field{name: name, typ: datasets.NumberField})
		}
		q.Columns = append(slices.Clone(q.Columns), datasets.PositionColumn(g))
		for b, err := range from.Batches(ctx, q) {
			if err == nil {
				t.positions, err = datasets.AppendPositions(g, from.Meta.Rules, b, len(t.fields), t.positions[:0])
			}
			if err != nil {
				yield(nil, err)
				return
			}
			t.numbers = t.numbers[:0]
			for i := range b.Len() {
				t.numbers = append(t.numbers, b.Row(i)+1)
			}
			for i := range t.fields {
				t.fields[i].values = b.Numbers(i)
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}
