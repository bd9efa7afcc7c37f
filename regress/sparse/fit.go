package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"kroo/internal/agreement"
)

// Result is a fitted function.
type Result struct {
	// Weights of all columns, in points; 0 for columns that no row has.
	Weights   []float64
	Converged bool            // the tolerance was reached
	Rounds    int             // rounds made
	Steps     int             // conjugate-gradient steps in all rounds
	Loss      float64         // of these weights: points squared, summed over rows, including the ridge
	Gradient  float64         // norm relative to that of the labels, see Options.Tolerance
	Train     agreement.Stats // on the rows fitted
	State     *State          // for resuming a stopped fit; otherwise nil
}

// Fit finds the weights that minimise loss plus ridge. If the context ends, it returns the weights
// reached, a State for resuming, and an error that wraps the context's; other errors come without a
// result. Reaching the limit of rounds is not an error: see Result.Converged.
func (m *Matrix) Fit(ctx context.Context, o Options) (*Result, error) {
	o = o.withDefaults()
	s := newSolver(m, o, nil, 0)
	if o.Prior != nil {
		if err := s.setPrior(ctx); err != nil {
			return nil, err
		}
	}
	s.key = m.key(o)
	if o.Resume != nil {
		if err := o.Resume.restore(s, s.key); err != nil {
			return nil, err
		}
	}
	converged, err := s.run(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	r := &Result{Converged: converged, Rounds: s.round, Steps: s.steps, Loss: s.loss, Train: s.train.Stats()}
	if err != nil {
		r.State = saveState(s, s.key)
		for j := range s.w {
			s.w[j] += s.x[j] // an untried step, but a descent direction
		}
		r.Weights = s.weights()
		return r, fmt.Errorf("fit stopped after %d steps in round %d: %w", s.steps, s.round+1, err)
	}
	r.Gradient = s.relative()
	r.Weights = s.weights()
	return r, nil
}

// start puts the weights of columns into their slots.
func (m *Matrix) start(weights, w []float64) {
	for _, j := range m.columns.order {
		w[m.columns.slots[j]] = weights[j]
	}
}

// key is a hash of everything that determines the bits of a fit: rows, columns and options.
func (m *Matrix) key(o Options) uint64 {
	h := m.hash
	for _, s := range m.columns.slots {
		h = mix(h, uint64(s))
	}
	return o.hash(h)
}

// Prior is an earlier fit to other rows. The penalty pulls each weight towards the prior's instead
// of towards 0, so a fit to new rows continues the earlier one, and a column that the new rows lack
// keeps its weight.
type Prior struct {
	Weights []float64 // one per column
	// Rows is the weight of the prior: as much as Rows rows for each row of the fit. The penalty of
	// a column is its ridge plus Rows times its curvature, the second derivative of the loss, at
	// the prior's weights: the diagonal of what those rows would add to the normal equations
	// (elastic weight consolidation; Kirkpatrick et al., PNAS 114, 2017). 0 leaves only the ridge.
	Rows float64
}

// hash covers everything that the bits of a fit depend on.
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

// setPrior starts the solver at the prior's weights and computes its penalties.
func (s *solver) setPrior(ctx context.Context) error {
	p := s.o.Prior
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

// weights returns the weights of all columns, with the prior's for columns that the rows lack.
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

// State is a stopped fit, about 32 bytes per weight. Pass it as Options.Resume to continue.
type State struct {
	Key                uint64 // hash of rows and options
	Round, Step, Steps int
	Rho                float64
	W, X, R, P         []float64
}

func saveState(s *solver, key uint64) *State {
	n := s.m.columns.width
	return &State{key, s.round, s.step, s.steps, s.rho, slices.Clone(s.w[:n]), slices.Clone(s.x[:n]), slices.Clone(s.r[:n]), slices.Clone(s.p[:n])}
}

// restore sets the solver to the saved state.
func (t *State) restore(s *solver, key uint64) error {
	n := s.m.columns.width
	if t.Key != key || len(t.W) != n || len(t.X) != n || len(t.R) != n || len(t.P) != n {
		return errors.New("cannot resume: the saved fit is of other rows or other options: expected the same, or a new fit")
	}
	s.round, s.step, s.steps, s.rho = t.Round, t.Step, t.Steps, t.Rho
	copy(s.w, t.W)
	copy(s.x, t.X)
	copy(s.r, t.R)
	copy(s.p, t.P)
	for j, v := range s.p {
		s.p32[j] = float32(v)
	}
	return nil
}
