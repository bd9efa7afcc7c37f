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

// table is a dataset in memory, column by column.
type table[P games.Position[P]] struct {
	game     *games.Game[P]
	manifest datasets.Manifest
	fields   []field

	positions []P
	orbits    []int64
}

// field is a column of numbers. A value that is missing is NaN.
type field struct {
	name   string
	typ    string   // number, truth or text
	names  []string // of text: the value is an index
	values []float64
}

// The types of fields.
const (
	typeNumber = "number"
	typeTruth  = "truth"
	typeText   = "text"
)

// missing is the value of a field that a row does not have.
var missing = math.NaN()

// namesOf are the names of columns.
func namesOf(fields []field) (names []string) {
	for _, f := range fields {
		names = append(names, f.name)
	}
	return names
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

// show is a value for people.
func (f *field) show(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case f.typ == typeText:
		return f.names[int(v)]
	case f.typ == typeTruth:
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
	t := newTable(g, m)
	switch m.Meta.Kind {
	case datasets.Labels:
		return t, read(t, wanted(ctx, t, path, where, each, t.labelValues))
	case datasets.Features:
		return t, read(t, wanted(ctx, t, path, where, each, featureValues[P]))
	}
	return t, read(t, wanted(ctx, t, path, where, each, positionValues[P]))
}

// newTable is a table without rows.
func newTable[P games.Position[P]](g *games.Game[P], m datasets.Manifest) *table[P] {
	t := &table[P]{game: g, manifest: m}
	t.addFields("phase", "game", "ply")
	switch m.Meta.Kind {
	case datasets.Labels:
		t.addFields("score", "label", "depth", "nodes")
		t.fields = append(t.fields, field{name: "exact", typ: typeTruth}, field{name: "bound", typ: typeText}, field{name: "best", typ: typeText})
	case datasets.Features:
		t.addFields("label", "depth")
		t.fields = append(t.fields, field{name: "exact", typ: typeTruth})
		for _, f := range m.Meta.Features {
			t.addFields("own_"+datasets.ColumnName(f), "opp_"+datasets.ColumnName(f))
		}
	}
	return t
}

func (t *table[P]) addFields(names ...string) {
	for _, name := range names {
		t.fields = append(t.fields, field{name: name, typ: typeNumber})
	}
}

// read keeps rows.
func read[P games.Position[P], R datasets.Row[P, R]](t *table[P], rows iter.Seq2[valued[R], error]) error {
	for r, err := range rows {
		if err != nil {
			return err
		}
		for i, v := range r.values {
			t.fields[i].values = append(t.fields[i].values, v)
		}
		at := r.row.At()
		t.positions, t.orbits = append(t.positions, at.Position), append(t.orbits, t.game.Orbit(at.Position))
	}
	return nil
}

// valued is a row with the values of its columns, which hold until the next row.
type valued[R any] struct {
	row    R
	values []float64
}

// wanted are the rows of a dataset that the filter wants. values appends the values of a
// row that follow phase, game and ply.
func wanted[P games.Position[P], R datasets.Row[P, R]](ctx context.Context, t *table[P], path, where string, each func(rows int), values func(dst []float64, r R) []float64) iter.Seq2[valued[R], error] {
	return func(yield func(valued[R], error) bool) {
		var v valued[R]
		keep, err := parseFilter(where, t.fields)
		if err != nil {
			yield(v, err)
			return
		}
		done := 0
		for r, err := range datasets.Scan[R](t.game, path) {
			if err == nil && done%eachRows == 0 {
				each(done)
				err = context.Cause(ctx)
			}
			if err != nil {
				yield(v, err)
				return
			}
			done++
			v.row, v.values = r, values(t.originValues(v.values[:0], r.At()), r)
			if keep.wants(func(column int) float64 { return v.values[column] }) && !yield(v, nil) {
				return
			}
		}
	}
}

func (t *table[P]) originValues(dst []float64, at datasets.PositionRow[P]) []float64 {
	game := float64(at.Game)
	if at.Game == 0 {
		game = missing
	}
	return append(dst, float64(t.game.Phase(at.Position)), game, float64(at.Ply))
}

func positionValues[P games.Position[P]](dst []float64, _ datasets.PositionRow[P]) []float64 {
	return dst
}

// eachRows is how many rows are read between two reports of how many.
const eachRows = 1 << 14

func (t *table[P]) labelValues(dst []float64, r datasets.LabelRow[P]) []float64 {
	bound, best := &t.fields[len(t.fields)-2], &t.fields[len(t.fields)-1]
	name := ""
	if r.HasBest {
		name = t.game.MoveName(r.Position, r.Best)
	}
	return append(dst, float64(r.Score), r.Label, float64(r.Depth), float64(r.Nodes), truth(r.Exact), bound.code(r.Bound.String()), best.code(name))
}

func featureValues[P games.Position[P]](dst []float64, r datasets.FeatureRow[P]) []float64 {
	dst = append(dst, r.Label, float64(r.Depth), truth(r.Exact))
	for i := range r.Own {
		dst = append(dst, float64(r.Own[i]), float64(r.Opp[i]))
	}
	return dst
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
