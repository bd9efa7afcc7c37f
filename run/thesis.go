package run

import (
	"fmt"
	"slices"
	"strings"

	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/regress"
	"kroo/report"
	"kroo/sampler"
)

// published is a fit as J. Sala Soler prints it ("Un motor de cerca per a
// l'aualé", UOC, 2014): [patterns.Published] has its weights; correlation and
// mean absolute error, in points.
type published struct {
	set     string // the features, as a feature set
	short   string // how many they are
	heading string
	r, mae  float64
}

var (
	publishedFull  = published{"thesis", "twelve", "all twelve features", 0.8149, 121.75}
	publishedFinal = published{"thesis4", "four", "the four that elimination leaves", 0.8086, 124.26}
)

// nextToThesis sets the fits of the published features next to the published figures, for a run that
// has them: under the thesis's rules.
func (p *results) nextToThesis(training *labelled) []doc.Section {
	all := []doc.Section{{Heading: "Next to the thesis", Text: p.thesisTexts()}}
	for _, t := range []published{publishedFull, publishedFinal} {
		if m, ok := t.ours(*p.fit); ok && p.rules == oware.Abapa {
			all = append(all, doc.Section{Heading: "Next to the thesis: " + t.heading, Table: t.compare(m)})
		}
	}
	if len(all) == 1 {
		return nil
	}
	if t := readings(*p.fit); t != nil {
		all = append(all, doc.Section{Heading: "Next to the thesis: if proven results had other labels", Text: []string{readingsText}, Table: t})
	}
	if training != nil {
		all[0].Figures = p.capturesFigures(training)
	}
	return all
}

// capturesFigures are the thesis's figures 4.2 and 4.3: what captures alone predict of the training
// sample.
func (p *results) capturesFigures(training *labelled) []doc.Drawing {
	var points []report.Point
	for _, row := range training.rows {
		lead := float64(row.Position.Store() - row.Position.OpponentStore())
		points = append(points, report.Point{X: p.fit.Captures.Points[0] * lead, Y: row.Label})
	}
	named := func(name string, draw func() (doc.Figure, error)) doc.Drawing {
		return doc.DrawFunc(func() (doc.Figure, error) {
			f, err := draw()
			f.Name = name
			return f, err
		})
	}
	return []doc.Drawing{
		named("captures-training", func() (doc.Figure, error) {
			return report.PredictedVsLabel(doubled(points), fmt.Sprintf("Captures alone on %s, from both sides", report.Plural(len(points), "training position")), unit)
		}),
		named("captures-training-residuals", func() (doc.Figure, error) {
			return report.Residuals(points, "Errors of captures alone, training sample", unit)
		}),
	}
}

const captionOfThesis = "Weights in points per unit; R and mean absolute error over both sides of each position, predictions not clamped."

const readingsText = "Up to 24 seeds the thesis's label is the difference in points; beyond, and for decided games, it is the centre or an end of the scale. We read: a draw is the centre, a win or loss an end, ±1000. " +
	"To see how much depends on that, these are the same fits if every proven result were the centre, 0, and if only proven wins of the side to move were."

// readings returns a table of the fits of the published features with other labels of proven
// results; nil without such fits.
func readings(s regress.Summary) *doc.Table {
	if len(s.Readings) == 0 {
		return nil
	}
	t := &doc.Table{
		Header:  []string{"features", "label of a proven result", "captures", "<1", "<3", ">12", "R, training", "error, training"},
		Caption: captionOfThesis,
	}
	for _, p := range []published{publishedFull, publishedFinal} {
		w, _ := patterns.Published(p.set)
		t.Rows = append(t.Rows, p.readingRow("published", w.Named.Features, w.Named.Points, p.r, p.mae))
		if m, ok := p.ours(s); ok {
			t.Rows = append(t.Rows, p.readingRow("an end", m.Features, m.Points, m.Train.R, m.Train.MAE))
		}
		for _, r := range s.Readings {
			if m, ok := p.among(r.Subsets); ok {
				t.Rows = append(t.Rows, p.readingRow(readingNames[r.Proven], m.Features, m.Points, m.Train.R, m.Train.MAE))
			}
		}
	}
	return t
}

// readingNames describes the labels of proven results.
var readingNames = map[string]string{
	regress.ProvenCentre: "the centre",
	regress.ProvenWins:   "the centre if won, an end if lost",
}

