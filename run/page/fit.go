package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/internal/doc"
	"kroo/regress"
	"kroo/report"
)

// capturesFeature is the feature of the captured seeds, in every set.
const capturesFeature = "captures"

func fitTable(s regress.Summary) *doc.Table {
	t := &doc.Table{
		Header:  []string{"function", "features", "R training", "R validation", "error training", "error validation", "RMSE validation"},
		Caption: "R is the correlation of prediction and label, the error is the mean absolute one, RMSE the root of the mean squared one, in seeds.",
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
		Caption: "Weights in seeds for one of difference: what the side to move has, minus what the other side has.",
	}
	if s.Full.Errors != nil {
		t.Caption += " Standard errors: " + s.Full.Errors.String() + "."
	}
	if s.Full.Aliased != nil {
		t.Caption += " No weight, since the features before determine them: " + strings.Join(s.Full.Aliased, ", ") + "."
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

// weights are written in seeds for people, in points next to the thesis.
func seedsEach(points float64) string  { return report.Number(features.Seeds(points), 3) }
func pointsEach(points float64) string { return report.Number(points, 2) }

// standardError is that of a weight, where the fit could tell it.
func standardError(m regress.ModelSummary, i int, write func(points float64) string) string {
	if i >= len(m.StdErr) {
		return "–"
	}
	return write(m.StdErr[i])
}

// selectionText says how the features were selected and where it ended.
func selectionText(s regress.Summary) string {
	n := len(s.Steps)
	if n == 0 {
		return "All features were kept."
	}
	text := fmt.Sprintf("Backward elimination drops the feature that matters least, one at a time, until the correlation would fall too far below the full fit's. It ended with %d features.", len(s.Selected.Features))
	if last := s.Steps[n-1]; !last.Kept {
		text += fmt.Sprintf(" The last step shown, without %s, would have cost too much and was not taken.", last.Removed)
	}
	return text
}

// eliminationCharts draw correlation and error against the number of features left.
func eliminationCharts(s regress.Summary) []doc.Drawing {
	if len(s.Steps) == 0 {
		return nil
	}
	const caption = "From right to left the feature that matters least is dropped. As long as the lines are level, it was not needed."
	r := report.Chart{Name: "elimination", Title: "Backward elimination: correlation", X: "features left", Y: "correlation R", Caption: caption, Near: true}
	mae := report.Chart{Name: "elimination-error", Title: "Backward elimination: error", X: "features left", Y: "mean absolute error, seeds", Caption: caption, Near: true}
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

// stepTable has what each step of the elimination has cost.
func stepTable(s regress.Summary) *doc.Table {
	t := doc.TableOf([]string{"features left", "the one just removed", "R training", "R validation", "error training", "error validation"}, s.Steps, func(f regress.Step) []any {
		row := []any{f.Features, cmp.Or(f.Removed, "–"), report.Number(f.Train.R, 4), "–", report.Number(features.Seeds(f.Train.MAE), 2), "–"}
		if v := f.Validation; v != nil {
			row[3], row[5] = report.Number(v.R, 4), report.Number(features.Seeds(v.MAE), 2)
		}
		return row
	})
	t.Caption = "Correlations and mean absolute errors in seeds, step by step."
	return t
}
