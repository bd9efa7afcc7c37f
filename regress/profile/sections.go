package profile

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/doc"
	"kroo/report"
)

// Doc describes the dataset.
func (s *Profile) Doc() *doc.Doc {
	d := &doc.Doc{Title: s.title(), Value: s, Facts: s.facts(), Origin: origin(s.manifest), Sections: s.sections()}
	if len(s.Head) > 0 {
		d.Add(doc.Section{Heading: "rows", Boards: s.boards("row", s.headRows)})
	}
	return d
}

func (s *Profile) facts() []doc.Fact {
	facts := []doc.Fact{
		{Name: "rows", Value: fmt.Sprint(s.Rows), Note: s.Where},
		{Name: "situations", Value: fmt.Sprint(s.Repeats.Situations), Note: fmt.Sprintf("%d repeated rows", s.Repeats.Repeated)},
	}
	if s.ExactShare != nil {
		facts = append(facts, doc.Fact{Name: "exact labels", Value: fmt.Sprintf("%.1f %%", 100**s.ExactShare)})
	}
	if r := s.Residuals; r != nil {
		facts = append(facts, doc.Fact{Name: "correlation r", Value: fmt.Sprintf("%.4f", r.R), Note: "predictions of the file"})
	}
	return facts
}

func (s *Profile) title() string {
	text := fmt.Sprintf("%d %s of %s under %s rules", s.Total, s.Meta.Kind, s.Meta.Game, s.Meta.Rules)
	if s.Where != "" {
		text += fmt.Sprintf(", %d of them with %s", s.Rows, s.Where)
	}
	return text
}

// origin lists the provenance of a dataset.
func origin(m datasets.Manifest) []doc.Fact {
	o, adopted, seed := m.Meta, "", ""
	if m.Adopted {
		adopted = "the manifest was created after the file, so its origin is unverified"
	}
	if o.Seed != 0 {
		seed = fmt.Sprint(o.Seed)
	}
	return doc.Facts("method", o.Method, "seed", seed, "limits", o.Limits, "evaluator", o.Evaluator, "engine", o.Engine,
		"feature set", o.FeatureSet, "parent", o.Parent, "tool", o.Tool, "note", o.Note, "adopted", adopted,
		"bytes", fmt.Sprint(m.Bytes), "sha256", m.SHA256)
}

// sections returns everything except the origin and the boards.
func (s *Profile) sections() []doc.Section {
	all := []doc.Section{{Heading: "columns", Text: s.otherColumns(), Table: s.columnTable()}}
	if s.filter != nil {
		all = append(all, s.distributions()...)
	}
	all = append(all, s.repeatSection())
	if s.Rows == 0 {
		return all
	}
	all = append(all, s.phaseSection())
	if s.Histogram != nil {
		all = append(all, s.labelSection())
	}
	if s.Drift != nil {
		all = append(all, s.driftSection())
	}
	all = append(all, s.featureSections()...)
	if s.Residuals != nil {
		all = append(all, s.residualSections()...)
	}
	if table := s.manifest.DigestTable(); table != nil {
		all = append(all, doc.Section{Heading: "digests", Aside: true, Table: table,
			Text: []string{"SHA-256 of each column's values in row order, independent of file format and build."}})
	}
	return all
}

// columnTable has a row for every numeric column with values, except groups, whose numbers are only
// names.
func (s *Profile) columnTable() *doc.Table {
	t := doc.NewTable("column", "distinct", "min", "q1", "median", "q3", "max", "mean", "sd")
	for _, c := range s.Columns {
		if c.Spread == nil || c.Name == datasets.GroupColumn {
			continue
		}
		row := []any{heading(s.game, c.Name), c.Distinct}
		per, _ := unitOf(s.game, c.Name)
		for _, v := range []float64{c.Min, c.Q1, c.Median, c.Q3, c.Max, c.Mean, c.SD} {
			row = append(row, short(v/per))
		}
		t.Add(row...)
	}
	return t
}

// short formats a number in few characters.
func short(v float64) string {
	if size := math.Abs(v); size < 1e9 && (v == math.Trunc(v) || size >= 1e4) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}

