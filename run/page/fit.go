package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kroo/features"
	"kroo/features/oware/thesis"
	"kroo/regress"
	"kroo/report"
)

// capturesFeature is the feature of the captured seeds, in every set.
const capturesFeature = "captures"

func fitTable(s regress.Summary) *report.Table {
	t := &report.Table{
		Header:  []string{"function", "features", "R training", "R validation", "error training", "error validation", "RMSE validation"},
		Caption: "R is the correlation of prediction and label, the error is the mean absolute one, RMSE the root of the mean squared one, in seeds.",
	}
	for _, row := range []struct {
		name  string
		model regress.ModelSummary
	}{{"captures-only", s.Captures}, {"full", s.Full}, {"selected", s.Selected}} {
		v := row.model.Measured()
		t.Rows = append(t.Rows, []string{
			row.name, fmt.Sprint(len(row.model.Features)), report.Number(row.model.Train.R, 4), report.Number(v.R, 4),
			report.Number(features.Seeds(row.model.Train.MAE), 2), report.Number(features.Seeds(v.MAE), 2), report.Number(features.Seeds(v.RMSE), 2),
		})
	}
	return t
}

func weightTable(s regress.Summary) *report.Table {
	t := &report.Table{
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
		row := []string{name, seedsEach(s.Full.Points[i]), standardError(s.Full, i, seedsEach), "–", "–", thesis.Meaning(name)}
		if j := slices.Index(s.Selected.Features, name); j >= 0 {
			row[3], row[4] = seedsEach(s.Selected.Points[j]), standardError(s.Selected, j, seedsEach)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// weights are written in seeds for people, in points beside the thesis.
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

func eliminationSteps(s regress.Summary) []report.Step {
	var steps []report.Step
	for _, f := range s.Steps {
		v := *cmp.Or(f.Validation, &f.Train)
		steps = append(steps, report.Step{Features: f.Features, Removed: f.Removed, TrainR: f.Train.R, ValidR: v.R, TrainMAE: f.Train.MAE, ValidMAE: v.MAE})
	}
	return steps
}
