package profile

import (
	"fmt"
	"strings"

	"kroo/report"
)

// maxCompared is how many columns are drawn as curves of both datasets.
const maxCompared = 4

// driftSections show how two datasets differ.
func (s *Profile) driftSections() []section {
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
	columns := section{heading: "compared with " + d.File, text: strings.Join(text, "\n"), table: [][]string{{"column", "mean here", "mean there", "distance", "noise", "times"}}}
	for _, c := range d.Columns {
		row := []string{heading(s.game, c.Name), "–", "–"}
		per, _ := unitOf(s.game, c.Name)
		if c.Here != nil {
			row[1], row[2] = short(*c.Here/per), short(*c.There/per)
		}
		columns.table = append(columns.table, append(row, c.Distance.texts()...))
	}
	columns.figures = s.driftFigures()
	all := []section{columns}
	if len(d.Phases) > 0 {
		all = append(all, s.driftByPhase())
	}
	return all
}

// texts are distance, noise and how many times the noise the distance is.
func (d Distance) texts() []string {
	return []string{fmt.Sprintf("%.4f", d.Distance), fmt.Sprintf("%.4f", d.Noise), fmt.Sprintf("%.1f", d.Times)}
}

// driftFigures draw the columns that differ by more than noise.
func (s *Profile) driftFigures() (figures []func() (report.Figure, error)) {
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
		figures = append(figures, chart.Draw)
	}
	return figures
}

func (s *Profile) driftByPhase() section {
	unit := s.game.Unit + "s"
	one := section{heading: "labels of both by " + s.PhaseName, table: [][]string{{s.PhaseName, "rows here", "rows there", "mean here", "mean there", "distance", "times"}},
		text: "Labels in " + unit + " for the side to move."}
	chart := report.Chart{Name: "labels-of-both", Title: "Mean label of both by " + s.PhaseName, X: s.PhaseName, Y: "label, " + unit}
	for _, p := range s.Drift.Phases {
		distance := p.Distance.texts()
		one.table = append(one.table, []string{
			fmt.Sprint(p.Phase), fmt.Sprint(p.Rows[0]), fmt.Sprint(p.Rows[1]),
			fmt.Sprintf("%+.2f", s.inUnits(p.Means[0])), fmt.Sprintf("%+.2f", s.inUnits(p.Means[1])), distance[0], distance[2],
		})
		chart.Add("here", float64(p.Phase), s.inUnits(p.Means[0]))
		chart.Add("there", float64(p.Phase), s.inUnits(p.Means[1]))
	}
	one.figures = drawnCharts(chart)
	return one
}
