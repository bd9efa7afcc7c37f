package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/report"
)

// Doc describes the dataset.
func (s *Profile) Doc() *outline.Doc {
	title := fmt.Sprintf("%d %s of %s under %s rules", s.Total, s.Meta.Kind, s.Meta.Game, s.Meta.Rules)
	if s.Where != "" {
		title += fmt.Sprintf(", %d of them with %s", s.Rows, s.Where)
	}
	d := &outline.Doc{Title: title, Value: s, Origin: origin(s.manifest), Facts: outline.Facts(
		"rows", fmt.Sprint(s.Rows), "situations", fmt.Sprint(s.Repeats.Situations), "repeated rows", fmt.Sprint(s.Repeats.Repeated))}
	d.Add(outline.Section{Heading: "columns", Text: s.columnNotes(), Table: s.columnTable()})
	d.Add(s.repeatSection())
	if s.Rows == 0 {
		return d
	}
	d.Add(s.phaseSection())
	if s.Histogram != nil {
		d.Add(s.labelSection())
	}
	if s.Drift != nil {
		d.Add(s.driftSection())
	}
	if len(s.Features) > 0 {
		d.Sections = append(d.Sections, s.featureSections()...)
	}
	if s.Residuals != nil {
		d.Sections = append(d.Sections, s.residualSections()...)
	}
	if s.filter != nil {
		d.Sections = append(d.Sections, s.distributions()...)
	}
	if table := s.manifest.DigestTable(); table != nil {
		d.Add(outline.Section{Heading: "digests", Aside: true, Table: table,
			Text: []string{"SHA-256 of each column's values in row order, independent of file format and build."}})
	}
	if len(s.Head) > 0 {
		d.Add(outline.Section{Heading: "rows", Boards: s.boards("row", s.headRows)})
	}
	return d
}

