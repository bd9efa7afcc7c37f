package datasets

import (
	"fmt"
	"strings"

	"kroo/games"
)

// The types of fields, as `train inspect --json` and the pages of train serve name them. What
// a file stores a column as is another matter: its manifest says.
const (
	NumberField = "number"
	TruthField  = "truth"
	TextField   = "text"
)

// rowField is a column whose values people ask for, and its value in a row: Number, 0 or 1 for
// truth, or Text, "" where there is none.
type rowField[R any] struct {
	Column
	Number func(R) float64 // nil for text
	Text   func(R) string
}

// Fields are those of a kind of rows: all its columns but key and board.
func Fields[R Row[P, R], P games.Position[P]](g *games.Game[P], m Meta) []rowField[R] {
	all := []rowField[R]{
		numeric("phase", func(r R) float64 { return float64(g.Phase(r.At().Position)) }),
		numeric("game", func(r R) float64 { return float64(r.At().Game) }),
		numeric("ply", func(r R) float64 { return float64(r.At().Ply) }),
	}
	if m.Results {
		all = append(all,
			textual(resultColumns[0], func(r R) string { return r.At().Result.String() }),
			numeric(resultColumns[1], func(r R) float64 { return float64(r.At().Margin) }))
	}
	if m.Grouped {
		all = append(all, numeric(GroupColumn, func(r R) float64 { return float64(storedGroup(g, r.At())) }))
	}
	var none R
	return append(all, none.fields(g, m)...)
}

func numeric[R any](name string, of func(R) float64) rowField[R] {
	return rowField[R]{Column{Name: name, Type: NumberField}, of, nil}
}

func truth[R any](name string, of func(R) bool) rowField[R] {
	return rowField[R]{Column{Name: name, Type: TruthField}, func(r R) float64 { return number(of(r)) }, nil}
}

func textual[R any](name string, of func(R) string) rowField[R] {
	return rowField[R]{Column{Name: name, Type: TextField}, nil, of}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (PositionRow[P]) fields(*games.Game[P], Meta) []rowField[PositionRow[P]] { return nil }

func (LabelRow[P]) fields(g *games.Game[P], m Meta) []rowField[LabelRow[P]] {
	type row = LabelRow[P]
	all := []rowField[row]{
		numeric("score", func(r row) float64 { return float64(r.Score) }),
		numeric("label", func(r row) float64 { return r.Label }),
		numeric("depth", func(r row) float64 { return float64(r.Depth) }),
		numeric("nodes", func(r row) float64 { return float64(r.Nodes) }),
		truth("exact", func(r row) bool { return r.Exact }),
		textual("bound", func(r row) string { return r.Bound.String() }),
		textual("best", func(r row) string {
			if r.HasBest {
				return g.MoveName(r.Position, r.Best)
			}
			return ""
		}),
	}
	if m.Weighted {
		all = append(all, numeric(weightColumn, func(r row) float64 { return r.Weight }))
	}
	return all
}

func (FeatureRow[P]) fields(_ *games.Game[P], m Meta) []rowField[FeatureRow[P]] {
	type row = FeatureRow[P]
	all := []rowField[row]{
		numeric("label", func(r row) float64 { return r.Label }),
		numeric("depth", func(r row) float64 { return float64(r.Depth) }),
		truth("exact", func(r row) bool { return r.Exact }),
	}
	if m.Weighted {
		all = append(all, numeric(weightColumn, func(r row) float64 { return r.Weight }))
	}
	for i, f := range m.Features {
		all = append(all,
			numeric("own_"+ColumnName(f), func(r row) float64 { return float64(r.Own[i]) }),
			numeric("opp_"+ColumnName(f), func(r row) float64 { return float64(r.Opp[i]) }))
	}
	for i, name := range m.Columns {
		all = append(all, numeric(name, func(r row) float64 { return r.Values[i] }))
	}
	return all
}

// columnsOf are what fields are called.
func columnsOf[R any](fields []rowField[R]) (all []Column) {
	for _, f := range fields {
		all = append(all, f.Column)
	}
	return all
}

func listNames(columns []Column) string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// Number finds the column of a name, which holds numbers.
func Number[R Row[P, R], P games.Position[P]](g *games.Game[P], m Meta, name string) (func(R) float64, error) {
	fields := Fields[R](g, m)
	for _, f := range fields {
		if f.Name == name && f.Number != nil {
			return f.Number, nil
		}
	}
	return nil, fmt.Errorf("no column %q of numbers: expected one of %s", shorten(name), listNames(columnsOf(fields)))
}

// Noted is a note on a dataset with the filter that its rows have passed, if there is one.
func Noted(note, filter string) string {
	if filter == "" {
		return note
	}
	return strings.TrimPrefix(fmt.Sprintf("%s; rows where %q", note, filter), "; ")
}
