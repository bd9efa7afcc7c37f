package profile

import (
	"fmt"
	"strings"

	"kroo/report"
)

// Page is the description with its plots, as one page that needs no other file.
func (s *Profile) Page() (report.Page, error) {
	p := report.Page{Title: s.File + ": " + s.title(), Summary: s.summary()}
	for _, row := range Origin(s.manifest) {
		p.Provenance = append(p.Provenance, report.Row{Label: row[0], Value: row[1]})
	}
	for _, part := range s.sections() {
		out := report.Section{Heading: part.heading}
		if part.text != "" {
			out.Text = strings.Split(part.text, "\n")
		}
		if len(part.table) > 1 {
			out.Table = &report.Table{Header: part.table[0], Rows: part.table[1:]}
		}
		figures := part.figures
		out.Folded = len(figures) > 0 && len(part.table) > longTable
		if part.boards != nil {
			out.Table, figures = s.boardTable(part.boards), s.boardFigures(part.heading, part.boards)
		}
		for _, draw := range figures {
			f, err := draw()
			if err != nil {
				return p, err
			}
			out.Figures = append(out.Figures, f)
		}
		p.Sections = append(p.Sections, out)
	}
	return p, nil
}

// longTable is the number of rows from which a table is folded away below the figures that show it.
const longTable = 10

func (s *Profile) summary() []report.Row {
	rows := []report.Row{
		{Label: "rows", Value: fmt.Sprint(s.Rows), Note: s.Where},
		{Label: "situations", Value: fmt.Sprint(s.Repeats.Situations), Note: fmt.Sprintf("%d rows repeat one", s.Repeats.Repeated)},
	}
	if s.ExactShare != nil {
		rows = append(rows, report.Row{Label: "exact labels", Value: fmt.Sprintf("%.1f %%", 100**s.ExactShare)})
	}
	if r := s.Residuals; r != nil {
		rows = append(rows, report.Row{Label: "correlation r", Value: fmt.Sprintf("%.4f", r.R), Note: r.Weights})
	}
	return rows
}

// drawnCharts are the figures of charts.
func drawnCharts(charts ...report.Chart) (figures []func() (report.Figure, error)) {
	for _, c := range charts {
		figures = append(figures, c.Draw)
	}
	return figures
}

func (s *Profile) residualFigures() []func() (report.Figure, error) {
	r := s.Residuals
	name := r.Weights
	if len(r.drawn) < r.Rows {
		name += fmt.Sprintf(", %s of the rows at random", report.Count(len(r.drawn)))
	}
	return []func() (report.Figure, error){
		func() (report.Figure, error) {
			return report.PredictedVsLabel(r.drawn, name, report.UnitOf(s.game))
		},
		func() (report.Figure, error) {
			return report.Residuals(r.drawn, "Residuals of "+name, report.UnitOf(s.game))
		},
	}
}

func (s *Profile) phaseChart() report.Chart {
	c := report.Chart{Name: "phases", Title: "Rows by " + s.PhaseName, X: s.PhaseName, Y: "rows"}
	for _, p := range s.Phases {
		c.Add("rows", float64(p.Phase), float64(p.Rows))
	}
	return c
}

func (s *Profile) labelChart() report.Chart {
	c := report.Chart{Name: "labels", Title: "Labels", X: "label, " + s.game.Unit + "s for the side to move", Y: "rows"}
	for _, b := range s.Histogram {
		c.Add("all", s.inUnits((b.From+b.To)/2), float64(b.Rows))
		c.Add("exact", s.inUnits((b.From+b.To)/2), float64(b.Exact))
	}
	return c
}

func (s *Profile) labelByPhaseChart() report.Chart {
	c := report.Chart{Name: "labels-by-phase", Title: "Labels by " + s.PhaseName, X: s.PhaseName, Y: s.game.Unit + "s for the side to move"}
	for _, p := range s.Phases {
		c.Add("lower quartile", float64(p.Phase), s.inUnits(p.Labels.Q1))
		c.Add("median", float64(p.Phase), s.inUnits(p.Labels.Median))
		c.Add("upper quartile", float64(p.Phase), s.inUnits(p.Labels.Q3))
	}
	return c
}
