package regress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/checksum"
	"kroo/internal/outline"
	"kroo/internal/wording"
)

// ModelSummary is a fitted function and its agreement with the labels.
type ModelSummary struct {
	Features []string  `json:"features"`
	Points   []float64 `json:"points"`
	Aliased  []string  `json:"aliased,omitempty"` // features without a weight: linear combinations of earlier ones
	// StdErr are the standard errors: ordinary ones, for independent rows of equal variance, if each
	// row is its own cluster, otherwise clustered ones. Absent if there are too few clusters.
	StdErr []float64                `json:"stderr,omitempty"`
	Errors *features.StandardErrors `json:"errors,omitempty"` // kind of the standard errors
	VIF    []float64                `json:"vif,omitempty"`    // variance inflation factors, absent with a ridge
	// ScaledCondition is the condition number of the columns scaled to length 1: from [collinear] on
	// they are nearly collinear.
	ScaledCondition float64            `json:"scaled_condition"`
	Train           agreement.Doubled  `json:"train"`
	Validation      *agreement.Doubled `json:"validation,omitempty"` // nil without validation rows

	solved *Solved // nil if read from a file
}

// Summary summarises a fit.
type Summary struct {
	// Fits of features
	Game     string         `json:"game,omitempty"`
	Full     ModelSummary   `json:"full,omitzero"`
	Selected ModelSummary   `json:"selected,omitzero"`
	Captures ModelSummary   `json:"captures,omitzero"` // the captured difference alone; empty if the set lacks it
	Steps    []Step         `json:"steps,omitempty"`   // of the selection
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

// isSelected reports whether the selection dropped features.
func (s *Summary) isSelected() bool { return len(s.Selected.Features) < len(s.Full.Features) }

// Agreement returns the agreement with the validation rows; without any, with the training rows.
func (m ModelSummary) Agreement() agreement.Doubled {
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
func (s *Summary) Doc(g games.Info) *outline.Doc {
	d := &outline.Doc{Value: s}
	if s.Set == "" {
		d.Add(s.functions(g))
	} else {
		s.patterns(d, g)
	}
	if s.Overlap > 0 {
		d.Addf("left out of the validation because their situations are in the training rows: %s",
			wording.Count(s.Overlap, "row"))
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
		d.Add(s.Selected.weights(g, s.Full.Aliased, s.isSelected()))
	}
	return d
}

// patterns adds what a fit of patterns has of its own.
func (s *Summary) patterns(d *outline.Doc, g games.Info) {
	d.Title = fmt.Sprintf("%s: %s, %d with a weight; %s, %s, %s",
		s.Set, wording.Count(s.Columns, "column"), s.Weights, s.Loss, wording.Count(s.Rounds, "round"),
		wording.Count(s.SolverSteps, "step"))
	if !s.Converged {
		d.Title += ", tolerance not reached"
	}
	d.Add(outline.Section{Table: outline.TableOf([]string{"family", "columns", "seen", "rare", "median rows", "ridge"},
		s.Families, func(f FamilyFit) []any {
			return []any{f.Name, f.Columns, f.Seen, f.Rare, f.Median, f.Ridge}
		})})
	t := outline.NewTable("", "rows", "R", "MAE, "+g.Unit+"s", "RMSE, "+g.Unit+"s")
	for _, row := range []struct {
		name string
		of   *agreement.Stats
	}{{"training", s.Train}, {"held out", s.Folds}, {"validation", s.Validation}} {
		if a := row.of; a != nil {
			t.Add(row.name, a.Rows, digits(4, a.R), digits(2, a.MAE/g.PointsPerUnit()), digits(2, a.RMSE/g.PointsPerUnit()))
		}
	}
	d.Add(outline.Section{Table: t})
}

func digits(n int, v float64) string { return fmt.Sprintf("%.*f", n, v) }

// functions compares the fitted functions.
func (s *Summary) functions(g games.Info) outline.Section {
	cells := func(a agreement.Doubled) []any {
		return []any{digits(4, a.R), digits(4, a.R2), digits(2, a.MAE/g.PointsPerUnit())}
	}
	t := outline.NewTable("function", "features", "R training", "R²", "MAE, "+g.Unit+"s")
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
	return outline.Section{Table: t}
}

// elimination lists the steps of a backward elimination, measured on the training rows.
func (s *Summary) elimination(g games.Info) outline.Section {
	return outline.Section{Heading: "elimination",
		Table: outline.TableOf([]string{"features", "dropped", "R", "R²", "MAE, " + g.Unit + "s", ""}, s.Steps,
			func(s Step) []any {
				fate := ""
				if !s.Kept {
					fate = "too much: kept"
				}
				return []any{s.Features, s.Removed, digits(4, s.Train.R), digits(4, s.Train.R2),
					digits(2, s.Train.MAE/g.PointsPerUnit()), fate}
			})}
}

// weights lists the weights, in the game's unit, with standard errors and inflation factors, and
// the aliased features.
func (m ModelSummary) weights(g games.Info, aliased []string, selected bool) outline.Section {
	perUnit := g.PointsPerUnit()
	t := outline.NewTable("feature", g.Unit+"s", "± standard error", "t", "vif")
	for i, name := range m.Features {
		stdErr := math.NaN()
		ratio := "–"
		vif := "–"
		if i < len(m.StdErr) {
			stdErr = m.StdErr[i]
			ratio = digits(1, m.Points[i]/stdErr)
		}
		if i < len(m.VIF) {
			vif = digits(1, m.VIF[i])
		}
		weight, errText := outline.FormatEstimate(m.Points[i]/perUnit, stdErr/perUnit)
		t.Add(name, weight, errText, ratio, vif)
	}
	one := outline.Section{Heading: "weights", Table: t}
	if aliased != nil {
		one.Text = []string{"no weight (NA), combinations of earlier features: " + strings.Join(aliased, ", ")}
	}
	if m.Errors != nil {
		one.Note = "standard errors: " + m.Errors.Describe(selected) + "\n"
	}
	one.Note += m.conditionText()
	return one
}

// collinear is the scaled condition number from which collinearity is moderate to strong (Belsley, Kuh and
// Welsch, Regression Diagnostics, 1980).
const collinear = 30

// conditionText describes the scaled condition number.
func (m ModelSummary) conditionText() string {
	verdict := "below 30, the features are not collinear"
	if m.ScaledCondition >= collinear {
		verdict = "30 or more, the features are nearly collinear and the weights uncertain"
	}
	return fmt.Sprintf("scaled condition number %.3g: %s (Belsley, Kuh and Welsch 1980)", m.ScaledCondition, verdict)
}

// CurvePoint is a point of a learning curve: a fit to a share of the rows, measured on the
// validation rows.
type CurvePoint struct {
	Rows       int             `json:"rows"`
	Train      agreement.Stats `json:"train"`
	Validation agreement.Stats `json:"validation"`
	// Gain is the reduction of the mean absolute error on the validation rows since the point
	// before, in points, and GainErr its standard error by game; NaN is written as 0.
	Gain    float64 `json:"gain"`
	GainErr float64 `json:"gain_err"`
}

// curveShares are the shares of the rows that a learning curve fits.
var curveShares = []float64{1. / 16, 1. / 8, 1. / 4, 1. / 2, 1}

// inShare reports whether a cluster of rows, identified by a hash, belongs to a share. Shares are
// nested. The other splits are in labelledRows.folds and in package sampler (inValidation).
func inShare(cluster uint32, share float64) bool {
	return float64(checksum.Mix(uint64(cluster))>>11)/(1<<53) < share
}

var errNoValidation = errors.New("a learning curve needs validation rows to measure on")

// gain has the differences between the absolute errors of two fits, with weights, by cluster.
type gain struct{ *agreement.Clusters }

func newGains(n int) (all []gain) {
	for range n {
		all = append(all, gain{agreement.NewClusters(2)})
	}
	return all
}

func (g gain) add(cluster uint64, before, now, label, weight float64) {
	g.Add(cluster, weight*(math.Abs(before-label)-math.Abs(now-label)), weight)
}

// mean returns the mean difference and its standard error, 0 if there is only one cluster.
func (g gain) mean() (mean, stdErr float64) {
	total := g.Total()
	mean = total[0] / total[1]
	deviations := mat.NewDense(2, 2, []float64{1 / total[1], 0, -mean / total[1], 0})
	stdErr = g.Errors(deviations)[0]
	if math.IsNaN(stdErr) {
		stdErr = 0
	}
	return mean, stdErr
}

// learningCurve fits shares of the rows with the settings of the full fit.
func (f *patternFit[P]) learningCurve(ctx context.Context) (points []CurvePoint, err error) {
	if f.summary.Validation == nil {
		return nil, errNoValidation
	}
	var models [][]float64
	for _, share := range curveShares {
		fit := f.best
		rows := f.counts.rows
		if share < 1 {
			fit, rows, err = f.fitShare(ctx, share)
			if err != nil {
				return nil, err
			}
		}
		if fit == nil {
			continue
		}
		models = append(models, fit.weights)
		points = append(points, CurvePoint{Rows: rows, Train: fit.train})
	}
	stats, gains, err := f.validation.sparse(f.set).measure(ctx, f.Workers, models...)
	if err != nil {
		return nil, err
	}
	for i := range points {
		points[i].Validation = stats[i]
		if i > 0 {
			points[i].Gain, points[i].GainErr = gains[i].mean()
		}
	}
	return points, nil
}

// fitShare fits a share of the rows and returns their number. Without two rows there is no fit.
func (f *patternFit[P]) fitShare(ctx context.Context, share float64) (fit *minimum, rows int, err error) {
	some := *f.training
	some.keep = func(_ int, b *labelledBatch[P], i int) bool { return inShare(b.cluster(i), share) }
	sparse := some.sparse(f.set)
	counts, err := sparse.count(ctx, f.Workers)
	if err != nil || counts.rows < 2 {
		return nil, 0, err
	}
	m, err := pack(ctx, sparse, counts, f.Workers, f.storage(share))
	if err != nil {
		return nil, 0, err
	}
	fit, err = m.minimise(ctx, f.options)
	return fit, counts.rows, errors.Join(err, m.close())
}

// learningCurve fits all features to shares of the rows.
func (t *trainer) learningCurve(ctx context.Context) (points []CurvePoint, err error) {
	if t.full.Validation == nil {
		return nil, errNoValidation
	}
	var models []*ModelSummary
	for _, share := range curveShares {
		all := []*ModelSummary{t.full}
		if share < 1 {
			f, err := newFitter(ctx, t.Rows[0], t.names, t.Linear.RelativeRidge, sampleShare{t.samples, share}, nil)
			if err != nil {
				return nil, err
			}
			all, err = f.fitModels(ctx, t.names)
			if _, few := errors.AsType[*tooFewRows](err); few {
				continue // the curve starts later
			}
			if err != nil {
				return nil, err
			}
		}
		models = append(models, all[0])
		points = append(points, CurvePoint{Rows: all[0].Train.Rows, Train: undouble(all[0].Train)})
	}
	gains, err := measureGains(ctx, models, t.valid)
	if err != nil {
		return nil, err
	}
	for i := range points {
		points[i].Validation = undouble(*models[i].Validation)
		if i > 0 {
			points[i].Gain, points[i].GainErr = gains[i].mean()
		}
	}
	return points, nil
}

// undouble converts statistics of doubled rows for a learning curve. Errors are the same.
func undouble(d agreement.Doubled) agreement.Stats {
	return agreement.Stats{Rows: d.Rows, R: d.R, MAE: d.MAE, RMSE: d.RMSE}
}

// curveSection shows a learning curve with a conclusion.
func curveSection(points []CurvePoint, g games.Info) outline.Section {
	unit := g.PointsPerUnit()
	t := outline.NewTable("rows", "training MAE, "+g.Unit+"s", "validation MAE, "+g.Unit+"s", "lower by",
		"± error by game",
		"validation R")
	for i, p := range points {
		gain, err := "–", "–"
		if i > 0 {
			gain = digits(3, p.Gain/unit)
			err = digits(3, p.GainErr/unit)
		}
		t.Add(p.Rows, digits(3, p.Train.MAE/unit), digits(3, p.Validation.MAE/unit), gain, err, digits(4, p.Validation.R))
	}
	return outline.Section{Heading: "learning curve", Table: t, Note: curveVerdict(points, g)}
}

// noGain is the relative reduction of the error, per doubling of the rows, below which more rows
// are not worth their labels.
const noGain = 0.01

// curveVerdict reports if more rows would help, judging by the significant gain of the last
// doubling.
func curveVerdict(points []CurvePoint, g games.Info) string {
	last := points[len(points)-1]
	before := points[len(points)-2]
	unit := g.PointsPerUnit()
	text := fmt.Sprintf("%d rows instead of %d lower the validation error by %.3f ± %.3f %ss: ",
		last.Rows, before.Rows, last.Gain/unit, last.GainErr/unit, g.Unit)
	switch enough := noGain * last.Validation.MAE; {
	case last.Gain-2*last.GainErr > enough:
		return text + "more rows would help"
	case last.Gain+2*last.GainErr > enough:
		return text + "too few validation rows to decide whether more rows would help"
	}
	return text + "more rows would not help; other features, another ridge or better labels might"
}
