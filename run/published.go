package run

import (
	"fmt"
	"slices"
	"strings"

	"kroo/features/oware/thesis"
	"kroo/regress"
	"kroo/report"
	"kroo/sampler"
)

// published is a fit as J. Sala Soler prints it ("Un motor de cerca per a
// l'aualé", UOC, 2014): [thesis.Published] has its weights; correlation and
// mean absolute error, in points.
type published struct {
	set    string // the features, as a feature set
	r, mae float64
}

var (
	publishedFull  = published{"thesis", 0.8149, 121.75}
	publishedFinal = published{"thesis4", 0.8086, 124.26}
)

// besideThesis sets the fits of the published features beside the published
// figures, for a run that fits them.
func (r *Run) besideThesis(s regress.Summary) []report.Section {
	var tables []*report.Table
	for i, name := range r.Config.Fit.Subsets {
		for _, p := range []published{publishedFull, publishedFinal} {
			if p.set == name && i < len(s.Subsets) {
				tables = append(tables, p.beside(s.Subsets[i]))
			}
		}
	}
	if tables == nil {
		return nil
	}
	sections := []report.Section{{Heading: "Beside the thesis", Text: r.thesisTexts(s)}}
	for i, t := range tables {
		sections = append(sections, report.Section{Heading: []string{"All twelve features", "The four that are left"}[min(i, 1)], Table: t})
	}
	return sections
}

// beside is a table of the published figures and ours.
func (p published) beside(m regress.ModelSummary) *report.Table {
	weights := map[string]float64{}
	if w, ok := thesis.Published(p.set); ok {
		for i, f := range w.Features {
			weights[f] = w.Points[i]
		}
	}
	t := &report.Table{
		Header:  []string{"", "published", "ours", "± standard error", "ours − published"},
		Caption: "Weights in points a unit; R and mean absolute error over doubled rows, predictions not clamped.",
	}
	row := func(name string, published, ours float64, err string, digits int) {
		t.Rows = append(t.Rows, []string{name, fmt.Sprintf("%.*f", digits, published), fmt.Sprintf("%.*f", digits, ours), err, fmt.Sprintf("%+.*f", digits, ours-published)})
	}
	for i, f := range m.Features {
		err := "–"
		if i < len(m.StdErr) {
			err = fmt.Sprintf("%.2f", m.StdErr[i])
		}
		row(f, weights[f], m.Points[i], err, 2)
	}
	row("R, training", p.r, m.Train.R, "–", 4)
	row("error, training", p.mae, m.Train.MAE, "–", 2)
	if v := m.Validation; v != nil {
		row("R, validation", p.r, v.R, "–", 4)
		row("error, validation", p.mae, v.MAE, "–", 2)
	}
	return t
}

// thesisTexts say what is the thesis's, what is ours, and what is open.
func (r *Run) thesisTexts(s regress.Summary) []string {
	share := func(n float64) string { return fmt.Sprintf("%.2f %%", 100*(1-n/sampler.AllBoards)) }
	list := []string{
		fmt.Sprintf("Three populations: all %d boards; the thesis's count, without one seed captured in total, %d (%s fewer); boards on which neither store holds exactly one seed, which a game can reach, %d (%s fewer). This run draws from: %s.",
			int64(sampler.AllBoards), int64(sampler.ThesisBoards), share(sampler.ThesisBoards), int64(sampler.ReachableBoards), share(sampler.ReachableBoards), r.population()),
		"Interpretation, not source: the size in \"proportional to size\" is the number of captured seeds; the tolerance of the elimination, since the thesis does not print its stopping rule; a proven result is ±1000 points.",
	}
	if n := len(s.Beside); n > 0 {
		same := "ends with the same features"
		if !slices.Equal(s.BesideFeatures, s.Selected.Features) {
			same = "ends with " + strings.Join(s.BesideFeatures, ", ")
		}
		list = append(list, fmt.Sprintf("Elimination by %s ends with %s; by %s it %s.", r.Config.Fit.Select, strings.Join(s.Selected.Features, ", "), r.Config.Fit.Beside, same))
	}
	return list
}

func (r *Run) population() string {
	if r.Config.Training.Population == sampler.Thesis {
		return "all boards that are not terminal, as published"
	}
	return "boards that a game can reach"
}
