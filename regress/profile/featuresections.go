package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/internal/agreement"
	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/report"
)

// featureSections describe the features.
func (s *Profile) featureSections() []outline.Section {
	text := []string{fmt.Sprintf("Differences: the mover's value minus the opponent's. r is the correlation with "+
		"the label; partial is the correlation given "+
		"all other features. Weights are %ss per unit of difference, fitted alone and together with all others; "+
		"vif is the factor by which "+
		"correlation with the others inflates the variance of the weight.", s.game.Unit)}
	if s.Errors != nil {
		text = append(text, "Standard errors: "+s.Errors.String()+".")
	}
	all := []outline.Section{{Heading: "features", Text: append(text, s.degenerate()...), Table: s.featureTable()}}
	if len(s.Features[0].Parts) > 1 {
		all = append(all, s.partSection("Correlation",
			"A feature whose correlation changes during the game needs a weight per phase.", func(p FeaturePart) *float64 { return p.R }),
			s.partSection("Partial correlation",
				"What each feature adds to the others. One that stays near 0 can be dropped.", func(p FeaturePart) *float64 { return p.Partial }))
	}
	all = append(all, s.correlationSection())
	if s.Influence != nil {
		all = append(all, s.influenceSections()...)
	}
	return append(all, s.effectSections()...)
}

func (s *Profile) featureTable() *outline.Table {
	per := s.game.PointsPerUnit()
	return outline.TableOf([]string{"feature", "mean", "sd", "r", "partial", "alone", "together", "± error", "vif"},
		s.Features, func(f FeatureStats) []any {
			together, errText := "–", "–"
			if f.Together != nil {
				stdErr := math.NaN()
				if f.StdErr != nil {
					stdErr = *f.StdErr
				}
				together, errText = outline.FormatEstimate(*f.Together/per, stdErr/per)
			}
			return []any{f.Name, outline.Significant(f.Mean, 4), outline.Significant(f.SD, 4), decimals(3, &f.R),
				decimals(3, f.Partial),
				outline.Significant(f.Alone/per, 4), together, errText, decimals(1, f.VIF)}
		})
}

// decimals formats a number without a scale, or a dash if it is nil.
func decimals(n int, v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.*f", n, *v)
}

// partSection shows the value of each feature by part of the game: in a table, and as curves of the
// features with the strongest correlations with the label.
func (s *Profile) partSection(what, caption string, value func(FeaturePart) *float64) outline.Section {
	t := outline.NewTable("feature")
	rows := []any{"rows"}
	for _, p := range s.Features[0].Parts {
		t.Header = append(t.Header, fmt.Sprintf("%d–%d", p.From, p.To))
		rows = append(rows, p.Rows)
	}
	t.Add(rows...)
	name, drawn := strings.ReplaceAll(what, " ", "-"), s.strongest(maxDrawn)
	c := report.Chart{
		Name:    name + "-by-part",
		Title:   what + " with the label by " + s.PhaseName,
		X:       s.PhaseName,
		Y:       "r",
		Caption: caption,
	}
	for j, f := range s.Features {
		row := []any{f.Name}
		for _, p := range f.Parts {
			r := value(p)
			row = append(row, decimals(3, r))
			if r != nil && slices.Contains(drawn, j) {
				c.Add(f.Name, float64(p.From+p.To)/2, *r)
			}
		}
		t.Add(row...)
	}
	return outline.Section{
		Heading: what + " with the label by " + s.PhaseName,
		Table:   t,
		Figures: []outline.Drawing{c},
		Drawn:   true,
		Text:    []string{caption},
	}
}

// maxDrawn is the number of features with a curve in a chart.
const maxDrawn = 12

// strongest returns the features with the greatest correlations with the label, in their original
// order.
func (s *Profile) strongest(most int) []int {
	all := make([]int, len(s.Features))
	for j := range all {
		all[j] = j
	}
	slices.SortStableFunc(all, func(i, j int) int {
		return cmp.Compare(math.Abs(s.Features[j].R), math.Abs(s.Features[i].R))
	})
	all = all[:min(len(all), most)]
	slices.Sort(all)
	return all
}

// The greatest sizes of a table of pairs and of a map of correlations.
const (
	mostPairs = 20
	mostInMap = 48
)

// correlationSection shows the strongest correlations of features in a table, and all in a map.
func (s *Profile) correlationSection() outline.Section {
	type pair struct{ i, j int }
	var pairs []pair
	for i := range s.Features {
		for j := range i {
			pairs = append(pairs, pair{j, i})
		}
	}
	size := func(p pair) float64 { return math.Abs(s.Features[p.i].With[p.j]) }
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(size(b), size(a)) })
	t := outline.TableOf([]string{"feature", "and", "r"}, pairs[:min(len(pairs), mostPairs)], func(p pair) []any {
		return []any{s.Features[p.i].Name, s.Features[p.j].Name, fmt.Sprintf("%+.3f", s.Features[p.i].With[p.j])}
	})
	return outline.Section{Heading: "correlations of features", Table: t,
		Figures: []outline.Drawing{s.correlationMap()}, Drawn: true,
		Text: []string{fmt.Sprintf("The strongest of %d pairs. Two features near ±1 are redundant: the fit cannot "+
			"separate their weights.", len(pairs))}}
}

