package regress

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/doc"
	"kroo/internal/wording"
)

// ModelSummary is a fitted function and its agreement with the labels.
type ModelSummary struct {
	Features []string  `json:"features"`
	Points   []float64 `json:"points"`
	Aliased  []string  `json:"aliased,omitempty"` // features without a weight: linear combinations of earlier ones
	// StdErr are the standard errors: ordinary ones, for independent rows of equal variance, if each
	// row is its own cluster, otherwise clustered ones. Absent if there are too few clusters.
	StdErr     []float64          `json:"stderr,omitempty"`
	Errors     *features.Errors   `json:"errors,omitempty"` // kind of the standard errors
	VIF        []float64          `json:"vif,omitempty"`    // variance inflation factors, absent if a column is redundant
	Condition  float64            `json:"condition"`
	Train      agreement.Doubled  `json:"train"`
	Validation *agreement.Doubled `json:"validation,omitempty"` // nil without validation rows

	solved *Solved // nil if read from a file
}

// Summary summarises a fit.
type Summary struct {
	// Fits of features
	Game     string         `json:"game,omitempty"`
	Full     ModelSummary   `json:"full,omitzero"`
	Selected ModelSummary   `json:"selected,omitzero"`
	Captures ModelSummary   `json:"captures,omitzero"` // the captured difference alone; empty if the set lacks it
	Steps    Steps          `json:"steps,omitempty"`   // of the selection
	Subsets  []ModelSummary `json:"subsets,omitempty"` // fitted for comparison

	// Fits of patterns
	Set         string           `json:"set,omitempty"`
	Columns     int              `json:"columns,omitempty"`
	Weights     int              `json:"weights,omitempty"` // columns with a weight
	Families    []FamilyFit      `json:"families,omitempty"`
	Loss        string           `json:"loss,omitempty"`
	Scale       float64          `json:"scale,omitempty"` // centi-seeds
	Converged   bool             `json:"converged,omitempty"`
	Rounds      int              `json:"rounds,omitempty"`
	SolverSteps int              `json:"solver_steps,omitempty"`
	Train       *agreement.Stats `json:"train,omitempty"`
	Validation  *agreement.Stats `json:"validation,omitempty"`
	Folds       *agreement.Stats `json:"folds,omitempty"` // cross-validation: of held-out rows
	features.Kept

	Overlap int          `json:"overlap"`         // validation rows left out: their situation is also in the training rows
	Curve   []CurvePoint `json:"curve,omitempty"` // of all features or columns, fewest rows first
	Calibrated
}

// Steps are the steps of a selection.
type Steps []Step

// UnmarshalJSON implements [json.Unmarshaler]. Summaries of patterns had a number of steps until
// November 2026.
func (s *Steps) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		return nil
	}
	return json.Unmarshal(data, (*[]Step)(s))
}

// Measured is the agreement with the validation rows, or with the training rows if there are none.
func (m ModelSummary) Measured() agreement.Doubled {
	if m.Validation != nil {
		return *m.Validation
	}
	return m.Train
}

// FamilyFit describes a family in a fit: how often its columns occur, and their ridge.
type FamilyFit struct {
	Name    string  `json:"name"`
	Columns int     `json:"columns"`
	Seen    int     `json:"seen"`   // columns that occur
	Rare    int     `json:"rare"`   // of those, in fewer than ten rows
	Median  int64   `json:"median"` // median number of rows of a column that occurs
	Ridge   float64 `json:"ridge"`
}

// rareCount is the number of rows from which a column is not rare.
const rareCount = 10

func familyFits(counts []int64, o solverOptions) (all []FamilyFit) {
	for i, of := range o.families {
		f := FamilyFit{Name: of.Name, Columns: of.To - of.From, Ridge: o.ridges[i]}
		seen := slices.DeleteFunc(slices.Clone(counts[of.From:of.To]), func(n int64) bool { return n == 0 })
		slices.Sort(seen)
		f.Seen = len(seen)
		f.Rare, _ = slices.BinarySearch(seen, rareCount)
		if f.Seen > 0 {
			f.Median = seen[f.Seen/2]
		}
		all = append(all, f)
	}
	return all
}

