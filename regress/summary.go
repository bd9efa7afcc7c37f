package regress

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/doc"
	"kroo/internal/wording"
	"kroo/regress/sparse"
)

// Fitted is what a fit has shown, of one kind or the other.
type Fitted struct {
	Features *Summary
	Patterns *PatternSummary
}

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

// PatternSummary is what a fit of patterns has shown.
type PatternSummary struct {
	Set        string           `json:"set"`
	Columns    int              `json:"columns"`
	Weights    int              `json:"weights"` // columns that are seen often enough
	Families   []FamilyFit      `json:"families"`
	Loss       string           `json:"loss"`
	Scale      float64          `json:"scale,omitempty"` // centi-seeds
	Converged  bool             `json:"converged"`
	Rounds     int              `json:"rounds"`
	Steps      int              `json:"steps"`
	Train      agreement.Stats  `json:"train"`
	Validation *agreement.Stats `json:"validation,omitempty"`
	Overlap    int              `json:"overlap"`         // validation rows left out: their situation is a training row's
	Folds      *agreement.Stats `json:"folds,omitempty"` // of rows held out, by fits to the others
	Curve      []CurvePoint     `json:"curve,omitempty"` // fewer rows first
	Calibrated
	features.Kept
}

// FamilyFit says what a fit has of a family: how often its columns are seen,
// and how strongly they are held to zero.
type FamilyFit struct {
	Name    string  `json:"name"`
	Columns int     `json:"columns"`
	Seen    int     `json:"seen"`   // columns seen in some row
	Rare    int     `json:"rare"`   // of those, seen in fewer than ten
	Median  int64   `json:"median"` // rows that a column seen is seen in
	Ridge   float64 `json:"ridge"`
}

// rareCount is how often a column must be seen not to be called rare.
const rareCount = 10

func familyFits(m *sparse.Matrix, groups []sparse.Group) (all []FamilyFit) {
	counts := m.Counts()
	for _, g := range groups {
		f := FamilyFit{Name: g.Name, Columns: g.To - g.From, Ridge: g.Ridge}
		seen := slices.DeleteFunc(slices.Clone(counts[g.From:g.To]), func(n int64) bool { return n == 0 })
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

// Doc is what there is to say of a fit for the game.
func (f Fitted) Doc(g games.Info) *doc.Doc {
	d := new(doc.Doc)
	if s := f.Features; s != nil {
		d.Value = s
		d.Add(s.functions(g))
		addRest(d, g, s.Overlap, s.Curve, s.Calibrated)
		if len(s.Steps) > 0 {
			d.Add(s.elimination(g))
		}
		d.Add(s.Selected.weights(g, s.Full.Aliased))
		return d
	}
	s := f.Patterns
	d.Value = s
	d.Title = fmt.Sprintf("%s: %d columns, %d with a weight; %s, %d rounds, %d steps", s.Set, s.Columns, s.Weights, s.Loss, s.Rounds, s.Steps)
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
	}{{"training", &s.Train}, {"held out", s.Folds}, {"validation", s.Validation}} {
		if a := row.of; a != nil {
			t.Add(row.name, a.Rows, digits(4, a.R), digits(2, a.MAE/g.PointsPerUnit()), digits(2, a.RMSE/g.PointsPerUnit()))
		}
	}
	d.Add(doc.Section{Table: t})
	addRest(d, g, s.Overlap, s.Curve, s.Calibrated)
	return d
}

func digits(n int, v float64) string { return fmt.Sprintf("%.*f", n, v) }

// addRest adds what fits of both kinds have.
func addRest(d *doc.Doc, g games.Info, overlap int, curve []CurvePoint, c Calibrated) {
	if overlap > 0 {
		d.Addf("left out of the validation, since the training rows have their situations: %s", wording.Count(overlap, "row"))
	}
	if len(curve) > 1 {
		d.Add(curveSection(curve, g))
	}
	if text := c.text(g); text != "" {
		d.Addf("%s", text)
	}
}

// functions compares the functions fitted.
func (s Summary) functions(g games.Info) doc.Section {
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

// elimination lists the steps of a backward elimination, as the training rows see them.
func (s Summary) elimination(g games.Info) doc.Section {
	return doc.Section{Heading: "elimination", Table: doc.TableOf([]string{"left", "dropped", "R", "R²", "MAE, " + g.Unit + "s", ""}, s.Steps, func(s Step) []any {
		fate := ""
		if !s.Kept {
			fate = "too much: it stays"
		}
		return []any{s.Features, s.Removed, digits(4, s.Train.R), digits(4, s.Train.R2), digits(2, s.Train.MAE/g.PointsPerUnit()), fate}
	})}
}

// weights lists the weights, in units of the game, with what is known of their certainty, and
// features that have none because others determine them.
func (m ModelSummary) weights(g games.Info, aliased []string) doc.Section {
	perUnit := g.PointsPerUnit()
	vif := m.VIF
	if m.model != nil {
		vif = m.model.VIF // also where it is infinite
	}
	t := doc.NewTable("feature", g.Unit+"s", "± standard error", "t", "vif")
	for i, name := range m.Features {
		row := []any{name, digits(3, m.Points[i]/perUnit), "–", "–", "–"}
		if i < len(m.StdErr) {
			row[2], row[3] = digits(3, m.StdErr[i]/perUnit), digits(1, m.Points[i]/m.StdErr[i])
		}
		if i < len(vif) {
			row[4] = digits(1, vif[i])
		}
		t.Add(row...)
	}
	one := doc.Section{Heading: "weights", Table: t}
	if aliased != nil {
		one.Text = []string{"no weight (NA), since the features before determine them: " + strings.Join(aliased, ", ")}
	}
	if m.Errors != nil {
		one.Note = fmt.Sprintf("standard errors: %s; ", m.Errors)
	}
	one.Note += fmt.Sprintf("condition number %.3g", m.Condition)
	return one
}
