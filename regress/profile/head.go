package profile

import (
	"fmt"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/doc"
)

// headRow is a row that is shown whole.
type headRow[P games.Position[P]] struct {
	number         int64
	values         []float64 // of the fields
	board, diagram string
	position       any
}

func headOf[P games.Position[P]](t *table[P], i int) headRow[P] {
	p := t.positions[i]
	r := headRow[P]{number: t.numbers[i], board: t.game.Print(p), diagram: t.game.Diagram(p), position: p}
	for _, f := range t.fields {
		r.values = append(r.values, f.values[i])
	}
	return r
}

// unitOf is a divisor of a column's values which makes them what people count in, and the name of
// that; 1 and "" of other columns.
func unitOf(game games.Info, column string) (per float64, unit string) {
	switch column {
	case "label", datasets.PredictionColumns[0], datasets.PredictionColumns[1]:
		return game.PointsPerUnit(), game.Unit + "s"
	}
	return 1, ""
}

// heading is a column with the unit of its values.
func heading(game games.Info, column string) string {
	if _, unit := unitOf(game, column); unit != "" {
		return column + ", " + unit
	}
	return column
}

// addHead puts the first rows into the description.
func addHead[P games.Position[P]](s *Profile, fields []field, rows []headRow[P]) {
	s.rowTable = doc.NewTable("row")
	for _, f := range fields {
		s.rowTable.Header = append(s.rowTable.Header, heading(s.game, f.name))
	}
	for _, r := range rows {
		row := map[string]any{"board": r.board}
		texts := []any{r.number}
		for k, f := range fields {
			v := r.values[k]
			if v == v { // not missing
				row[f.name] = f.json(v)
			}
			if per, unit := unitOf(s.game, f.name); unit != "" {
				texts = append(texts, fmt.Sprintf("%+.2f", v/per))
			} else {
				texts = append(texts, f.show(v))
			}
		}
		s.Head = append(s.Head, row)
		s.rowTable.Add(texts...)
		s.headBoards = append(s.headBoards, FittedRow{Row: r.number, Board: r.board, diagram: r.diagram, position: r.position})
	}
}

// json is a value as JSON holds it.
func (f *field) json(v float64) any {
	switch f.typ {
	case datasets.TextField:
		return f.names[int(v)]
	case datasets.TruthField:
		return v != 0
	}
	return v
}

// headSection shows the first rows: in columns where they fit into a terminal, else the
// values of a row below its board.
func (s *Profile) headSection() doc.Section {
	one := doc.Section{Heading: "rows"}
	if s.rowTable.Width() <= doc.Screen {
		one.Table = s.rowTable
	}
	for i, row := range s.rowTable.Rows {
		line := "row " + row[0]
		for k, name := range s.rowTable.Header[1:] {
			if one.Table == nil {
				line += "; " + name + " " + row[k+1]
			}
		}
		one.Boards = append(one.Boards, s.headBoards[i].board(fmt.Sprintf("row-%d", i+1), line))
	}
	return one
}
