package tune

import (
	"fmt"
	"strconv"

	"kroo/internal/oneline"
	"kroo/internal/plural"
	"kroo/report"
)

// WritePage writes a page with the values and a curve of each parameter, also of a tuning
// that goes on. verified is what a match of the tuned values against the start has shown,
// "" for none, and made the command that makes the page.
func (r *Result) WritePage(path, verified, made string) error {
	t := &report.Table{Header: []string{"option", "start", "tuned", "moved", "by chance"}, Caption: chanceCaption}
	var figures []report.Figure
	for i, p := range r.Parameters {
		t.Rows = append(t.Rows, []string{p.Option, strconv.FormatFloat(p.Start, 'f', -1, 64), p.Tuned, p.moved(), p.chance()})
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
		Lead:  []string{r.lead()},
		Sections: []report.Section{
			{Heading: "Values", Table: t},
			{Heading: "How they moved", Figures: figures},
		},
		Provenance: []report.Row{{Label: "program", Value: r.Program}, {Label: "games forfeited", Value: strconv.Itoa(r.Forfeits), Note: oneline.Short(r.Forfeit)}},
	}
	if verified != "" {
		page.Lead = append(page.Lead, "The tuned values against the start: "+verified)
	}
	page.Lead = append(page.Lead, "Made by "+made+".")
	return report.WriteHTML(path, page)
}

const chanceCaption = "By chance is how far a value would have wandered if games did not feel the option (one standard deviation)."

func (p Tuned) moved() string  { return fmt.Sprintf("%+.4g", p.Value-p.Start) }
func (p Tuned) chance() string { return fmt.Sprintf("± %.2g", p.Chance) }

// lead says what was played.
func (r *Result) lead() string {
	played := plural.Of(r.played(), "pair")
	if r.played() < r.Iterations {
		played = fmt.Sprintf("%d of %s", r.played(), plural.Of(r.Iterations, "pair"))
	}
	return fmt.Sprintf("%s of games of the program against itself made the values of %s.", played, plural.Of(len(r.Parameters), "option"))
}

// played is how many pairs of games have counted.
func (r *Result) played() int { return (r.Wins + r.Draws + r.Losses) / 2 }
