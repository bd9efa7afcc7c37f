package profile

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/parallel"
)

// column counts the values of a column, and has those of the rows being added. Texts are numbered; a
// missing value is NaN.
type column struct {
	name   string
	typ    string   // type of the dataset's field
	names  []string // texts, which values are indices into
	values []float64
	tally
}

// code returns the number of a text, NaN if it is empty.
func (f *column) code(text string) float64 {
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
func (f *column) value(v float64) any {
	switch f.typ {
	case datasets.TextField:
		return f.names[int(v)]
	case datasets.TruthField:
		return v != 0
	}
	return v
}

// text formats a value in the column's unit.
func (f *column) text(game games.Info, v float64) string {
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

// fitted returns the features of a dataset, including columns of other programs, that weights can
// be fitted to.
func fitted(m datasets.Meta) []string { return slices.Concat(m.Features, m.Fitted()) }

// read adds the rows of a dataset that match a filter.
func read[P games.Position[P]](ctx context.Context, g *games.Game[P], s *survey, from *datasets.Table, where string, progress parallel.Progress) error {
	var positions []P
	for b, err := range from.Batches(ctx, datasets.Query{Where: where, Progress: progress}) {
		if err == nil {
			positions, err = datasets.CheckRows(g, from, b, positions[:0])
		}
		if err == nil {
			s.fill(from, b)
			game := s.values("game")
			s.orbit = func(i int) int64 { return g.Orbit(positions[i]) }
			s.cluster = func(i int) int64 { return datasets.GroupOf(g, 0, positions[i], int32(game[i])) }
			s.add()
			err = s.err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// values returns a column, or nil.
func (s *survey) values(name string) []float64 {
	if i := slices.IndexFunc(s.columns, func(c column) bool { return c.name == name }); i >= 0 {
		return s.columns[i].values
	}
	return nil
}

// fill replaces the rows being added by those of a batch.
func (s *survey) fill(from *datasets.Table, b *datasets.Batch) {
	s.numbers = s.numbers[:0]
	for i := range b.Len() {
		s.numbers = append(s.numbers, b.Row(i)+1)
	}
	for k := range s.columns {
		c := &s.columns[k]
		at := from.Column(c.name)
		if c.typ != datasets.TextField {
			c.values = b.Numbers(at)
			continue
		}
		c.values = c.values[:0]
		for _, text := range b.Texts(at) {
			c.values = append(c.values, c.code(text))
		}
	}
	if s.features == nil {
		return
	}
	for j, name := range s.features.names {
		if j >= s.features.plain {
			s.differences[j] = s.values(name)
			continue
		}
		own, opp := s.values("own_"+datasets.ColumnName(name)), s.values("opp_"+datasets.ColumnName(name))
		s.differences[j] = slices.Grow(s.differences[j][:0], len(own))[:len(own)]
		for i, v := range own {
			s.differences[j][i] = v - opp[i]
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
