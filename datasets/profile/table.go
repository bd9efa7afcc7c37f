package profile

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/games"
)

// table is a dataset in memory, column by column.
type table[P games.Position[P]] struct {
	game     *games.Game[P]
	manifest datasets.Manifest
	fields   []field

	positions []P
	orbits    []int64
}

// field is a column of numbers. Of text, a value that is missing is NaN.
type field struct {
	name   string
	typ    string   // as fields of datasets have it
	names  []string // of text: the value is an index
	values []float64
}

// missing is the value of an empty text.
var missing = math.NaN()

// columns are what fields are called.
func columns(fields []field) (all []datasets.Column) {
	for _, f := range fields {
		all = append(all, datasets.Column{Name: f.name, Type: f.typ})
	}
	return all
}

// code is the number of a text, which is missing if empty.
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

// text is the text that a number stands for, "" for none.
func (f *field) text(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return f.names[int(v)]
}

// show is a value for people.
func (f *field) show(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case f.typ == datasets.TextField:
		return f.names[int(v)]
	case f.typ == datasets.TruthField:
		return fmt.Sprint(v != 0)
	}
	return fmt.Sprintf("%.6g", v)
}

// field finds a column, nil if there is none.
func (t *table[P]) field(name string) *field {
	if i := slices.IndexFunc(t.fields, func(f field) bool { return f.name == name }); i >= 0 {
		return &t.fields[i]
	}
	return nil
}

// labels are the labels of the rows, nil in a table without.
func (t *table[P]) labels() []float64 {
	if f := t.field("label"); f != nil {
		return f.values
	}
	return nil
}

func (t *table[P]) rows() int { return len(t.positions) }

// needLabels is labels where there must be some.
func (t *table[P]) needLabels() ([]float64, error) {
	y := t.labels()
	if y == nil {
		return nil, fmt.Errorf("%s holds %s: expected labels, to compare weights with", t.manifest.File, t.manifest.Meta.Kind)
	}
	return y, nil
}

// readTable reads the rows of a dataset that the filter wants. each is told of the rows
// read so far.
func readTable[P games.Position[P]](ctx context.Context, g *games.Game[P], path string, m datasets.Manifest, where string, each func(rows int)) (*table[P], error) {
	t := &table[P]{game: g, manifest: m}
	from, err := datasets.Open(ctx, g.Info, path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	switch m.Meta.Kind {
	case datasets.Labels:
		return t, read[datasets.LabelRow[P]](ctx, t, from, where, each)
	case datasets.Features:
		return t, read[datasets.FeatureRow[P]](ctx, t, from, where, each)
	}
	return t, read[datasets.PositionRow[P]](ctx, t, from, where, each)
}

// read keeps the rows that the filter wants.
func read[R datasets.Row[P, R], P games.Position[P]](ctx context.Context, t *table[P], from *datasets.Table, where string, each func(rows int)) error {
	fields := datasets.Fields[R](t.game, t.manifest.Meta)
	for _, f := range fields {
		t.fields = append(t.fields, field{name: f.Name, typ: f.Type})
	}
	for r, err := range datasets.Scan[R](ctx, t.game, from, datasets.Query{Where: where, Progress: func(done, _ int64) { each(int(done)) }}) {
		if err != nil {
			return err
		}
		for i, of := range fields {
			f := &t.fields[i]
			if of.Number != nil {
				f.values = append(f.values, of.Number(r))
			} else {
				f.values = append(f.values, f.code(of.Text(r)))
			}
		}
		at := r.At()
		t.positions, t.orbits = append(t.positions, at.Position), append(t.orbits, t.game.Orbit(at.Position))
	}
	return nil
}
