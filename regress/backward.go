package regress

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/internal/agreement"
)

// defaultTolerance is how much correlation backward elimination may give up. The
// thesis does not state its stopping rule, so this one was chosen to end where the
// thesis does, at captures, <1, <3 and >12: going there from its twelve by least weight
// costs 0.0035 of R (20 000 boards, labels of 100 000 nodes in steps of two), one more
// step 0.0046. With labels of 2.7 million nodes the way costs 0.0055, and this one ends
// two features before; docs/experiments.md has every step.
const defaultTolerance = 0.004

// Step is one fit of a backward elimination.
type Step struct {
	Removed    string             `json:"removed,omitempty"` // the feature dropped to get here, "" for the fit of all
	Features   int                `json:"features"`          // that are left
	Train      agreement.Doubled  `json:"train"`
	Validation *agreement.Doubled `json:"validation,omitempty"` // nil without validation rows
	Kept       bool               `json:"kept"`                 // false for the last step if it lost too much

	names []string // of the features
	t     float64  // the removed feature's t value before it was dropped
}

// A rule says which feature a step of backward elimination drops: the one of least value.
type rule struct {
	of     func(m *Model, j int) float64
	errors bool // it goes by standard errors
}

// The rules: the column with the smallest value goes. The thesis drops the
// feature of least weight (Sala Soler 2014); least |t| takes the weight's
// standard error into account.
var (
	leastT      = rule{of: func(m *Model, j int) float64 { return math.Abs(m.T[j]) }, errors: true}
	leastWeight = rule{of: func(m *Model, j int) float64 { return math.Abs(m.Weights[j]) }}
)

// least is the column that the rule drops.
func (r rule) least(m *Model) int {
	worst := 0
	for j := range m.Weights {
		if r.of(m, j) < r.of(m, worst) {
			worst = j
		}
	}
	return worst
}

// fitNamed fits and measures named features.
type fitNamed func(ctx context.Context, names []string) (ModelSummary, error)

// backward drops features one at a time, always the one that the rule names,
// until the next removal brings the correlation R on the training rows more
// than tolerance below that of all features, or one feature is left. It
// returns every fit made, that of all features first; the last one is not
// kept if it is the removal that went too far.
func backward(ctx context.Context, fitNamed fitNamed, names []string, tolerance float64, rule rule) ([]Step, error) {
	if !(tolerance >= 0 && tolerance <= 1) {
		return nil, fmt.Errorf("cannot select: tolerance is %g: expected 0 to 1", tolerance)
	}
	fit, err := fitNamed(ctx, names)
	if err != nil {
		return nil, err
	}
	if rule.errors && fit.model.T == nil {
		return nil, fmt.Errorf("cannot select by t: the rows are of %d games or situations, for %d features: expected more than features; or use --select %s", fit.Errors.Clusters, len(fit.Features), selectLeastWeight)
	}
	steps := []Step{{Kept: true}}
	steps[0].of(fit)
	floor := fit.Train.R - tolerance
	for left := fit.Features; steps[len(steps)-1].Kept && len(left) > 1; {
		worst := rule.least(fit.model)
		step := Step{Removed: left[worst]}
		if rule.errors {
			step.t = fit.model.T[worst]
		}
		left = slices.Delete(slices.Clone(left), worst, worst+1)
		if fit, err = fitNamed(ctx, left); err != nil {
			return nil, err
		}
		step.of(fit)
		step.Kept = step.Train.R >= floor
		steps = append(steps, step)
	}
	return steps, nil
}

// of notes what a fit has shown.
func (s *Step) of(m ModelSummary) {
	s.names, s.Features, s.Train, s.Validation = m.Features, len(m.Features), m.Train, m.Validation
}