// readingRow is a fit in the table of readings.
func (p published) readingRow(name string, names []string, points []float64, r, mae float64) []string {
	row := []string{p.short, name}
	for _, f := range []string{capturesFeature, "<1", "<3", ">12"} {
		cell := "–"
		if i := slices.Index(names, f); i >= 0 {
			cell = report.Number(points[i], 2)
		}
		row = append(row, cell)
	}
	return append(row, report.Number(r, 4), report.Number(mae, 2))
}

// ours is the run's fit of the published features, if there is one.
func (p published) ours(s regress.Summary) (regress.ModelSummary, bool) {
	return p.among(append(slices.Clone(s.Subsets), s.Full, s.Selected))
}

// among is the fit of the published features among others.
func (p published) among(list []regress.ModelSummary) (regress.ModelSummary, bool) {
	set, err := patterns.Sets.ByName(p.set)
	if err != nil {
		return regress.ModelSummary{}, false
	}
	for _, m := range list {
		if slices.Equal(m.Features, set.Names()) {
			return m, true
		}
	}
	return regress.ModelSummary{}, false
}

// compare returns a table of the published figures and ours.
func (p published) compare(m regress.ModelSummary) *doc.Table {
	weights := map[string]float64{}
	if w, ok := patterns.Published(p.set); ok {
		for i, f := range w.Named.Features {
			weights[f] = w.Named.Points[i]
		}
	}
	t := &doc.Table{
		Header:  []string{"", "published", "ours", "± standard error", "ours − published"},
		Caption: captionOfThesis,
	}
	row := func(name string, published, ours float64, err string, digits int) {
		t.Rows = append(t.Rows, []string{name, report.Number(published, digits), report.Number(ours, digits), err, report.Signed(ours-published, digits)})
	}
	for i, f := range m.Features {
		row(f, weights[f], m.Points[i], standardError(m, i, pointsEach), 2)
	}
	row("R, training", p.r, m.Train.R, "–", 4)
	row("R², training", p.r*p.r, m.Train.R2, "–", 4)
	row("error, training", p.mae, m.Train.MAE, "–", 2)
	return t
}

// thesisTexts explains the comparison: labels, samples, and our readings of the thesis.
func (p *results) thesisTexts() []string {
	s := *p.fit
	labels := p.limitText()
	if p.searcher != "" {
		labels += " of the program " + p.searcher
	}
	population := "boards that a game can reach"
	if p.Config.Training.Population == sampler.Thesis {
		population = "all boards that are not terminal, as published"
	}
	share := func(n float64) string { return report.Number(100*(1-n/sampler.AllBoards), 2) + " %" }
	list := []string{
		fmt.Sprintf("The published figures are from J. Sala Soler, Un motor de cerca per a l'aualé (UOC, 2014): labels by a captures-only search of 200 ms, %s training and %s validation positions. This run: labels by a search with %s, %s and %s positions. "+
			"Labels of a stronger search are more extreme and harder to explain, so compare the signs and sizes of weights. R depends on labels and sample: an R of this page that is close to a published one of other features is chance.",
			report.Count(41036), report.Count(32591), labels, report.Count(s.Full.Train.Rows), report.Count(s.Full.Measured().Rows)),
		fmt.Sprintf("There are three populations: all %s boards; the thesis's count, without boards with one captured seed in total, %s (%s fewer); boards on which neither store has exactly one seed, which a game can reach, %s (%s fewer). This run draws from %s.",
			report.Count(int64(sampler.AllBoards)), report.Count(int64(sampler.ThesisBoards)), share(sampler.ThesisBoards), report.Count(int64(sampler.ReachableBoards)), share(sampler.ReachableBoards), population),
		"The thesis does not say, so this is our reading: the size in “proportional to size” is the number of captured seeds; elimination stops at the tolerance of the configuration; a proven result is an end of the scale, ±1000 points.",
	}
	if len(s.SecondSteps) > 0 {
		same := "also these"
		if !slices.Equal(s.SecondFeatures, s.Selected.Features) {
			same = strings.Join(s.SecondFeatures, ", ")
		}
		list = append(list, fmt.Sprintf("Elimination by %s keeps %s; by %s it keeps %s.", p.Config.Fit.Select, strings.Join(s.Selected.Features, ", "), p.Config.Fit.Second, same))
	}
	return list
}
