package profile

import (
	"fmt"
	"strings"

	"kroo/internal/doc"
	"kroo/report"
)

// maxCompared is how many columns are drawn as curves of both datasets.
const maxCompared = 4

// driftSections show how two datasets differ.
func (s *Profile) driftSections() []doc.Section {
	d := s.Drift
	text := []string{
		fmt.Sprintf("%d rows there. The distance of two columns is the largest difference of the shares of rows up to a value (Kolmogorov and Smirnov), and of texts half the sum of "+
			"the differences of the shares of all values (total variation): 0 for equal columns, 1 for columns that share no value.", d.Rows),
		"Noise is what two samples of one source, of these sizes, stay below 95 times in 100, with rows of a game counted together (design effect: Kish 1965). " +
			fmt.Sprintf("Of %d columns about %.0f are above it by chance; several times the noise is a real difference.", len(d.Columns), max(1, float64(len(d.Columns))/20)),
	}
	if d.Here != nil {
		text = append(text, "Only here: "+strings.Join(d.Here, ", ")+".")
	}
	if d.There != nil {
		text = append(text, "Only there: "+strings.Join(d.There, ", ")+".")
	}
	columns := doc.Section{Heading: "compared with " + d.File, Text: text, Table: doc.NewTable("column", "mean here", "mean there", "distance", "noise", "times")}
	for _, c := range d.Columns {
		row := []any{heading(s.game, c.Name), "–", "–"}
		per, _ := unitOf(s.game, c.Name)
		if c.Here != nil {
			row[1], row[2] = short(*c.Here/per), short(*c.There/per)
		}
		columns.Table.Add(append(row, c.texts()...)...)
	}
	columns.Figures = s.driftFigures()
	all := []doc.Section{columns}
	if len(d.Phases) > 0 {
		all = append(all, s.driftByPhase())
	}
	return all
}

// texts are distance, noise and how many times the noise the distance is.
func (d Distance) texts() []any {
	return []any{fmt.Sprintf("%.4f", d.Distance), fmt.Sprintf("%.4f", d.Noise), fmt.Sprintf("%.1f", d.Times)}
}

// driftFigures draw the columns that differ by more than noise.
func (s *Profile) driftFigures() (figures []doc.Drawing) {
	for _, c := range s.Drift.Columns {
		if c.Times <= 1 || c.shares == nil || len(figures) == maxCompared {
			continue
		}
		per, _ := unitOf(s.game, c.Name)
		chart := report.Chart{Name: "shares-of-" + c.Name, Title: "Share of rows up to a value of " + c.Name, X: heading(s.game, c.Name), Y: "share of rows",
			Caption: "The distance is the largest gap between the curves, up or down."}
		for _, p := range c.shares {
			chart.Add("here", p.value/per, p.here)
			chart.Add("there", p.value/per, p.there)
		}
		figures = append(figures, chart)
	}
	return figures
}

func (s *Profile) driftByPhase() doc.Section {
	unit := s.game.Unit + "s"
	t := doc.NewTable(s.PhaseName, "rows here", "rows there", "mean here", "mean there", "distance", "times")
	chart := report.Chart{Name: "labels-of-both", Title: "Mean label of both by " + s.PhaseName, X: s.PhaseName, Y: "label, " + unit}
	for _, p := range s.Drift.Phases {
		here, there := s.inUnits(p.Means[0]), s.inUnits(p.Means[1])
		distance := p.texts()
		t.Add(p.Phase, p.Rows[0], p.Rows[1], fmt.Sprintf("%+.2f", here), fmt.Sprintf("%+.2f", there), distance[0], distance[2])
		chart.Add("here", float64(p.Phase), here)
		chart.Add("there", float64(p.Phase), there)
	}
	return doc.Section{Heading: "labels of both by " + s.PhaseName, Text: []string{"Labels in " + unit + " for the side to move."}, Table: t, Figures: []doc.Drawing{chart}, Drawn: true}
}
