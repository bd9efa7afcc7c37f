package inspect

import (
	"fmt"

	"kroo/report"
)

// WriteHTML writes the description with its plots as one page that needs no
// other file.
func (s *DatasetSheet) WriteHTML(path string) error {
	p := report.Page{Title: s.File + ": " + s.title()}
	for _, row := range s.origin().table {
		p.Provenance = append(p.Provenance, report.Row{Label: row[0], Value: row[1]})
	}
	p.Summary = s.summary()
	figures, err := s.figures()
	if err != nil {
		return err
	}
	for _, part := range s.sections() {
		out := report.Section{Heading: part.heading, Figures: figures[part.heading]}
		if part.text != "" {
			out.Text = []string{part.text}
		}
		if len(part.table) > 1 {
			out.Table = &report.Table{Header: part.table[0], Rows: part.table[1:]}
		}
		p.Sections = append(p.Sections, out)
	}
	if s.Residuals != nil {
		p.Sections = append(p.Sections, s.worstSection())
	}
	return report.WriteHTML(path, p)
}

func (s *DatasetSheet) summary() []report.Row {
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

func (s *DatasetSheet) worstSection() report.Section {
	t := &report.Table{Header: []string{"board", "label", "prediction"}}
	for _, r := range s.Residuals.Worst {
		t.Rows = append(t.Rows, []string{r.Board, fmt.Sprintf("%.0f", r.Label), fmt.Sprintf("%.0f", r.Prediction)})
	}
	return report.Section{Heading: "worst positions", Table: t}
}

// figures are the plots by the heading of their section.
func (s *DatasetSheet) figures() (map[string][]report.Figure, error) {
	all := map[string][]report.Figure{}
	add := func(heading string, f report.Figure, err error) error {
		all[heading] = append(all[heading], f)
		return err
	}
	if s.Rows == 0 {
		return all, nil
	}
	sections := s.sections()
	f, err := s.phaseChart().Draw()
	if err := add(sections[2].heading, f, err); err != nil {
		return nil, err
	}
	if s.Histogram == nil {
		return all, nil
	}
	for _, c := range []report.Chart{s.labelChart(), s.labelByPhaseChart()} {
		f, err := c.Draw()
		if err := add(sections[3].heading, f, err); err != nil {
			return nil, err
		}
	}
	if s.Residuals == nil {
		return all, nil
	}
	points := make([]report.Point, len(s.labels))
	for i, y := range s.labels {
		points[i] = report.Point{X: s.Residuals.predicted[i], Y: y}
	}
	heading := s.residualSections()[0].heading
	f, err = report.PredictedVsLabel(points, s.Residuals.Weights)
	if err := add(heading, f, err); err != nil {
		return nil, err
	}
	f, err = report.Residuals(points, "Residuals of "+s.Residuals.Weights)
	return all, add(heading, f, err)
}

func (s *DatasetSheet) phaseChart() report.Chart {
	c := report.Curve{Name: "rows"}
	for _, p := range s.Phases {
		c.Points = append(c.Points, report.Point{X: float64(p.Phase), Y: float64(p.Rows)})
	}
	return report.Chart{Name: "phases", Title: "Rows by " + s.PhaseName, X: s.PhaseName, Y: "rows", Curves: []report.Curve{c}}
}

func (s *DatasetSheet) labelChart() report.Chart {
	rows, exact := report.Curve{Name: "all"}, report.Curve{Name: "exact"}
	for _, b := range s.Histogram {
		x := (b.From + b.To) / 2
		rows.Points = append(rows.Points, report.Point{X: x, Y: float64(b.Rows)})
		exact.Points = append(exact.Points, report.Point{X: x, Y: float64(b.Exact)})
	}
	return report.Chart{Name: "labels", Title: "Labels", Line: "Bins of 100 points.", X: "label, points for the side to move", Y: "rows", Curves: []report.Curve{rows, exact}}
}

func (s *DatasetSheet) labelByPhaseChart() report.Chart {
	var mean, low, high report.Curve
	mean.Name, low.Name, high.Name = "median", "lower quartile", "upper quartile"
	for _, p := range s.Phases {
		x := float64(p.Phase)
		mean.Points = append(mean.Points, report.Point{X: x, Y: p.Labels.Median})
		low.Points = append(low.Points, report.Point{X: x, Y: p.Labels.Q1})
		high.Points = append(high.Points, report.Point{X: x, Y: p.Labels.Q3})
	}
	return report.Chart{Name: "labels-by-phase", Title: "Labels by " + s.PhaseName, X: s.PhaseName, Y: "points for the side to move", Curves: []report.Curve{low, mean, high}}
}