// otherColumns describes columns that contain text or nothing.
func (s *Profile) otherColumns() []string {
	var texts, empty, constant []string
	groups := ""
	for _, c := range s.Columns {
		if c.Distinct == 1 && s.Rows > 1 {
			constant = append(constant, c.Name)
		}
		switch {
		case c.Name == datasets.GroupColumn:
			groups = fmt.Sprintf("The rows belong to %d groups (games or situations): keep each in one part of a split.", c.Distinct)
		case c.Spread != nil:
		case c.Rows == 0:
			empty = append(empty, c.Name)
		default:
			text := fmt.Sprintf("%s (%d distinct values", c.Name, c.Distinct)
			if c.Missing > 0 {
				text += fmt.Sprintf(", missing in %d rows", c.Missing)
			}
			texts = append(texts, text+")")
		}
	}
	text := []string{"q1 and q3 are the quartiles, sd is the standard deviation; true counts as 1."}
	if s.Histogram != nil {
		text = append(text, fmt.Sprintf("Labels are in %ss for the side to move; the file has points, %.4g per %s.", s.game.Unit, s.game.PointsPerUnit(), s.game.Unit))
	}
	if s.Meta.Kind == datasets.Labels {
		text = append(text, fmt.Sprintf("Scores of the search are in hundredths of a %s; beyond ±10000 they are proven results.", s.game.Unit))
	}
	if groups != "" {
		text = append(text, groups)
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"Text", texts}, {"Constant", constant}, {"Empty", empty}} {
		if list.names != nil {
			text = append(text, list.what+": "+strings.Join(list.names, ", ")+".")
		}
	}
	return text
}

func (s *Profile) repeatSection() doc.Section {
	r := s.Repeats
	text := fmt.Sprintf("%d distinct situations; %d rows repeat an earlier one", r.Situations, r.Repeated)
	if r.Repeated > 0 {
		text += fmt.Sprintf("; the most frequent has %d rows", r.Most)
		if s.Histogram != nil {
			text += fmt.Sprintf("; repeated labels differ by %.2f %ss on average", s.inUnits(r.Apart), s.game.Unit)
		}
	}
	return doc.Section{Heading: "duplicates", Text: []string{text}}
}

func (s *Profile) phaseSection() doc.Section {
	t := doc.NewTable(s.PhaseName, "rows", "share")
	if s.Histogram != nil {
		t.Header = append(t.Header, "label, "+s.game.Unit+"s", "sd", "exact", "depth")
	}
	c := report.Chart{Name: "phases", Title: "Rows by " + s.PhaseName, X: s.PhaseName, Y: "rows"}
	for _, p := range s.Phases {
		row := []any{p.Phase, p.Rows, doc.Percent(p.Rows, s.Rows)}
		if p.Labels != nil {
			row = append(row, fmt.Sprintf("%+.2f", s.inUnits(p.Labels.Mean)), fmt.Sprintf("%.2f", s.inUnits(p.Labels.SD)), fmt.Sprintf("%.1f %%", 100*p.Exact), fmt.Sprintf("%.1f", p.Depth))
		}
		t.Add(row...)
		t.Bars = append(t.Bars, p.Rows)
		c.Add("rows", float64(p.Phase), float64(p.Rows))
	}
	return doc.Section{Heading: "rows by " + s.PhaseName, Table: t, Figures: []doc.Drawing{c}, Drawn: true}
}

func (s *Profile) labelSection() doc.Section {
	t := doc.NewTable("label", "rows", "share", "exact")
	unit := s.game.Unit + "s for the side to move"
	labels := report.Chart{Name: "labels", Title: "Labels", X: "label, " + unit, Y: "rows"}
	for _, b := range s.Histogram.Trimmed() {
		t.Add(fmt.Sprintf("%+.1f to %+.1f", s.inUnits(b.From), s.inUnits(b.To)), b.Rows, doc.Percent(b.Rows, s.Rows), b.Exact)
		t.Bars = append(t.Bars, b.Rows)
		labels.Add("all", s.inUnits((b.From+b.To)/2), float64(b.Rows))
		labels.Add("exact", s.inUnits((b.From+b.To)/2), float64(b.Exact))
	}
	phases := report.Chart{Name: "labels-by-phase", Title: "Labels by " + s.PhaseName, X: s.PhaseName, Y: unit}
	for _, p := range s.Phases {
		phases.Add("lower quartile", float64(p.Phase), s.inUnits(p.Labels.Q1))
		phases.Add("median", float64(p.Phase), s.inUnits(p.Labels.Median))
		phases.Add("upper quartile", float64(p.Phase), s.inUnits(p.Labels.Q3))
	}
	return doc.Section{Heading: "labels, " + unit, Text: []string{fmt.Sprintf("%.2f %% of the labels are exact.", 100**s.ExactShare)},
		Table: t, Figures: []doc.Drawing{labels, phases}, Drawn: true}
}

func (s *Profile) residualSections() []doc.Section {
	r := s.Residuals
	name := "the predictions of the file"
	if len(r.drawn) < r.Rows {
		name += fmt.Sprintf(", a random sample of %s rows", report.Count(len(r.drawn)))
	}
	all := []doc.Section{{
		Heading: "residuals by " + s.PhaseName, Table: s.residualTable(s.PhaseName, r.Phases), Drawn: true,
		Text: []string{fmt.Sprintf("the predictions of the file: n %d, r %.4f, mae %.2f, rmse %.2f %ss; label minus prediction", r.Rows, r.R, s.inUnits(r.MAE), s.inUnits(r.RMSE), s.game.Unit)},
		Figures: []doc.Drawing{
			doc.DrawFunc(func() (doc.Figure, error) { return report.PredictedVsLabel(r.drawn, name, report.UnitOf(s.game)) }),
			doc.DrawFunc(func() (doc.Figure, error) {
				return report.Residuals(r.drawn, "Residuals of "+name, report.UnitOf(s.game))
			}),
		},
	}}
	for _, f := range r.Features {
		all = append(all, doc.Section{Heading: "residuals by " + f.Name, Table: s.residualTable("difference", f.Groups)})
	}
	return append(all, doc.Section{Heading: "worst positions", Boards: s.boards("worst", r.Worst)})
}

