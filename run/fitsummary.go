package run

import (
	"fmt"
	"slices"

	"kroo/features"
	"kroo/regress"
	"kroo/report"
)

// capturesFeature is the feature of the captured seeds, in every set.
const capturesFeature = "captures"

func fitTable(s regress.Summary) *report.Table {
	t := &report.Table{
		Header:  []string{"function", "features", "R training", "R validation", "MAE validation", "MAE in seeds", "RMSE validation"},
		Caption: "MAE and RMSE are in points; 1000/24 points are a seed.",
	}
	for _, row := range []struct {
		name  string
		model regress.ModelSummary
	}{{"captures-only", s.Captures}, {"full", s.Full}, {"selected", s.Selected}} {
		v := row.model.Measured()
		t.Rows = append(t.Rows, []string{
			row.name, fmt.Sprint(len(row.model.Features)), fmt.Sprintf("%.4f", row.model.Train.R), fmt.Sprintf("%.4f", v.R),
			fmt.Sprintf("%.1f", v.MAE), fmt.Sprintf("%.2f", features.Seeds(v.MAE)), fmt.Sprintf("%.1f", v.RMSE),
		})
	}
	return t
}

func weightTable(s regress.Summary) *report.Table {
	t := &report.Table{Header: []string{"feature", "full", "± standard error", "selected"}, Caption: "Weights in points a unit of difference."}
	for i, name := range s.Full.Features {
		row := []string{name, fmt.Sprintf("%.2f", s.Full.Points[i]), "–", "–"}
		if i < len(s.Full.StdErr) {
			row[2] = fmt.Sprintf("%.2f", s.Full.StdErr[i])
		}
		if j := slices.Index(s.Selected.Features, name); j >= 0 {
			row[3] = fmt.Sprintf("%.2f", s.Selected.Points[j])
		}
		t.Rows = append(t.Rows, row)
	}
	return t
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
