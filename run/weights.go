package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/regress"
	"kroo/report"
)

// capturesFeature is the feature of an evaluation by captures alone.
const capturesFeature = "captures"

// levelSeeds is how many seeds are in play in the level position whose winning chances explain
// weights: about the mean of the samples.
const levelSeeds = 36

// weightSection explains the selected weights, in words and in a picture.
func (p *results) weightSection() doc.Section {
	m := p.fit.Selected
	picture := report.Intervals{Name: "weights", Title: "The weights", Line: "seeds of score for one more than the opponent has, with 95 % intervals", X: "seeds of score",
		Caption: "Right of 0: good to have; left of 0: bad. Short intervals: the labels determine the weight well."}
	one := doc.Section{Heading: "What the weights say", Drawn: true, Figures: []doc.Drawing{nil}, Text: []string{
		"A position is worth the sum of these weights, each times how many more of the thing the side to move has than the other side. " + selectionText(*p.fit)}}
	if p.calibration != nil {
		one.Text[0] += fmt.Sprintf(" The list has the gain or loss of winning chance for one more than the opponent has, in a level position with %d seeds in play.", levelSeeds)
	}
	order := make([]int, len(m.Features))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.Points[b], m.Points[a]) })
	for _, i := range order {
		row := report.Interval{Name: patterns.Sets.Meaning(m.Features[i]), Value: features.Seeds(m.Points[i])}
		row.Low, row.High, row.Text = row.Value, row.Value, report.Signed(row.Value, 2)
		if i < len(m.StdErr) {
			bar := features.Seeds(1.96 * m.StdErr[i])
			row.Low, row.High = row.Value-bar, row.Value+bar
			row.Text += " ± " + report.Number(bar, 2)
		}
		picture.Rows = append(picture.Rows, row)
		one.Facts = append(one.Facts, doc.Fact{Name: row.Name, Value: p.inWords(row.Value)})
	}
	one.Figures[0] = picture
	return one
}

// inWords describes the value of one more of something.
func (p *results) inWords(seeds float64) string {
	score := "a score of " + report.Signed(seeds, 2)
	if p.calibration == nil {
		return score + " seeds for one more than the opponent has"
	}
	win, draw, _ := p.calibration.Chances(seeds, levelSeeds/float64(oware.Seeds))
	return fmt.Sprintf("%s %% of winning chance (%s)", report.Signed(100*(win+draw/2)-50, 0), score)
}

// selectionText describes how the features were selected and the result.
func selectionText(s regress.Summary) string {
	n := len(s.Steps)
	if n == 0 {
		return "All features were kept."
	}
	return fmt.Sprintf("Of %d features, backward elimination kept %d: it dropped the one that matters least, one at a time, until the correlation would have fallen too far.", len(s.Full.Features), len(s.Selected.Features))
}

// fitSections returns the tables of the fit and of its selection.
func (p *results) fitSections(validation *labelled) []doc.Section {
	s := *p.fit
	fit := doc.Section{Heading: "The fit: all figures", Table: fitTable(s)}
	if validation != nil {
		fit.Figures = []doc.Drawing{doc.DrawFunc(func() (doc.Figure, error) {
			return report.Residuals(validation.fitted, "Errors of the fitted weights", unit)
		})}
	}
	list := []doc.Section{fit, {Heading: "All weights, with standard errors", Table: weightTable(s)}}
	if len(s.Steps) == 0 {
		return list
	}
	text := "From right to left, the feature that matters least is removed. As long as the lines are level, it was not needed."
	if last := s.Steps[len(s.Steps)-1]; !last.Kept {
		text += fmt.Sprintf(" The last step shown, without %s, would have cost too much: that feature stays.", last.Removed)
	}
	return append(list, doc.Section{Heading: "Backward elimination", Text: []string{text}, Table: stepTable(s), Figures: eliminationCharts(s), Drawn: true})
}

