package regress

import (
	"fmt"

	"kroo/features"
)

// ModelSummary is one fitted function and how well it agrees with the labels.
type ModelSummary struct {
	Features   []string      `json:"features"`
	Points     []float64     `json:"points"`
	StdErr     []float64     `json:"stderr,omitempty"` // absent where a column is redundant
	Condition  float64       `json:"condition"`
	Train      features.Fit  `json:"train"`
	Validation *features.Fit `json:"validation,omitempty"`
}

// StepSummary is one step of backward elimination, the full set first.
type StepSummary struct {
	Removed    string        `json:"removed,omitempty"`
	Features   int           `json:"features"`
	Train      features.Fit  `json:"train"`
	Validation *features.Fit `json:"validation,omitempty"`
	Kept       bool          `json:"kept"` // false for the step that would have cost too much
}

// Summary is what a fit has shown.
type Summary struct {
	Full           ModelSummary   `json:"full"`
	Selected       ModelSummary   `json:"selected"`
	Captures       ModelSummary   `json:"captures"` // the captured difference alone
	Steps          []StepSummary  `json:"steps"`
	Beside         []StepSummary  `json:"beside,omitempty"`          // of the other selection
	BesideFeatures []string       `json:"beside_features,omitempty"` // that it ends with
	Subsets        []ModelSummary `json:"subsets,omitempty"`         // fitted as they are
	Overlap        int            `json:"overlap"`                   // validation rows left out: their situation is a training row's
}

// Measured is the model's agreement with the rows that count: those of the
// validation set, or of the training set if there is none.
func (m ModelSummary) Measured() features.Fit {
	if m.Validation != nil {
		return *m.Validation
	}
	return m.Train
}

// String is the summary in a few lines.
func (s Summary) String() string {
	line := func(name string, m ModelSummary) string {
		text := fmt.Sprintf("%-14s %2d features  training R %.4f, MAE %.1f points (%.2f seeds)", name, len(m.Features), m.Train.R, m.Train.MAE, features.Seeds(m.Train.MAE))
		if v := m.Validation; v != nil {
			text += fmt.Sprintf("; validation R %.4f, MAE %.1f points (%.2f seeds)", v.R, v.MAE, features.Seeds(v.MAE))
		}
		return text
	}
	return line("captures-only", s.Captures) + "\n" + line("full", s.Full) + "\n" + line("selected", s.Selected)
}
