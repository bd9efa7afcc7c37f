package profile

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/parallel"
)

// table is some rows of a dataset, by column.
type table[P games.Position[P]] struct {
	game     *games.Game[P]
	manifest datasets.Manifest
	from     *datasets.Table
	columns  []string // nil means all
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

// newTable returns a table for rows of a dataset, with the given columns or, for nil, all.
func newTable[P games.Position[P]](g *games.Game[P], from *datasets.Table, columns []string) *table[P] {
	t := &table[P]{game: g, manifest: from.Manifest, from: from, columns: columns}
	for _, c := range from.Fields() {
		if columns == nil || slices.Contains(columns, c.Name) {
			t.fields = append(t.fields, field{name: c.Name, typ: c.Type})
		}
	}
	return t
}

// chunks fills the table with the rows that match the filter, some thousand at a time. It checks
// rows with all columns.
func (t *table[P]) chunks(ctx context.Context, where string, progress parallel.Progress) iter.Seq[error] {
	return func(yield func(error) bool) {
		q := datasets.Query{Where: where, Progress: progress}
		if t.columns != nil {
			q.Columns = append(slices.Clone(t.columns), datasets.PositionColumn(t.game))
		}
		for b, err := range t.from.Batches(ctx, q) {
			if err == nil {
				err = t.fill(b)
			}
			if !yield(err) || err != nil {
				return
			}
		}
	}
}

// fill replaces the rows by those of a batch.
func (t *table[P]) fill(b *datasets.Batch) (err error) {
	if t.columns == nil {
		t.positions, err = datasets.CheckRows(t.game, t.from, b, t.positions[:0])
	} else {
		t.positions, err = datasets.AppendPositions(t.game, t.from.Meta.Rules, b, len(t.columns), t.positions[:0])
	}
	t.numbers = t.numbers[:0]
	for i := range b.Len() {
		t.numbers = append(t.numbers, b.Row(i)+1)
	}
	for k := range t.fields {
		f := &t.fields[k]
		c := t.from.Column(f.name)
		if t.columns != nil {
			c = slices.Index(t.columns, f.name)
		}
		if f.typ != datasets.TextField {
			f.values = b.Numbers(c)
			continue
		}
		f.values = f.values[:0]
		for _, text := range b.Texts(c) {
			f.values = append(f.values, f.code(text))
		}
	}
	return err
}
