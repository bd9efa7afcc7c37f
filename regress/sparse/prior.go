package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Prior holds the weights of an earlier fit, made to other rows. The penalty pulls each
// weight towards the prior's instead of towards 0. So a fit to new rows alone continues
// the earlier one, and a column that the new rows lack keeps its weight.
type Prior struct {
	Weights []float64 // one a column
	// Rows says how much the prior counts: as much as Rows rows for each row of the
	// fit. The penalty of a column is its ridge plus Rows times its curvature, the
	// second derivative of the loss, at the prior's weights. This is the diagonal of
	// what those rows would add to the normal equations (elastic weight consolidation;
	// Kirkpatrick et al., PNAS 114, 2017). With 0 the ridge stands alone.
	Rows float64
}

// check refuses what cannot be a prior of a given number of columns.
func (p *Prior) check(columns int) error {
	if p == nil {
		return nil
	}
	if len(p.Weights) != columns {
		return fmt.Errorf("cannot fit: a prior of %d weights for %d columns: expected as many", len(p.Weights), columns)
	}
	for j, w := range p.Weights {
		if !(math.Abs(w) <= largest) {
			return fmt.Errorf("cannot fit: weight %d of the prior is %g: expected -%g to %g", j, w, largest, largest)
		}
	}
	if !(p.Rows >= 0 && p.Rows <= largest) {
		return fmt.Errorf("cannot fit: the prior counts %g times the rows: expected 0 to %g", p.Rows, largest)
	}
	return nil
}

// errPriorElsewhere is for what looks at fits without a prior only.
var errPriorElsewhere = errors.New("a prior: expected none where rows are held out or degrees of freedom estimated")

// hash of what the bits of a fit depend on.
func (p *Prior) hash(h uint64) uint64 {
	if p == nil {
		return h
	}
	h = mix(mix(h, 1), math.Float64bits(p.Rows))
	for _, w := range p.Weights {
		h = mix(h, math.Float64bits(w))
	}
	return h
}

// setPrior puts the solver at the prior's weights and makes its penalties.
func (s *solver) setPrior(ctx context.Context) error {
	p := s.o.Prior
	if s.m.layout.Parent != nil || s.m.layout.MinCount > 1 {
		return errors.New("cannot fit: a prior has a weight for every column: expected none of those seen merged or left out")
	}
	s.m.start(p.Weights, s.w)
	s.prior = append([]float64(nil), s.w...)
	if p.Rows == 0 {
		return nil
	}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	trust := make([]float64, len(s.d))
	for _, j := range s.m.columns.order {
		i := s.m.columns.slots[j]
		trust[i] = p.Rows * max(0, s.d[i]-s.penalty(int(i)))
	}
	s.trust = trust
	return nil
}

// weights are those of all columns: where the rows do not have a column, the prior's.
func (s *solver) weights() []float64 {
	all := s.m.columns.spread(s.w)
	if s.o.Prior != nil {
		for j, slot := range s.m.columns.slots {
			if slot < 0 {
				all[j] = s.o.Prior.Weights[j]
			}
		}
	}
	return all
}
