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

// chunk is some thousand rows of a dataset, by column.
type chunk struct {
	fields      []field
	numbers     []int64           // of the rows in the file, from 1
	differences [][]float64       // of the features, the mover's value minus the opponent's, and columns of other programs
	orbit       func(i int) int64 // number of the situation of a row
	cluster     func(i int) int64 // rows that may depend on each other have the same cluster
}

// field is a column of numbers. Texts are numbered; a missing value is NaN.
type field struct {
	name   string
	typ    string   // type of the dataset's field
	names  []string // texts, which values are indices into
	values []float64
}

// code returns the number of a text, NaN if it is empty.
func (f *field) code(text string) float64 {
	if text == "" {
		return math.NaN()
	}
	i := slices.Index(f.names, text)
	if i < 0 {
		i, f.names = len(f.names), append(f.names, text)
	}
	return float64(i)
}

// value returns a value in its JSON type.
func (f *field) value(v float64) any {
	switch f.typ {
	case datasets.TextField:
		return f.names[int(v)]
	case datasets.TruthField:
		return v != 0
	}
	return v
}

// text formats a value in the column's unit.
func (f *field) text(game games.Info, v float64) string {
	per, unit := unitOf(game, f.name)
	switch whole := v == math.Trunc(v) && math.Abs(v) < 1<<53; {
	case v != v:
		return "–"
	case unit != "":
		return fmt.Sprintf("%+.2f", v/per)
	case f.typ == datasets.NumberField && whole:
		return fmt.Sprintf("%.0f", v)
	case f.typ == datasets.NumberField:
		return fmt.Sprintf("%.6g", v)
	}
	return fmt.Sprint(f.value(v))
}

// values returns a column, nil if there is none.
func (c *chunk) values(name string) []float64 {
	if i := slices.IndexFunc(c.fields, func(f field) bool { return f.name == name }); i >= 0 {
		return c.fields[i].values
	}
	return nil
}

// fitted returns the features of a dataset, including columns of other programs, that weights can
// be fitted to.
func fitted(m datasets.Meta) []string { return slices.Concat(m.Features, m.Fitted()) }

// chunks yields the rows that match a query, each chunk until the next one.
func chunks[P games.Position[P]](ctx context.Context, g *games.Game[P], from *datasets.Table, fields []field, q datasets.Query) iter.Seq2[*chunk, error] {
	return func(yield func(*chunk, error) bool) {
		var positions []P
		var game []float64
		c := &chunk{fields: fields, differences: make([][]float64, len(fitted(from.Meta)))}
		c.orbit = func(i int) int64 { return g.Orbit(positions[i]) }
		c.cluster = func(i int) int64 { return datasets.GroupOf(g, 0, positions[i], int32(game[i])) }
		for b, err := range from.Batches(ctx, q) {
			if err == nil {
				positions, err = datasets.CheckRows(g, from, b, positions[:0])
			}
			if err == nil {
				c.fill(from, b)
				game = c.values("game")
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// fill replaces the rows by those of a batch.
func (c *chunk) fill(from *datasets.Table, b *datasets.Batch) {
	c.numbers = c.numbers[:0]
	for i := range b.Len() {
		c.numbers = append(c.numbers, b.Row(i)+1)
	}
	for k := range c.fields {
		f := &c.fields[k]
		at := from.Column(f.name)
		if f.typ != datasets.TextField {
			f.values = b.Numbers(at)
			continue
		}
		f.values = f.values[:0]
		for _, text := range b.Texts(at) {
			f.values = append(f.values, f.code(text))
		}
	}
	for j, name := range fitted(from.Meta) {
		if j >= len(from.Meta.Features) {
			c.differences[j] = c.values(name)
			continue
		}
		own, opp := c.values("own_"+datasets.ColumnName(name)), c.values("opp_"+datasets.ColumnName(name))
		c.differences[j] = slices.Grow(c.differences[j][:0], len(own))[:len(own)]
		for i, v := range own {
			c.differences[j][i] = v - opp[i]
		}
	}
}

// addBoards reads the positions of rows.
func addBoards[P games.Position[P]](ctx context.Context, g *games.Game[P], from *datasets.Table, rows []*FittedRow) error {
	wanted := map[int64][]*FittedRow{}
	for _, r := range rows {
		wanted[r.Row] = append(wanted[r.Row], r)
	}
	left := len(wanted)
	if left == 0 {
		return nil
	}
	for b, err := range from.Batches(ctx, datasets.Query{Columns: []string{datasets.PositionColumn(g)}}) {
		if err != nil || left == 0 {
			return err
		}
		var positions []P
		for i := range b.Len() {
			found := wanted[b.Row(i)+1]
			if found == nil {
				continue
			}
			if positions == nil {
				if positions, err = datasets.AppendPositions(g, from.Meta.Rules, b, 0, nil); err != nil {
					return err
				}
			}
			for _, r := range found {
				r.Board, r.diagram, r.position = g.Print(positions[i]), g.Diagram(positions[i]), positions[i]
			}
			left--
		}
	}
	return nil
}