func (s *Profile) residualTable(what string, groups []ResidualGroup) *doc.Table {
	return doc.TableOf([]string{what, "rows", "mean", "mae", "rmse"}, groups, func(g ResidualGroup) []any {
		return []any{g.Value, g.Rows, fmt.Sprintf("%+.2f", s.inUnits(g.Mean)), fmt.Sprintf("%.2f", s.inUnits(g.MAE)), fmt.Sprintf("%.2f", s.inUnits(g.RMSE))}
	})
}

// boards shows rows as boards.
func (s *Profile) boards(name string, rows []FittedRow) (all []doc.Board) {
	for i, r := range rows {
		all = append(all, r.board(fmt.Sprintf("%s-%d", name, i+1), cmp.Or(r.line, s.rowLine(r))))
	}
	return all
}

// board shows a row with a line about it.
func (r FittedRow) board(name, line string) doc.Board {
	b := doc.Board{Board: r.Board, Diagram: r.diagram, Line: line}
	if drawn, ok := report.BoardOf(r.position); ok {
		drawn.Name, drawn.Title, drawn.Line = name, line, r.Board
		b.Drawing = drawn
	}
	return b
}

// rowLine describes a row.
func (s *Profile) rowLine(r FittedRow) string {
	text := fmt.Sprintf("row %d: label %+.2f, prediction %+.2f %ss", r.Row, s.inUnits(r.Label), s.inUnits(r.Prediction), s.game.Unit)
	if r.Leverage > 0 {
		text += fmt.Sprintf(", leverage %.1f × mean", r.Leverage/s.Influence.Mean)
	}
	return text
}

// maxCompared is the number of columns with curves of both datasets.
const maxCompared = 4

// driftSection shows how two datasets differ.
func (s *Profile) driftSection() doc.Section {
	d := s.Drift
	one := doc.Section{Heading: "compared with " + d.File, Table: doc.NewTable("column", "mean", "other mean", "distance", "noise", "× noise"), Text: []string{
		fmt.Sprintf("It has %d rows, and shares %d situations, with %d rows in this dataset. A validation sample must share none with the training sample.", d.Rows, d.SharedSituations, d.SharedRows),
		"The distance between two columns is the largest gap between their cumulative shares of rows (Kolmogorov and Smirnov); for texts it is half the sum of " +
			"the differences between the shares of all values (total variation). Equal columns have 0, columns without a common value 1.",
		"Noise is the 95th percentile of the distance between two samples of these sizes from one source, allowing for correlated rows of a game (design effect: Kish 1965). " +
			fmt.Sprintf("About %[2]d of %[1]d columns exceed it by chance; several times the noise is a real difference.", len(d.Columns), max(1, (len(d.Columns)+10)/20)),
	}}
	for _, only := range []struct {
		where   string
		columns []string
	}{{"this dataset", d.Here}, {"the other", d.There}} {
		if only.columns != nil {
			one.Text = append(one.Text, "Only in "+only.where+": "+strings.Join(only.columns, ", ")+".")
		}
	}
	for _, c := range d.Columns {
		row := []any{heading(s.game, c.Name), "–", "–"}
		per, _ := unitOf(s.game, c.Name)
		if c.Here != nil {
			row[1], row[2] = short(*c.Here/per), short(*c.There/per)
		}
		one.Table.Add(append(row, fmt.Sprintf("%.4f", c.Distance), fmt.Sprintf("%.4f", c.Noise), fmt.Sprintf("%.1f", c.Times))...)
		if c.Times <= 1 || c.shares == nil || len(one.Figures) == maxCompared {
			continue
		}
		chart := report.Chart{Name: "shares-of-" + c.Name, Title: "Cumulative share of rows by " + c.Name, X: heading(s.game, c.Name), Y: "share of rows",
			Caption: "The distance is the largest vertical gap between the curves."}
		for _, p := range c.shares {
			chart.Add("this", p.value/per, p.here)
			chart.Add("other", p.value/per, p.there)
		}
		one.Figures = append(one.Figures, chart)
	}
	return one
}

// distributions returns a section for each column: a table whose rows link to the rows counted, and
// a chart if the column has more than a few numbers and no section of its own draws them.
func (s *Profile) distributions() (all []doc.Section) {
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
			t.Bars, t.Links = append(t.Bars, b.Rows), append(t.Links, s.filter(condition))
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
