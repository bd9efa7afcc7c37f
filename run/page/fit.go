package page

import (
	"fmt"
	"slices"

	"kroo/features"
	"kroo/features/oware/thesis"
	"kroo/regress"
	"kroo/report"
)

// capturesFeature is the feature of the captured seeds, in every set.
const capturesFeature = "captures"

func fitTable(s regress.Summary) *report.Table {
	t := &report.Table{
		Header:  []string{"function", "features", "R training", "R validation", "MAE training", "MAE validation", "in seeds", "RMSE validation"},
		Caption: "R is the correlation of prediction and label, MAE the mean absolute error, RMSE the root of the mean squared error, in points; 1000/24 points are a seed.",
	}
	for _, row := range []struct {
		name  string
		model regress.ModelSummary
	}{{"captures-only", s.Captures}, {"full", s.Full}, {"selected", s.Selected}} {
		v := row.model.Measured()
		t.Rows = append(t.Rows, []string{
			row.name, fmt.Sprint(len(row.model.Features)), report.Number(row.model.Train.R, 4), report.Number(v.R, 4),
			report.Number(row.model.Train.MAE, 1), report.Number(v.MAE, 1), report.Number(features.Seeds(v.MAE), 2), report.Number(v.RMSE, 1),
		})
	}
	return t
}

func weightTable(s regress.Summary) *report.Table {
	t := &report.Table{
		Header:  []string{"feature", "full", "± standard error", "selected", "± standard error", "meaning"},
		Caption: "Weights in points a unit of difference: what the side to move has, minus what the other side has.",
	}
	for i, name := range s.Full.Features {
		row := []string{name, report.Number(s.Full.Points[i], 2), standardError(s.Full, i), "–", "–", thesis.Meaning(name)}
		if j := slices.Index(s.Selected.Features, name); j >= 0 {
			row[3], row[4] = report.Number(s.Selected.Points[j], 2), standardError(s.Selected, j)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// standardError is that of a weight, where the fit could tell it.
func standardError(m regress.ModelSummary, i int) string {
	if i >= len(m.StdErr) {
		return "–"
	}
	return report.Number(m.StdErr[i], 2)
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
		v := f.Train
		if f.Validation != nil {
			v = *f.Validation
		}
		steps = append(steps, report.Step{Features: f.Features, Removed: f.Removed, TrainR: f.Train.R, ValidR: v.R, TrainMAE: f.Train.MAE, ValidMAE: v.MAE})
	}
	return steps
}
