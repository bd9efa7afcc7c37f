package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/internal/sheet"
	"kroo/report"
)

// section is a part of a description: a heading, a paragraph and a table, whose
// first row is its header. Text and table may be empty.
type section struct {
	heading, text string
	table         [][]string
	rows          []int                           // how many each row of the table counts, for bars in a terminal; nil for none
	figures       []func() (report.Figure, error) // of a page
	boards        []FittedRow                     // in the place of a table
}

// bars is the table with a bar behind each row that counts something.
func (s section) bars() [][]string {
	if s.rows == nil {
		return s.table
	}
	width := min(sheet.LongestBar, screen-2-sheet.Width(s.table))
	table := [][]string{append(slices.Clone(s.table[0]), "")}
	for i, row := range s.table[1:] {
		table = append(table, append(slices.Clone(row), sheet.Bar(s.rows[i], slices.Max(s.rows), width)))
	}
	return table
}

// Sheet is the description of the file.
func (s *Profile) Sheet() *sheet.Sheet {
	var b strings.Builder
	for _, part := range append([]section{{heading: "origin", table: inLines(Origin(s.manifest))}}, s.sections()...) {
		fmt.Fprintf(&b, "\n%s\n", strings.ToUpper(part.heading[:1])+part.heading[1:])
		b.WriteString(wrapped(part.text))
		b.WriteString(sheet.Aligned(part.bars()) + s.boardText(part.boards))
	}
	return &sheet.Sheet{Title: s.title(), Value: s, Rest: b.String() + s.headText()}
}

func (s *Profile) title() string {
	text := fmt.Sprintf("%d %s of %s under %s rules", s.Total, s.Meta.Kind, s.Meta.Game, s.Meta.Rules)
	if s.Where != "" {
		text += fmt.Sprintf(", of which %d with %s", s.Rows, s.Where)
	}
	return text
}

// Origin says what made a dataset, in rows of a name and a value.
func Origin(m datasets.Manifest) (all [][]string) {
	o, adopted, seed := m.Meta, "", ""
	if m.Adopted {
		adopted = "the manifest was made after the file: nothing vouches for what made that"
	}
	if o.Seed != 0 {
		seed = fmt.Sprint(o.Seed)
	}
	for _, row := range [][]string{
		{"method", o.Method}, {"seed", seed}, {"limits", o.Limits}, {"evaluator", o.Evaluator}, {"engine", o.Engine},
		{"feature set", o.FeatureSet}, {"parent", o.Parent}, {"tool", o.Tool}, {"note", o.Note}, {"adopted", adopted},
		{"bytes", fmt.Sprint(m.Bytes)}, {"sha256", m.SHA256},
	} {
		if row[1] != "" {
			all = append(all, row)
		}
	}
	return all
}

// sections are everything but the origin and the boards.
func (s *Profile) sections() []section {
	all := []section{{heading: "columns", text: s.otherColumns(), table: s.columnTable()}, s.repeatSection()}
	if s.Rows == 0 {
		return all
	}
	all = append(all, s.phaseSection())
	if s.Histogram != nil {
		all = append(all, s.labelSection())
	}
	if s.Drift != nil {
		all = append(all, s.driftSections()...)
	}
	all = append(all, s.featureSections()...)
	if s.Residuals != nil {
		all = append(all, s.residualSections()...)
	}
	if table := s.manifest.DigestTable(); table != nil {
		all = append(all, section{heading: "digests", table: table,
			text: "SHA-256 of the values of each column in the order of the rows: the same in every format and from every build."})
	}
	return all
}

// columnTable has a row for every column of numbers that has any. Groups are names and not numbers.
func (s *Profile) columnTable() [][]string {
	all := [][]string{{"column", "distinct", "min", "q1", "median", "q3", "max", "mean", "sd"}}
	for _, c := range s.Columns {
		if c.Spread == nil || c.Name == datasets.GroupColumn {
			continue
		}
		row := []string{heading(s.game, c.Name), fmt.Sprint(c.Distinct)}
		per, _ := unitOf(s.game, c.Name)
		for _, v := range []float64{c.Min, c.Q1, c.Median, c.Q3, c.Max, c.Mean, c.SD} {
			row = append(row, short(v/per))
		}
		all = append(all, row)
	}
	return all
}

// short is a number in few characters.
func short(v float64) string {
	if size := math.Abs(v); size < 1e9 && (v == math.Trunc(v) || size >= 1e4) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}

