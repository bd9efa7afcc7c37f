package run

import (
	"fmt"
	"slices"

	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/regress"
	"kroo/report"
	"kroo/sampler"
)

// published is a fit as J. Sala Soler prints it ("Un motor de cerca per a l'aualé", UOC, 2014):
// [patterns.Published] has its weights.
type published struct {
	set     string // the features, as a feature set
	heading string
	r, mae  float64 // correlation, and mean absolute error in points
}

// nextToThesis sets the fits of the published features next to the published figures, for a run that
// has them: under the thesis's rules.
func (p *results) nextToThesis() []doc.Section {
	all := []doc.Section{{Heading: "Next to the thesis", Text: p.thesisTexts()}}
	for _, t := range []published{{"thesis", "all twelve features", 0.8149, 121.75}, {"thesis4", "the four that elimination leaves", 0.8086, 124.26}} {
		set, err := patterns.Sets.ByName(t.set)
		fits := append(slices.Clone(p.fit.Subsets), p.fit.Full, p.fit.Selected)
		i := slices.IndexFunc(fits, func(m regress.ModelSummary) bool { return err == nil && slices.Equal(m.Features, set.Names()) })
		if i >= 0 && p.rules == oware.Abapa {
			all = append(all, doc.Section{Heading: "Next to the thesis: " + t.heading, Table: t.compare(fits[i])})
		}
	}
	if len(all) == 1 {
		return nil
	}
	return all
}

// compare returns a table of the published figures and ours.
func (p published) compare(m regress.ModelSummary) *doc.Table {
	t := doc.NewTable("", "published", "ours", "± standard error", "ours − published")
	t.Caption = "Weights in points per unit; R and mean absolute error over both sides of each position, predictions not clamped."
	row := func(name string, published, ours float64, err string, digits int) {
		t.Add(name, report.Number(published, digits), report.Number(ours, digits), err, report.Signed(ours-published, digits))
	}
	weights, _ := patterns.Published(p.set)
	for i, f := range m.Features {
		bar := "–"
		if i < len(m.StdErr) {
			bar = report.Number(m.StdErr[i], 2)
		}
		row(f, weights.Named.Points[slices.Index(weights.Named.Features, f)], m.Points[i], bar, 2)
	}
	row("R, training", p.r, m.Train.R, "–", 4)
	row("R², training", p.r*p.r, m.Train.R2, "–", 4)
	row("error, training", p.mae, m.Train.MAE, "–", 2)
	return t
}

// thesisTexts explain the comparison: labels, samples, and our readings of the thesis.
func (p *results) thesisTexts() []string {
	population := "boards that a game can reach"
	if p.Config.Training.Population == sampler.Thesis {
		population = "all boards that are not terminal, as published"
	}
	return []string{
		fmt.Sprintf("The published figures are from J. Sala Soler, Un motor de cerca per a l'aualé (UOC, 2014): labels by a captures-only search of 200 ms, %s training and %s validation positions. This run: labels by a search with %s, %s and %s positions, drawn from %s. "+
			"Labels of a stronger search are more extreme and harder to explain, so compare the signs and sizes of weights. R depends on labels and sample: an R of this page that is close to a published one of other features is chance.",
			report.Count(41036), report.Count(32591), p.labels.search, report.Count(p.fit.Full.Train.Rows), report.Count(p.fit.Full.Measured().Rows), population),
		"The thesis does not say, so this is our reading: the size in “proportional to size” is the number of captured seeds; elimination stops at the tolerance of the configuration; a proven result is an end of the scale, ±1000 points.",
	}
}