// origin lists the provenance of a dataset.
func origin(m datasets.Manifest) []outline.Fact {
	o := m.Meta
	seed := ""
	if o.Seed != 0 {
		seed = fmt.Sprint(o.Seed)
	}
	return outline.Facts("method", o.Method, "seed", seed, "limits", o.Limits, "evaluator", o.Evaluator, "engine",
		wording.WithoutIDs(o.Engine),
		"feature set", o.FeatureSet, "note", o.Note, "bytes", fmt.Sprint(m.Bytes))
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

// formatSigned and unsigned format points in the game's unit.
func (s *Profile) formatSigned(points float64) string { return fmt.Sprintf("%+.2f", s.inUnits(points)) }
func (s *Profile) formatUnsigned(points float64) string {
	return fmt.Sprintf("%.2f", s.inUnits(points))
}

// short formats a number in few characters.
func short(v float64) string {
	if size := math.Abs(v); size < 1e9 && (v == math.Trunc(v) || size >= 1e4) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}

// columnTable has a row for every column except groups, whose numbers are only names.
func (s *Profile) columnTable() *outline.Table {
	t := outline.NewTable("column", "distinct", "min", "q1", "median", "q3", "max", "mean", "sd")
	for _, c := range s.Columns {
		row := []any{heading(s.game, c.Name), c.Distinct}
		per, _ := unitOf(s.game, c.Name)
		if c.Spread != nil {
			for _, v := range []float64{c.Min, c.Q1, c.Median, c.Q3, c.Max, c.Mean, c.SD} {
				row = append(row, short(v/per))
			}
		}
		if c.Name != datasets.GroupColumn {
			t.Add(row...)
		}
	}
	return t
}

// columnNotes explain the columns.
func (s *Profile) columnNotes() []string {
	text := []string{"q1 and q3 are the quartiles, sd is the standard deviation; true counts as 1."}
	if s.Histogram != nil {
		text = append(text, fmt.Sprintf("Labels are in %ss for the side to move; the file has points, %.4g per %s.",
			s.game.Unit, s.game.PointsPerUnit(), s.game.Unit))
	}
	if s.Meta.Kind == datasets.Labels {
		text = append(text, fmt.Sprintf("Scores of the search are in hundredths of a %s; beyond ±10000 they are "+
			"proven results.", s.game.Unit))
	}
	var missing, constant []string
	for _, c := range s.Columns {
		if c.Name == datasets.GroupColumn {
			text = append(text, fmt.Sprintf("The rows belong to %d groups (games or situations): keep each in one "+
				"part of a split.", c.Distinct))
		}
		if c.Missing > 0 {
			missing = append(missing, fmt.Sprintf("%s in %d rows", c.Name, c.Missing))
		}
		if c.Distinct == 1 && s.Rows > 1 {
			constant = append(constant, c.Name)
		}
	}
	return append(append(text, namesOf("Missing", missing)...), namesOf("Constant", constant)...)
}

// namesOf returns a sentence with a list of names, none without names.
func namesOf(what string, names []string) []string {
	if names == nil {
		return nil
	}
	return []string{what + ": " + wording.List(names, "and") + "."}
}

// fewValues is the largest number of values that are only listed.
const fewValues = 10

// distributions returns a section for each column: a table whose rows link to the rows counted, and
// a chart if the column has more than a few numbers and no section of its own draws them.
func (s *Profile) distributions() (all []outline.Section) {
	for _, c := range s.Columns {
		if len(c.bars) == 0 || c.Name == datasets.GroupColumn {
			continue
		}
		per, _ := unitOf(s.game, c.Name)
		t := outline.NewTable(heading(s.game, c.Name), "rows", "share")
		chart := report.Chart{Name: "values-" + c.Name, Title: "Values of " + c.Name, X: t.Header[0], Y: "rows"}
		for i, b := range c.bars {
			value, condition := b.Name, c.Name+"="+b.Name
			switch {
			case b.Name != "":
			case b.From == b.To:
				value, condition = short(b.From/per), fmt.Sprintf("%s=%v", c.Name, b.From)
			default:
				end := "<"
				if i == len(c.bars)-1 {
					end = "<="
				}
				value, condition = short(b.From/per)+" to "+
					short(b.To/per), fmt.Sprintf("%s>=%v, %s%s%v", c.Name, b.From, c.Name, end, b.To)
			}
			t.Add(value, b.Rows, outline.Percent(b.Rows, s.Rows))
			t.Bars, t.Links = append(t.Bars, b.Rows), append(t.Links, s.filter(condition))
			chart.Add("rows", (b.From+b.To)/2/per, float64(b.Rows))
		}
		one := outline.Section{Heading: fmt.Sprintf("column %s: %s", t.Header[0], wording.Count(c.Distinct, "distinct value")),
			Table: t, Aside: true}
		if c.Spread != nil && len(c.bars) > fewValues && c.Name != "phase" && c.Name != "label" {
			one.Figures = []outline.Drawing{chart}
			one.Drawn = true
		}
		all = append(all, one)
	}
	return all
}

func (s *Profile) repeatSection() outline.Section {
	r := s.Repeats
	text := fmt.Sprintf("%d distinct situations; %d rows repeat an earlier one", r.Situations, r.Repeated)
	if r.Repeated > 0 {
		text += fmt.Sprintf("; the most frequent has %d rows", r.Most)
		if s.Histogram != nil {
			text += fmt.Sprintf("; repeated labels differ by %s %ss on average", s.formatUnsigned(r.Apart), s.game.Unit)
		}
	}
	return outline.Section{Heading: "duplicates", Text: []string{text}}
}

func (s *Profile) phaseSection() outline.Section {
	t := outline.NewTable(s.PhaseName, "rows", "share")
	if s.Histogram != nil {
		t.Header = append(t.Header, "label, "+s.game.Unit+"s", "sd", "exact", "depth")
	}
	c := report.Chart{Name: "phases", Title: "Rows by " + s.PhaseName, X: s.PhaseName, Y: "rows"}
	for _, p := range s.Phases {
		row := []any{p.Phase, p.Rows, outline.Percent(p.Rows, s.Rows)}
		if p.Labels != nil {
			row = append(row, s.formatSigned(p.Labels.Mean), s.formatUnsigned(p.Labels.SD),
				fmt.Sprintf("%.1f %%", 100*p.Exact), fmt.Sprintf("%.1f", p.Depth))
		}
		t.Add(row...)
		t.Bars = append(t.Bars, p.Rows)
		c.Add("rows", float64(p.Phase), float64(p.Rows))
	}
	return outline.Section{Heading: "rows by " + s.PhaseName, Table: t, Figures: []outline.Drawing{c}, Drawn: true}
}

func (s *Profile) labelSection() outline.Section {
	t := outline.NewTable("label", "rows", "share", "exact")
	unit := s.game.Unit + "s for the side to move"
	labels := report.Chart{Name: "labels", Title: "Labels", X: "label, " + unit, Y: "rows"}
	for _, b := range s.Histogram.Trim() {
		t.Add(fmt.Sprintf("%+.1f to %+.1f", s.inUnits(b.From), s.inUnits(b.To)), b.Rows, outline.Percent(b.Rows,
			s.Rows), b.Exact)
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
	return outline.Section{Heading: "labels, " + unit,
		Text:  []string{fmt.Sprintf("%.2f %% of the labels are exact.", 100**s.ExactShare)},
		Table: t, Figures: []outline.Drawing{labels, phases}, Drawn: true}
}

// driftSection shows how two datasets differ.
func (s *Profile) driftSection() outline.Section {
	d := s.Drift
	text := []string{
		fmt.Sprintf("It has %d rows, and shares %d situations, with %d rows in this dataset. A validation sample "+
			"must share none with the training sample.", d.Rows, d.SharedSituations, d.SharedRows),
		"The distance between two columns is the largest gap between their cumulative shares of rows (Kolmogorov " +
			"and Smirnov); for texts it is half the sum of " +
			"the differences between the shares of all values (total variation). Equal columns have 0, columns " +
			"without a common value 1.",
		"Noise is the 95th percentile of the distance between two samples of these sizes from one source, allowing " +
			"for correlated rows of a game (design effect: Kish 1965). " +
			fmt.Sprintf("About %[2]d of %[1]d columns exceed it by chance; several times the noise is a real "+
				"difference.", len(d.Columns), max(1, (len(d.Columns)+10)/20)),
	}
	text = append(append(text, namesOf("Only in this dataset", d.Here)...), namesOf("Only in the other", d.There)...)
	table := outline.TableOf([]string{"column", "mean", "other mean", "distance", "noise", "× noise"}, d.Columns,
		func(c ColumnDrift) []any {
			per, _ := unitOf(s.game, c.Name)
			here, there := "–", "–"
			if c.Here != nil {
				here, there = short(*c.Here/per), short(*c.There/per)
			}
			return []any{heading(s.game, c.Name), here, there, fmt.Sprintf("%.4f", c.Distance),
				fmt.Sprintf("%.4f", c.Noise), fmt.Sprintf("%.1f", c.Times)}
		})
	return outline.Section{Heading: "compared with " + d.File, Text: text, Table: table}
}

func (s *Profile) residualSections() []outline.Section {
	r := s.Residuals
	name := "the predictions of the file"
	about := fmt.Sprintf("%s: n %d, R %.4f, MAE %s, RMSE %s %ss; label minus prediction",
		name, r.Rows, r.R, s.formatUnsigned(r.MAE), s.formatUnsigned(r.RMSE), s.game.Unit)
	if len(r.drawn) < r.Rows {
		name += fmt.Sprintf(", a random sample of %s rows", report.Integer(len(r.drawn)))
	}
	return []outline.Section{
		{
			Heading: "residuals by " + s.PhaseName, Text: []string{about}, Drawn: true,
			Figures: []outline.Drawing{report.LabelMap{Points: r.drawn, Title: name, Unit: s.game.Unit + "s"},
				s.residualChart()},
			Table: outline.TableOf([]string{s.PhaseName, "rows", "mean", "MAE", "RMSE"}, s.Phases, func(p PhaseStats) []any {
				return append([]any{p.Phase, p.Rows}, s.errors(p.Residuals)...)
			}),
		},
		{Heading: "worst positions", Boards: s.boards("worst", r.Worst)},
	}
}

// leastGroup is the least number of rows of a point in the chart of residuals, and mostGroups the most
// points.
const (
	leastGroup = 25
	mostGroups = 32
)

// residualChart draws quantiles of the residuals of groups of rows with similar predictions, which are
// of equal size as far as predictions differ.
func (s *Profile) residualChart() report.Chart {
	c := report.Chart{Name: "residuals", Title: "Residuals by prediction", X: "prediction, " + s.game.Unit + "s",
		Y: "label − prediction, " + s.game.Unit + "s",
		Caption: "Each point is a group of rows with similar predictions. Medians near zero: no systematic over- " +
			"or undervaluation."}
	points := slices.SortedFunc(slices.Values(s.Residuals.drawn), func(a, b report.Point) int { return cmp.Compare(a.X, b.X) })
	size := max(leastGroup, len(points)/mostGroups)
	for from, to := 0, 0; from < len(points); from = to {
		for to < len(points) && (to-from < size || points[to].X == points[to-1].X || len(points)-to < leastGroup) {
			to++
		}
		var errors []float64
		mean := 0.0
		for _, p := range points[from:to] {
			errors = append(errors, p.Y-p.X)
			mean += p.X / float64(to-from)
		}
		slices.Sort(errors)
		for _, of := range []struct {
			name  string
			share float64
		}{{"upper tenth", 0.9}, {"upper quartile", 0.75}, {"median", 0.5}, {"lower quartile", 0.25}, {"lower tenth", 0.1}} {
			c.Add(of.name, mean, stat.Quantile(of.share, stat.Empirical, errors, nil))
		}
	}
	return c
}

// errors returns mean, mean absolute and root mean squared error.
func (s *Profile) errors(r *ResidualStats) []any {
	return []any{s.formatSigned(r.Mean), s.formatUnsigned(r.MAE), s.formatUnsigned(r.RMSE)}
}

// boards shows rows as boards.
func (s *Profile) boards(name string, rows []FittedRow) (all []outline.Board) {
	for i, r := range rows {
		b := outline.Board{Board: r.Board, Diagram: r.diagram, Line: cmp.Or(r.line, s.rowLine(r))}
		if drawn, ok := report.BoardOf(r.position); ok {
			drawn.Name = fmt.Sprintf("%s-%d", name, i+1)
			drawn.Title = b.Line
			drawn.Line = r.Board
			b.Drawing = drawn
		}
		all = append(all, b)
	}
	return all
}

// rowLine describes a row.
func (s *Profile) rowLine(r FittedRow) string {
	text := fmt.Sprintf("row %d: label %s, prediction %s %ss",
		r.Row, s.formatSigned(r.Label), s.formatSigned(r.Prediction), s.game.Unit)
	if r.Leverage > 0 {
		text += fmt.Sprintf(", leverage %.1f × mean", r.Leverage/s.Influence.Mean)
	}
	return text
}
