package pipeline

import (
	"fmt"
	"slices"

	"kroo/features"
	"kroo/report"
)

// capturesFeature is the feature of the captured seeds, in every set.
const capturesFeature = "captures"

// FitModel is one fitted function and how well it agrees with the labels.
type FitModel struct {
	Features   []string      `json:"features"`
	Points     []float64     `json:"points"`
	StdErr     []float64     `json:"stderr,omitempty"` // absent where a column is redundant
	Condition  float64       `json:"condition"`
	Train      features.Fit  `json:"train"`
	Validation *features.Fit `json:"validation,omitempty"`
}

// FitStep is one step of backward elimination, the full set first.
type FitStep struct {
	Removed    string        `json:"removed,omitempty"`
	Features   int           `json:"features"`
	Train      features.Fit  `json:"train"`
	Validation *features.Fit `json:"validation,omitempty"`
	Kept       bool          `json:"kept"` // false for the step that would have cost too much
}

// FitSummary is what a fit has shown.
type FitSummary struct {
	Full     FitModel  `json:"full"`
	Selected FitModel  `json:"selected"`
	Captures FitModel  `json:"captures"` // the captured difference alone
	Steps    []FitStep `json:"steps"`
	Overlap  int       `json:"overlap"` // validation rows left out: their situation is a training row's
}

// measured is the model's agreement with the rows that count: those of the
// validation set, or of the training set if there is none.
func (m FitModel) measured() features.Fit {
	if m.Validation != nil {
		return *m.Validation
	}
	return m.Train
}

// seeds converts points to seeds.
func seeds(points float64) float64 { return points * 24 / 1000 }

func (s FitSummary) table() *report.Table {
	t := &report.Table{
		Header:  []string{"function", "features", "R training", "R validation", "MAE validation", "MAE in seeds", "RMSE validation"},
		Caption: "MAE and RMSE are in points; 1000/24 points are a seed.",
	}
	for _, row := range []struct {
		name  string
		model FitModel
	}{{"captures-only", s.Captures}, {"full", s.Full}, {"selected", s.Selected}} {
		v := row.model.measured()
		t.Rows = append(t.Rows, []string{
			row.name, fmt.Sprint(len(row.model.Features)), fmt.Sprintf("%.4f", row.model.Train.R), fmt.Sprintf("%.4f", v.R),
			fmt.Sprintf("%.1f", v.MAE), fmt.Sprintf("%.2f", seeds(v.MAE)), fmt.Sprintf("%.1f", v.RMSE),
		})
	}
	return t
}

func (s FitSummary) weightTable() *report.Table {
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
func (s FitSummary) selectionText() string {
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

func (s FitSummary) reportSteps() []report.Step {
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

// String is the summary in a few lines.
func (s FitSummary) String() string {
	line := func(name string, m FitModel) string {
		text := fmt.Sprintf("%-14s %2d features  training R %.4f, MAE %.1f points (%.2f seeds)", name, len(m.Features), m.Train.R, m.Train.MAE, seeds(m.Train.MAE))
		if v := m.Validation; v != nil {
			text += fmt.Sprintf("; validation R %.4f, MAE %.1f points (%.2f seeds)", v.R, v.MAE, seeds(v.MAE))
		}
		return text
	}
	return line("captures-only", s.Captures) + "\n" + line("full", s.Full) + "\n" + line("selected", s.Selected)
}
