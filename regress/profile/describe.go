package profile

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/doc"
	"kroo/report"
)

// ColumnStats describes a column. A boolean true counts as 1; text has no numeric statistics.
type ColumnStats struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // number, truth or text
	Rows     int    `json:"rows"` // rows with a value
	Missing  int    `json:"missing"`
	Distinct int    `json:"distinct"`
	*doc.Spread

	bars doc.Bins
}

// columnOf describes a column by its tally, with a histogram if bars is set.
func columnOf(ctx context.Context, f field, t *tally, bars bool) (s ColumnStats, err error) {
	s = ColumnStats{Name: f.name, Type: f.typ, Rows: t.rows, Missing: t.missing}
	if s.Distinct, s.Spread, err = t.describe(ctx); err != nil {
		return s, err
	}
	switch {
	case !bars:
	case f.typ != datasets.NumberField:
		s.bars, err = f.namedBars(ctx, t)
	default:
		s.bars, err = doc.BinsOf(func(yield func(float64, int) bool) (err error) {
			for c, failed := range t.all(ctx) {
				if err = failed; err != nil || !yield(c.value, c.rows) {
					break
				}
			}
			return err
		})
	}
	if f.typ == datasets.TextField {
		s.Spread = nil
	}
	return s, err
}

// maxNamed is the number of texts that get a bar of their own.
const maxNamed = 24

// namedBars counts texts, most frequent first, or booleans.
func (f field) namedBars(ctx context.Context, t *tally) (bars doc.Bins, err error) {
	for c, err := range t.all(ctx) {
		if err != nil {
			return nil, err
		}
		bars = append(bars, doc.Bin{Name: f.show(c.value), Rows: c.rows})
	}
	if f.typ == datasets.TextField {
		slices.SortStableFunc(bars, func(a, b doc.Bin) int { return cmp.Compare(b.Rows, a.Rows) })
	}
	return bars[:min(len(bars), maxNamed)], nil
}

// Distributions returns a section for each column, if Options.Bars was set: a table whose rows link
// to filter(condition) for the condition that selects the rows counted, and a chart if the column
// has more than a few numbers and no section of its own draws them.
func (s *Profile) Distributions(filter func(condition string) string) (all []doc.Section) {
	for _, c := range s.Columns {
		if len(c.bars) == 0 || c.Name == datasets.GroupColumn {
			continue
		}
		per, _ := unitOf(s.game, c.Name)
		t := doc.NewTable(heading(s.game, c.Name), "rows", "share")
		chart := report.Chart{Name: "values-" + c.Name, Title: "Values of " + c.Name, X: t.Header[0], Y: "rows"}
		for i, b := range c.bars {
			value, condition := b.Name, c.Name+"="+b.Name
			switch {
			case b.Name != "":
			case b.From == b.To:
				value, condition = short(b.From/per), fmt.Sprintf("%s=%v", c.Name, b.From)
			default:
				end := map[bool]string{false: "<", true: "<="}[i == len(c.bars)-1]
				value, condition = short(b.From/per)+" to "+short(b.To/per), fmt.Sprintf("%s>=%v, %s%s%v", c.Name, b.From, c.Name, end, b.To)
			}
			t.Add(value, b.Rows, doc.Percent(b.Rows, s.Rows))
			t.Bars, t.Links = append(t.Bars, b.Rows), append(t.Links, filter(condition))
			chart.Add("rows", (b.From+b.To)/2/per, float64(b.Rows))
		}
		about := fmt.Sprintf("%s: %d distinct values", c.Name, c.Distinct)
		if c.Spread != nil {
			about = fmt.Sprintf("%s: %s to %s, median %s", t.Header[0], short(c.Min/per), short(c.Max/per), short(c.Median/per))
		}
		one := doc.Section{Heading: about, Table: t, Aside: true}
		if c.Spread != nil && len(c.bars) > fewValues && c.Name != "phase" && c.Name != "label" {
			one = doc.Section{Heading: about, Table: t, Figures: []doc.Drawing{chart}, Drawn: true}
		}
		all = append(all, one)
	}
	return all
}

// fewValues is the largest number of values that are only listed.
const fewValues = 10

// PhaseStats describes the rows of a phase.
type PhaseStats struct {
	Phase  int         `json:"phase"`
	Rows   int         `json:"rows"`
	Labels *doc.Spread `json:"labels,omitempty"` // points
	Exact  float64     `json:"exact"`            // share of proven labels
	Depth  float64     `json:"depth"`            // mean depth of the labelling searches, plies
}

// headRow is a row that is printed in full.
type headRow struct {
	FittedRow           // without label and prediction
	values    []float64 // of the fields
}

func headOf[P games.Position[P]](t *table[P], i int) headRow {
	r := headRow{FittedRow: rowOf(t.game, t.numbers[i], t.positions[i])}
	for _, f := range t.fields {
		r.values = append(r.values, f.values[i])
	}
	return r
}

// unitOf returns the unit in which a column is shown, and the divisor that converts to it; 1 and ""
// for columns shown as they are.
func unitOf(game games.Info, column string) (per float64, unit string) {
	switch column {
	case "label", datasets.PredictionColumns[0], datasets.PredictionColumns[1]:
		return game.PointsPerUnit(), game.Unit + "s"
	}
	return 1, ""
}

// heading returns a column's name with its unit.
func heading(game games.Info, column string) string {
	if _, unit := unitOf(game, column); unit != "" {
		return column + ", " + unit
	}
	return column
}

// addHead adds the first rows to the description.
func (s *Profile) addHead(fields []field, rows []headRow) {
	s.rowTable = doc.NewTable("row")
	for _, f := range fields {
		s.rowTable.Header = append(s.rowTable.Header, heading(s.game, f.name))
	}
	for _, r := range rows {
		row := map[string]any{"board": r.Board}
		texts := []any{r.Row}
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
		s.headBoards = append(s.headBoards, r.FittedRow)
	}
}

// json returns a value in its JSON type.
func (f *field) json(v float64) any {
	switch f.typ {
	case datasets.TextField:
		return f.names[int(v)]
	case datasets.TruthField:
		return v != 0
	}
	return v
}

// headSection shows the first rows: as a table if it fits a terminal, otherwise board by board with
// the values below each.
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