func fitTable(s regress.Summary) *doc.Table {
	t := &doc.Table{
		Header:  []string{"function", "features", "R training", "R validation", "error training", "error validation", "RMSE validation"},
		Caption: "R sees each position from both sides. Error is the mean absolute error, RMSE the root of the mean squared error, in seeds of score.",
	}
	for _, row := range []struct {
		name  string
		model regress.ModelSummary
	}{{"captures-only", s.Captures}, {"full", s.Full}, {"selected", s.Selected}} {
		v := row.model.Measured()
		t.Add(
			row.name, len(row.model.Features), report.Number(row.model.Train.R, 4), report.Number(v.R, 4),
			report.Number(features.Seeds(row.model.Train.MAE), 2), report.Number(features.Seeds(v.MAE), 2), report.Number(features.Seeds(v.RMSE), 2),
		)
	}
	return t
}

func weightTable(s regress.Summary) *doc.Table {
	t := &doc.Table{
		Header:  []string{"feature", "full", "± standard error", "selected", "± standard error", "meaning"},
		Caption: "Weights in seeds of score for a difference of one: what the side to move has, minus what the other side has.",
	}
	if s.Full.Errors != nil {
		t.Caption += " Standard errors: " + s.Full.Errors.String() + "."
	}
	if s.Full.Aliased != nil {
		t.Caption += " No weight (combinations of earlier features): " + strings.Join(s.Full.Aliased, ", ") + "."
	}
	for i, name := range s.Full.Features {
		row := []string{name, seedsEach(s.Full.Points[i]), standardError(s.Full, i, seedsEach), "–", "–", patterns.Sets.Meaning(name)}
		if j := slices.Index(s.Selected.Features, name); j >= 0 {
			row[3], row[4] = seedsEach(s.Selected.Points[j]), standardError(s.Selected, j, seedsEach)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Weights are shown in seeds, except next to the thesis, which has points.
func seedsEach(points float64) string  { return report.Number(features.Seeds(points), 3) }
func pointsEach(points float64) string { return report.Number(points, 2) }

// standardError formats the standard error of a weight, "–" if the fit has none.
func standardError(m regress.ModelSummary, i int, write func(points float64) string) string {
	if i >= len(m.StdErr) {
		return "–"
	}
	return write(m.StdErr[i])
}

// eliminationCharts draw correlation and error against the number of features left.
func eliminationCharts(s regress.Summary) []doc.Drawing {
	r := report.Chart{Name: "elimination", Title: "Backward elimination: correlation", X: "features left", Y: "correlation R", Near: true,
		Caption: "Where the line begins to fall to the left, the features that were removed mattered."}
	mae := report.Chart{Name: "elimination-error", Title: "Backward elimination: error", X: "features left", Y: "mean error, seeds of score", Near: true,
		Caption: "Where the line begins to rise to the left, the features that were removed mattered."}
	for _, f := range s.Steps {
		r.Add("training", float64(f.Features), f.Train.R)
		mae.Add("training", float64(f.Features), features.Seeds(f.Train.MAE))
		if v := f.Validation; v != nil {
			r.Add("validation", float64(f.Features), v.R)
			mae.Add("validation", float64(f.Features), features.Seeds(v.MAE))
		}
	}
	return []doc.Drawing{r, mae}
}

// stepTable returns the cost of each step of the elimination.
func stepTable(s regress.Summary) *doc.Table {
	t := doc.TableOf([]string{"features left", "removed", "R training", "R validation", "error training", "error validation"}, s.Steps, func(f regress.Step) []any {
		row := []any{f.Features, cmp.Or(f.Removed, "–"), report.Number(f.Train.R, 4), "–", report.Number(features.Seeds(f.Train.MAE), 2), "–"}
		if v := f.Validation; v != nil {
			row[3], row[5] = report.Number(v.R, 4), report.Number(features.Seeds(v.MAE), 2)
		}
		return row
	})
	t.Caption = "Correlations and mean errors (seeds of score) at each step."
	return t
}