// Doc describes the fit.
func (s *Summary) Doc(g games.Info) *doc.Doc {
	d := &doc.Doc{Value: s}
	if s.Set == "" {
		d.Add(s.functions(g))
	} else {
		s.patterns(d, g)
	}
	if s.Overlap > 0 {
		d.Addf("left out of the validation because their situations are in the training rows: %s", wording.Count(s.Overlap, "row"))
	}
	if len(s.Curve) > 1 {
		d.Add(curveSection(s.Curve, g))
	}
	if text := s.Calibrated.text(g); text != "" {
		d.Addf("%s", text)
	}
	if len(s.Steps) > 0 {
		d.Add(s.elimination(g))
	}
	if s.Set == "" {
		d.Add(s.Selected.weights(g, s.Full.Aliased))
	}
	return d
}

// patterns adds what a fit of patterns has of its own.
func (s *Summary) patterns(d *doc.Doc, g games.Info) {
	d.Title = fmt.Sprintf("%s: %d columns, %d with a weight; %s, %d rounds, %d steps", s.Set, s.Columns, s.Weights, s.Loss, s.Rounds, s.SolverSteps)
	if !s.Converged {
		d.Title += ", tolerance not reached"
	}
	d.Add(doc.Section{Table: doc.TableOf([]string{"family", "columns", "seen", "rare", "median rows", "ridge"}, s.Families, func(f FamilyFit) []any {
		return []any{f.Name, f.Columns, f.Seen, f.Rare, f.Median, f.Ridge}
	})})
	t := doc.NewTable("", "rows", "R", "MAE, "+g.Unit+"s", "RMSE, "+g.Unit+"s")
	for _, row := range []struct {
		name string
		of   *agreement.Stats
	}{{"training", s.Train}, {"held out", s.Folds}, {"validation", s.Validation}} {
		if a := row.of; a != nil {
			t.Add(row.name, a.Rows, digits(4, a.R), digits(2, a.MAE/g.PointsPerUnit()), digits(2, a.RMSE/g.PointsPerUnit()))
		}
	}
	d.Add(doc.Section{Table: t})
}

func digits(n int, v float64) string { return fmt.Sprintf("%.*f", n, v) }

// functions compares the fitted functions.
func (s *Summary) functions(g games.Info) doc.Section {
	cells := func(a agreement.Doubled) []any {
		return []any{digits(4, a.R), digits(4, a.R2), digits(2, a.MAE/g.PointsPerUnit())}
	}
	t := doc.NewTable("function", "features", "R training", "R²", "MAE, "+g.Unit+"s")
	if s.Full.Validation != nil {
		t.Header = append(t.Header, "R validation", "R²", "MAE, "+g.Unit+"s")
	}
	for _, row := range []struct {
		name string
		of   ModelSummary
	}{{"captures-only", s.Captures}, {"full", s.Full}, {"selected", s.Selected}} {
		if m := row.of; len(m.Features) > 0 {
			all := append([]any{row.name, len(m.Features)}, cells(m.Train)...)
			if m.Validation != nil {
				all = append(all, cells(*m.Validation)...)
			}
			t.Add(all...)
		}
	}
	return doc.Section{Table: t}
}

// elimination lists the steps of a backward elimination, measured on the training rows.
func (s *Summary) elimination(g games.Info) doc.Section {
	return doc.Section{Heading: "elimination", Table: doc.TableOf([]string{"features", "dropped", "R", "R²", "MAE, " + g.Unit + "s", ""}, s.Steps, func(s Step) []any {
		fate := ""
		if !s.Kept {
			fate = "too much: kept"
		}
		return []any{s.Features, s.Removed, digits(4, s.Train.R), digits(4, s.Train.R2), digits(2, s.Train.MAE/g.PointsPerUnit()), fate}
	})}
}

// weights lists the weights, in the game's unit, with standard errors and inflation factors, and
// the aliased features.
func (m ModelSummary) weights(g games.Info, aliased []string) doc.Section {
	perUnit := g.PointsPerUnit()
	t := doc.NewTable("feature", g.Unit+"s", "± standard error", "t", "vif")
	for i, name := range m.Features {
		row := []any{name, digits(3, m.Points[i]/perUnit), "–", "–", "–"}
		if i < len(m.StdErr) {
			row[2], row[3] = digits(3, m.StdErr[i]/perUnit), digits(1, m.Points[i]/m.StdErr[i])
		}
		if i < len(m.VIF) {
			row[4] = digits(1, m.VIF[i])
		}
		t.Add(row...)
	}
	one := doc.Section{Heading: "weights", Table: t}
	if aliased != nil {
		one.Text = []string{"no weight (NA), combinations of earlier features: " + strings.Join(aliased, ", ")}
	}
	if m.Errors != nil {
		one.Note = fmt.Sprintf("standard errors: %s; ", m.Errors)
	}
	one.Note += fmt.Sprintf("condition number %.3g", m.Condition)
	return one
}
