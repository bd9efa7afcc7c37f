package regress

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/wording"
)

// ModelSummary is one fitted function and how well it agrees with the labels.
type ModelSummary struct {
	Features   []string           `json:"features"`
	Points     []float64          `json:"points"`
	Aliased    []string           `json:"aliased,omitempty"` // features without a weight: those before them determine them
	StdErr     []float64          `json:"stderr,omitempty"`  // absent where there are too few clusters
	Errors     *features.Errors   `json:"errors,omitempty"`  // their kind
	VIF        []float64          `json:"vif,omitempty"`     // variance inflation factors, absent where a column is redundant
	Condition  float64            `json:"condition"`
	Train      agreement.Doubled  `json:"train"`
	Validation *agreement.Doubled `json:"validation,omitempty"` // nil without validation rows

	model *model // nil for one read from a file
}

func newModelSummary(names []string, m *model) ModelSummary {
	s := ModelSummary{Points: m.Weights, StdErr: m.StdErr, Errors: &m.Errors, Condition: m.Condition, Train: m.Stats, model: m}
	for _, j := range m.Columns {
		s.Features = append(s.Features, names[j])
	}
	for _, j := range m.Aliased {
		s.Aliased = append(s.Aliased, names[j])
	}
	if !slices.Contains(m.VIF, math.Inf(1)) { // JSON has no number for that
		s.VIF = m.VIF
	}
	return s
}

// ReadingSummary is what the subsets come to if proven results are read
// otherwise.
type ReadingSummary struct {
	Proven  string         `json:"proven"`
	Subsets []ModelSummary `json:"subsets"`
}

// Summary is what a fit has shown.
type Summary struct {
	Game           string           `json:"game"`
	Full           ModelSummary     `json:"full"`
	Selected       ModelSummary     `json:"selected"`
	Captures       ModelSummary     `json:"captures"`                  // the captured difference alone; empty if the set has no such feature
	Steps          []Step           `json:"steps"`                     // of the selection
	Beside         []Step           `json:"beside,omitempty"`          // of the other selection
	BesideFeatures []string         `json:"beside_features,omitempty"` // that it ends with
	Subsets        []ModelSummary   `json:"subsets,omitempty"`         // fitted as they are
	Readings       []ReadingSummary `json:"readings,omitempty"`        // the same, to labels read otherwise
	Overlap        int              `json:"overlap"`                   // validation rows left out: their situation is a training row's
	Curve          []CurvePoint     `json:"curve,omitempty"`           // of all features, fewer rows first
	Calibrated
}

// Measured is the model's agreement with the rows that count: those of the
// validation set, or of the training set if there is none.
func (m ModelSummary) Measured() agreement.Doubled {
	if m.Validation != nil {
		return *m.Validation
	}
	return m.Train
}

// Text is the summary in a few lines, for a fit of the game.
func (s Summary) Text(g games.Info) string {
	unit, points := g.Unit, g.PointsPerUnit()
	fit := func(f agreement.Doubled) string {
		return fmt.Sprintf("R %.4f, R² %.4f, MAE %.2f %ss", f.R, f.R2, f.MAE/points, unit)
	}
	line := func(name string, m ModelSummary) string {
		text := fmt.Sprintf("%-14s %2d features  training %s", name, len(m.Features), fit(m.Train))
		if m.Validation != nil {
			text += "; validation " + fit(*m.Validation)
		}
		return text
	}
	text := line("full", s.Full) + "\n" + line("selected", s.Selected)
	if len(s.Captures.Features) > 0 {
		text = line("captures-only", s.Captures) + "\n" + text
	}
	return text + "\n" + leftOut(s.Overlap) + curveText(s.Curve, g) + s.Calibrated.text(g) + elimination(s.Steps, g) + s.Selected.table(g, s.Full.Aliased)
}

// elimination lists the steps of a backward elimination, if there are any, as the
// training rows see them.
func elimination(steps []Step, g games.Info) string {
	if len(steps) == 0 {
		return ""
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "left\tdropped\tR\tR²\tMAE, %ss\t\n", g.Unit)
	for _, s := range steps {
		fate := ""
		if !s.Kept {
			fate = "  too much: it stays"
		}
		fmt.Fprintf(w, "%d\t%s\t%.4f\t%.4f\t%.2f\t%s\n", s.Features, s.Removed, s.Train.R, s.Train.R2, s.Train.MAE/g.PointsPerUnit(), fate)
	}
	w.Flush()
	return b.String()
}

// leftOut is a line on validation rows that are not measured, if there are any.
func leftOut(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("left out of the validation, since the training rows have their situations: %s\n", wording.Count(n, "row"))
}

// table lists the weights, in units of the game, with what is known of their certainty, and
// features that have none because others determine them.
func (m ModelSummary) table(g games.Info, aliased []string) string {
	perUnit := g.PointsPerUnit()
	vif := m.VIF
	if m.model != nil {
		vif = m.model.VIF // also where it is infinite
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "feature\t%ss\t± standard error\tt\tvif\t\n", g.Unit)
	for i, name := range m.Features {
		fmt.Fprintf(w, "%s\t%.3f\t", name, m.Points[i]/perUnit)
		if i < len(m.StdErr) {
			fmt.Fprintf(w, "%.3f\t%.1f\t", m.StdErr[i]/perUnit, m.Points[i]/m.StdErr[i])
		} else {
			fmt.Fprint(w, "–\t–\t")
		}
		if i < len(vif) {
			fmt.Fprintf(w, "%.1f\t", vif[i])
		}
		fmt.Fprintln(w)
	}
	for _, name := range aliased {
		fmt.Fprintf(w, "%s\tNA\tNA\tNA\tNA\t\n", name)
	}
	w.Flush()
	if aliased != nil {
		fmt.Fprintf(&b, "no weight (NA), since the features before determine them: %s\n", strings.Join(aliased, ", "))
	}
	if m.Errors != nil {
		fmt.Fprintf(&b, "standard errors: %s\n", m.Errors)
	}
	return b.String() + fmt.Sprintf("condition number %.3g", m.Condition)
}