// correlationMap draws the correlations of the features with each other and with the label.
func (s *Profile) correlationMap() report.Matrix {
	chosen := s.strongest(mostInMap)
	m := report.Matrix{Name: "correlations", Title: "Correlations of the label and the features", Rows: []string{"label"},
		Caption: "Blue: positive correlation; orange: negative. Strong colours off the diagonal mark nearly " +
			"redundant features. Columns are numbered like the rows."}
	if len(chosen) < len(s.Features) {
		m.Line = fmt.Sprintf("the %d of %d features with the largest correlations with the label", len(chosen), len(s.Features))
	}
	first := []float64{1}
	for _, j := range chosen {
		first = append(first, s.Features[j].R)
		m.Rows = append(m.Rows, s.Features[j].Name)
	}
	m.Values = [][]float64{first}
	for _, j := range chosen {
		row := []float64{s.Features[j].R}
		for _, k := range chosen {
			row = append(row, s.Features[j].With[k])
		}
		m.Values = append(m.Values, row)
	}
	return m
}

func (s *Profile) influenceSections() []outline.Section {
	f := s.Influence
	text := fmt.Sprintf("A row's leverage is how much its own label affects its prediction in the fit of all "+
		"features. The leverages add up to the number of weights, "+
		"%d, so the mean is %.3g. %d rows (%s) exceed twice the mean, the usual threshold (Hoaglin and Welsch 1978). "+
		"Rare boards have high leverage; a few rows far above the rest would dominate the fit. One row per game or "+
		"situation:", f.Weights, f.Mean, f.Above, outline.Percent(f.Above, s.Rows))
	return []outline.Section{
		{Heading: "rows with the highest leverage", Text: []string{text}, Boards: s.boards("leverage", f.Leverage)},
		{Heading: "rows with the largest errors in the fit of all features", Boards: s.boards("missed", f.Residuals),
			Text: []string{"One row per game or situation. Look for common traits that no feature counts."}},
	}
}

// effectSections show for each feature the distribution of its difference, and the mean label and the
// residuals at each value.
func (s *Profile) effectSections() (all []outline.Section) {
	for _, f := range s.Features {
		if len(f.Effect) < 2 {
			continue
		}
		one := outline.Section{
			Heading: "labels by " + f.Name,
			Table:   outline.NewTable("difference", "rows", "mean label, "+s.game.Unit+"s", "± 95 %"),
			Drawn:   true,
			Folded:  true, // there may be dozens, of two figures each
		}
		if s.Residuals != nil {
			one.Heading = "labels and residuals by " + f.Name
			one.Table.Header = append(one.Table.Header, "mean residual", "MAE", "RMSE")
		}
		if all == nil {
			one.Text = []string{"Straight line: one weight is enough. Bend: a feature per value would fit better."}
		}
		label := report.Chart{Name: "label-by-" + datasets.ColumnName(f.Name), Title: "Mean label by " + f.Name,
			X: f.Name + ", own minus opponent's", Y: "label, " + s.game.Unit + "s",
			Caption: "Straight line: one weight per unit is enough. Bend: a feature per value would fit better. " +
				"The wider the band, the fewer the rows."}
		count := report.Chart{Name: "rows-by-" + datasets.ColumnName(f.Name), Title: "Rows by " + f.Name, X: label.X, Y: "rows"}
		for _, e := range f.Effect {
			mean := s.inUnits(e.Label)
			band := agreement.Significant * s.inUnits(e.Error)
			x := float64(e.Difference)
			row := []any{strings.Replace(fmt.Sprintf("%+d", e.Difference), "+0", "0", 1), e.Rows,
				fmt.Sprintf("%+.2f", mean), fmt.Sprintf("%.2f", band)}
			if e.Residuals != nil {
				row = append(row, s.errors(e.Residuals)...)
				label.Add("mean residual", x, s.inUnits(e.Residuals.Mean))
			}
			one.Table.Add(row...)
			one.Table.Bars = append(one.Table.Bars, e.Rows)
			label.Add("mean label", x, mean)
			label.Add("95 % above", x, mean+band)
			label.Add("95 % below", x, mean-band)
			count.Add("rows", x, float64(e.Rows))
		}
		one.Figures = []outline.Drawing{label, count}
		all = append(all, one)
	}
	return all
}

// nearlyAliased is the variance inflation factor from which a feature counts as nearly collinear:
// the others explain nine tenths of it (Marquardt 1970).
const nearlyAliased = 10

// degenerate describes the features that are constant or aliased, or nearly so.
func (s *Profile) degenerate() []string {
	var constant, nearly, combined []string
	for _, f := range s.Features {
		switch {
		case f.SD == 0:
			constant = append(constant, f.Name)
		case f.Of != nil:
			combined = append(combined,
				f.Name+" is a combination of "+wording.List(f.Of, "and")+" in every row and has no weight of its own.")
		case f.VIF != nil && *f.VIF >= nearlyAliased:
			nearly = append(nearly, f.Name)
		}
	}
	lines := slices.Concat(namesOf("Constant", constant),
		namesOf("Nearly collinear (the others explain at least 90 %)", nearly), combined)
	if lines == nil && s.Errors != nil {
		return []string{"No feature is constant, a combination of others, or nearly collinear (vif of 10 or more)."}
	}
	return lines
}
