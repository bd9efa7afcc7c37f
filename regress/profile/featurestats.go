package profile

import (
	"context"
	"slices"

	"kroo/datasets"
	"kroo/internal/parallel"
	"kroo/regress"
)

// FeatureStats describes a feature: the difference between its values for the side to move and for
// the other side.
type FeatureStats struct {
	Name string  `json:"name"`
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	R    float64 `json:"r"` // correlation with the label
	// Partial is the partial correlation with the label given all other features; nil if the
	// feature is constant or aliased.
	Partial *float64      `json:"partial,omitempty"`
	Parts   []FeaturePart `json:"parts,omitempty"` // correlations by part of the game
	Alone   float64       `json:"alone"`           // points per unit, fitted alone over doubled rows
	// Together is its weight in a fit of all features, in points per unit; nil if it is constant or
	// aliased.
	Together *float64 `json:"together,omitempty"` // points per unit
	StdErr   *float64 `json:"stderr,omitempty"`   // of Together; nil also if there are too few games
	VIF      *float64 `json:"vif,omitempty"`      // variance inflation factor
	// Of names the earlier features that determine it.
	Of     []string  `json:"combination_of,omitempty"`
	Effect []Effect  `json:"effect"`       // by value of the difference; nil for a column of another program
	With   []float64 `json:"correlations"` // with every feature, in order
}

// FeaturePart is the correlation of a feature with the label in a part of the game.
type FeaturePart struct {
	From    int      `json:"from"` // first phase
	To      int      `json:"to"`   // last phase
	Rows    int      `json:"rows"`
	R       float64  `json:"r"`
	Partial *float64 `json:"partial,omitempty"`
}

// Effect is the mean label of the rows with a given value of a feature's difference.
type Effect struct {
	Difference int     `json:"difference"`
	Rows       int     `json:"rows"`
	Label      float64 `json:"label"` // mean, points
	// Error is the standard error of the mean in points, over clusters of rows
	// ([datasets.GroupOf]); 0 with a single cluster.
	Error float64 `json:"error"`
}

// describeFeatures describes the features of a features table, in a second pass over its rows.
func (s *survey[P]) describeFeatures(ctx context.Context, from *datasets.Table, o Options[P], to *Profile, progress parallel.Progress) error {
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
	p, b, err := s.again(ctx, from, o, fit, columns, progress)
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

// correlate fills in the statistics that follow from the features' products.
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

// fitTogether fits all features that vary; nil if none do.
func fitTogether(total *products) (*regress.Solved, []int, error) {
	columns, y := total.varying(), len(total.origin)-1
	if len(columns) == 0 || total.rows <= len(columns) || total.about(y, y) == 0 {
		return nil, nil, nil
	}
	fit, err := total.solve(columns, total.raw)
	return fit, columns, err
}

// weigh records the weights of a fit of some columns.
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

// nearlyAliased is the variance inflation factor from which a feature counts as nearly collinear:
// the others explain nine tenths of it (Marquardt 1970).
const nearlyAliased = 10

// degenerate describes the features that are constant or aliased, or nearly so.
func (s *Profile) degenerate() (lines []string) {
	var constant, nearly []string
	for _, f := range s.Features {
		switch {
		case f.SD == 0:
			constant = append(constant, f.Name)
		case f.Of != nil:
			lines = append(lines, f.Name+" is a combination of "+listNames(f.Of)+" in every row and has no weight of its own.")
		case f.VIF != nil && *f.VIF >= nearlyAliased:
			nearly = append(nearly, f.Name)
		}
	}
	if nearly != nil {
		lines = slices.Insert(lines, 0, "Nearly collinear (the others explain at least 90 %): "+listNames(nearly)+".")
	}
	if constant != nil {
		lines = slices.Insert(lines, 0, "Constant: "+listNames(constant)+".")
	}
	if lines == nil && s.Errors != nil {
		lines = []string{"No feature is constant, a combination of others, or nearly collinear (vif of 10 or more)."}
	}
	return lines
}
