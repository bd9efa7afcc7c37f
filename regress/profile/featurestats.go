package profile

import (
	"context"
	"slices"

	"kroo/datasets"
	"kroo/internal/parallel"
	"kroo/regress"
)

// FeatureStats describes a feature of a features table: the difference of what
// it counts for the side to move and for the other side.
type FeatureStats struct {
	Name string  `json:"name"`
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	R    float64 `json:"r"` // correlation with the label
	// Partial is the correlation of what the other features do not explain of it and of the
	// label; absent if it is the same in all rows or those before it determine it.
	Partial *float64      `json:"partial,omitempty"`
	Parts   []FeaturePart `json:"parts,omitempty"` // correlations by part of the game
	Alone   float64       `json:"alone"`           // points a unit, fitted alone over doubled rows
	// With all other features fitted too; absent if the feature is the same in
	// all rows or those before it determine it.
	Together *float64 `json:"together,omitempty"` // points a unit
	StdErr   *float64 `json:"stderr,omitempty"`   // of Together; absent also if the rows are of too few games
	VIF      *float64 `json:"vif,omitempty"`      // variance inflation factor
	// Of names the features before it that determine it.
	Of     []string  `json:"combination_of,omitempty"`
	Effect []Effect  `json:"effect"`       // by value of the difference; nil of a column that another program has computed
	With   []float64 `json:"correlations"` // with every feature, in their order
}

// FeaturePart is the correlation of a feature with the label in a part of the game.
type FeaturePart struct {
	From    int      `json:"from"` // first phase
	To      int      `json:"to"`   // last phase
	Rows    int      `json:"rows"`
	R       float64  `json:"r"`
	Partial *float64 `json:"partial,omitempty"`
}

// Effect is what the labels are where a feature's difference has a value.
type Effect struct {
	Difference int     `json:"difference"`
	Rows       int     `json:"rows"`
	Label      float64 `json:"label"` // mean, points
	// Error is the standard error of the mean in points, over clusters of rows ([datasets.GroupOf]); 0
	// of a single one.
	Error float64 `json:"error"`
}

// describeFeatures describes the features of a features table, in a second pass over its rows.
func (s *survey[P]) describeFeatures(ctx context.Context, from *datasets.Table, o Options[P], to *Profile, told parallel.Progress) error {
	if s.features == nil || s.rows == 0 {
		return nil
	}
	total := s.features.total()
	if err := to.correlate(s.features, total); err != nil {
		return err
	}
	fit, columns, err := fitTogether(total)
	if err != nil {
		return err
	}
	p, b, err := s.again(ctx, from, o, fit, columns, told)
	if err != nil {
		return err
	}
	for j := range to.Features[:s.features.plain] {
		to.Features[j].Effect = p.effects(j)
	}
	if fit != nil {
		errs, kind := p.errors(s.rows, b)
		to.weigh(fit, columns, errs)
		to.Errors, to.Influence = &kind, p.influence(s.game)
	}
	return nil
}

// correlate describes features by their products.
func (s *Profile) correlate(sums *featureSums, total *products) error {
	y := len(sums.names)
	partial, err := total.partial()
	if err != nil {
		return err
	}
	for j, name := range sums.names {
		f := FeatureStats{Name: name, Mean: total.mean(j), SD: total.sd(j), R: total.correlation(j, y), Partial: valueAt(partial, j)}
		if xx := total.raw(j, j); xx > 0 {
			f.Alone = total.raw(j, y) / xx
		}
		for k := range sums.names {
			f.With = append(f.With, total.correlation(j, k))
		}
		s.Features = append(s.Features, f)
	}
	for i, part := range sums.bands {
		if part == nil {
			continue
		}
		partial, err := part.partial()
		if err != nil {
			return err
		}
		from, to := sums.parts.ends(i)
		for j := range s.Features {
			f := &s.Features[j]
			f.Parts = append(f.Parts, FeaturePart{from, to, part.rows, part.correlation(j, y), valueAt(partial, j)})
		}
	}
	return nil
}

func valueAt(all map[int]float64, j int) *float64 {
	if v, there := all[j]; there {
		return &v
	}
	return nil
}

// fitTogether fits the features that vary, all at once; nil where there is nothing to fit.
func fitTogether(total *products) (*regress.Solved, []int, error) {
	columns, y := total.varying(), len(total.origin)-1
	if len(columns) == 0 || total.rows <= len(columns) || total.about(y, y) == 0 {
		return nil, nil, nil
	}
	fit, err := total.solve(columns, total.raw)
	return fit, columns, err
}

// weigh notes what the features weigh in a fit of columns.
func (s *Profile) weigh(fit *regress.Solved, columns []int, errs []float64) {
	for k, c := range fit.Columns {
		f := &s.Features[columns[c]]
		f.Together, f.VIF = &fit.Weights[k], &fit.VIF[k]
		if errs != nil {
			f.StdErr = &errs[k]
		}
	}
	for k, c := range fit.Aliased {
		for _, of := range fit.Sources[k] {
			f := &s.Features[columns[c]]
			f.Of = append(f.Of, s.Features[columns[of]].Name)
		}
	}
}

// nearlyAliased is the variance inflation factor from which a feature counts as nearly a
// combination of others: they explain nine tenths of it (Marquardt 1970).
const nearlyAliased = 10

// degenerate names the features that are the same in all rows, or that others determine.
func (s *Profile) degenerate() (lines []string) {
	var constant, nearly []string
	for _, f := range s.Features {
		switch {
		case f.SD == 0:
			constant = append(constant, f.Name)
		case f.Of != nil:
			lines = append(lines, f.Name+" is a combination of "+listNames(f.Of)+" in every row: it has no weight of its own.")
		case f.VIF != nil && *f.VIF >= nearlyAliased:
			nearly = append(nearly, f.Name)
		}
	}
	if nearly != nil {
		lines = slices.Insert(lines, 0, "Nearly aliased, the others explain 90 % of it or more: "+listNames(nearly)+".")
	}
	if constant != nil {
		lines = slices.Insert(lines, 0, "The same in every row: "+listNames(constant)+".")
	}
	if lines == nil && s.Errors != nil {
		lines = []string{"None is constant, a combination of others, or nearly one (vif of 10 or more)."}
	}
	return lines
}
