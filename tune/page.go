package tune

import (
	"fmt"
	"strconv"

	"kroo/report"
)

// WritePage writes a page with the values and a curve of each parameter. verified is what
// a match of the tuned values against the start has shown, "" for none.
func (r *Result) WritePage(path, verified string) error {
	t := &report.Table{Header: []string{"option", "start", "tuned"}}
	var figures []report.Figure
	for i, p := range r.Parameters {
		t.Rows = append(t.Rows, []string{p.Option, strconv.FormatFloat(p.Start, 'f', -1, 64), p.Tuned})
		c := report.Chart{Name: fmt.Sprintf("parameter-%d", i+1), Title: p.Option, X: "pairs of games", Y: "value"}
		for j, v := range p.Curve {
			c.Add(p.Option, float64(min(j*r.Spacing, r.Iterations)), v)
		}
		f, err := c.Draw()
		if err != nil {
			return err
		}
		figures = append(figures, f)
	}
	page := report.Page{
		Title: "Tuning of " + r.Program,
		Lead:  []string{fmt.Sprintf("%d pairs of games of the program against itself have moved %d options.", r.Iterations, len(r.Parameters))},
		Sections: []report.Section{
			{Heading: "Values", Table: t},
			{Heading: "How they moved", Figures: figures},
		},
		Provenance: []report.Row{{Label: "program", Value: r.Program}, {Label: "games forfeited", Value: strconv.Itoa(r.Forfeits)}},
	}
	if verified != "" {
		page.Lead = append(page.Lead, "The tuned values against the start: "+verified)
	}
	return report.WriteHTML(path, page)
}