// otherColumns tells of those that hold texts, or nothing.
func (s *Profile) otherColumns() string {
	var texts, empty, constant []string
	groups := ""
	for _, c := range s.Columns {
		if c.Distinct == 1 && s.Rows > 1 {
			constant = append(constant, c.Name)
		}
		switch {
		case c.Name == datasets.GroupColumn:
			groups = fmt.Sprintf("\nThe rows are of %d groups, games or situations, which a split should not divide.", c.Distinct)
		case c.Spread != nil:
		case c.Rows == 0:
			empty = append(empty, c.Name)
		default:
			text := fmt.Sprintf("%s (%d different", c.Name, c.Distinct)
			if c.Missing > 0 {
				text += fmt.Sprintf(", missing in %d rows", c.Missing)
			}
			texts = append(texts, text+")")
		}
	}
	text := "q1 and q3 are the quartiles, sd the standard deviation; true counts as 1."
	if s.Histogram != nil {
		text += fmt.Sprintf("\nLabels are in %ss for the side to move; in the file they are in points, %.4g to a %s.", s.game.Unit, s.game.PointsPerUnit(), s.game.Unit)
	}
	if s.Meta.Kind == datasets.Labels {
		text += fmt.Sprintf("\nScores are the search's: hundredths of a %s, beyond ±10000 a proven result.", s.game.Unit)
	}
	text += groups
	if texts != nil {
		text += "\nText: " + strings.Join(texts, ", ") + "."
	}
	if constant != nil {
		text += "\nThe same in every row: " + strings.Join(constant, ", ") + "."
	}
	if empty != nil {
		text += "\nEmpty: " + strings.Join(empty, ", ") + "."
	}
	return text
}

func (s *Profile) repeatSection() section {
	r := s.Repeats
	text := fmt.Sprintf("%d different situations; %d rows repeat one that came before", r.Situations, r.Repeated)
	if r.Repeated > 0 {
		text += fmt.Sprintf(", the most frequent one in %d rows", r.Most)
		if s.Histogram != nil {
			text += fmt.Sprintf("; their labels are %.2f %ss from the first one's", s.inUnits(r.Apart), s.game.Unit)
		}
	}
	for _, l := range s.Leaks {
		text += fmt.Sprintf("\n%s has %d of the situations, which are %d rows here", l.File, l.Situations, l.Rows)
	}
	return section{heading: "duplicates", text: text}
}

func (s *Profile) phaseSection() section {
	head := []string{s.PhaseName, "rows", "share"}
	if s.Histogram != nil {
		head = append(head, "label, "+s.game.Unit+"s", "sd", "exact", "depth")
	}
	all := [][]string{head}
	var counts []int
	for _, p := range s.Phases {
		counts = append(counts, p.Rows)
		row := []string{fmt.Sprint(p.Phase), fmt.Sprint(p.Rows), sheet.Percent(p.Rows, s.Rows)}
		if p.Labels != nil {
			row = append(row, fmt.Sprintf("%+.2f", s.inUnits(p.Labels.Mean)), fmt.Sprintf("%.2f", s.inUnits(p.Labels.SD)), fmt.Sprintf("%.1f %%", 100*p.Exact), fmt.Sprintf("%.1f", p.Depth))
		}
		all = append(all, row)
	}
	return section{heading: "rows by " + s.PhaseName, table: all, rows: counts, figures: drawnCharts(s.phaseChart())}
}

func (s *Profile) labelSection() section {
	all := [][]string{{"label", "rows", "share", "exact"}}
	var counts []int
	for _, b := range s.Histogram.Trimmed() {
		counts = append(counts, b.Rows)
		all = append(all, []string{fmt.Sprintf("%+.1f to %+.1f", s.inUnits(b.From), s.inUnits(b.To)), fmt.Sprint(b.Rows), sheet.Percent(b.Rows, s.Rows), fmt.Sprint(b.Exact)})
	}
	return section{heading: "labels, " + s.game.Unit + "s for the side to move", text: fmt.Sprintf("%.2f %% of the labels are exact.", 100**s.ExactShare), table: all, rows: counts,
		figures: drawnCharts(s.labelChart(), s.labelByPhaseChart())}
}

func (s *Profile) residualSections() []section {
	r := s.Residuals
	all := []section{{
		heading: "residuals by " + s.PhaseName, table: s.residualTable(s.PhaseName, r.Phases), figures: s.residualFigures(),
		text: fmt.Sprintf("%s: n %d, r %.4f, mae %.2f, rmse %.2f %ss; label minus prediction", r.Weights, r.Rows, r.R, s.inUnits(r.MAE), s.inUnits(r.RMSE), s.game.Unit),
	}}
	for _, f := range r.Features {
		all = append(all, section{heading: "residuals by " + f.Name, table: s.residualTable("difference", f.Groups)})
	}
	return append(all, section{heading: "worst positions", boards: r.Worst})
}

func (s *Profile) residualTable(what string, groups []ResidualGroup) [][]string {
	all := [][]string{{what, "rows", "mean", "mae", "rmse"}}
	for _, g := range groups {
		all = append(all, []string{fmt.Sprint(g.Value), fmt.Sprint(g.Rows), fmt.Sprintf("%+.2f", s.inUnits(g.Mean)), fmt.Sprintf("%.2f", s.inUnits(g.MAE)), fmt.Sprintf("%.2f", s.inUnits(g.RMSE))})
	}
	return all
}
