package sparse

import (
	"context"
	"fmt"

	"kroo/internal/agreement"
)

// Result is a fitted function.
type Result struct {
	// Weights of all columns, in points. A merged column has the weight of
	// the coarser one, a column left out 0.
	Weights   []float64
	Converged bool            // the tolerance was reached
	Rounds    int             // made
	Steps     int             // of conjugate gradients, in all rounds
	Loss      float64         // at these weights: points squared, summed over rows, ridge included
	Gradient  float64         // its length relative to that of the labels, see Options.Tolerance
	Train     agreement.Stats // on the rows fitted to
	State     *State          // for continuing, if the fit was stopped; else nil
}

// Fit finds the weights that minimise the loss plus the ridge. If the context
// ends it returns the weights reached, a State for continuing, and an error that
// wraps the context's; other errors come without a result. A fit that ends by
// its number of rounds is no error: see Result.Converged.
func (m *Matrix) Fit(ctx context.Context, o Options) (*Result, error) {
	o, err := o.withDefaults(len(m.counts))
	if err != nil {
		return nil, err
	}
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
	} else {
		m.start(o.Start, s.w)
	}
	converged, err := s.run(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	r := &Result{Converged: converged, Rounds: s.round, Steps: s.steps, Loss: s.loss, Train: s.train.Stats()}
	if err != nil {
		r.State = saveState(s, s.key)
		for j := range s.w {
			s.w[j] += s.x[j] // a step not tried, but downhill
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
	if weights == nil {
		return
	}
	for _, j := range m.columns.order {
		w[m.columns.slots[j]] = weights[j]
	}
}

// key is a hash of rows, columns and options: of all that a fit's bits depend
// on.
func (m *Matrix) key(o Options) uint64 {
	h := m.hash
	for _, s := range m.columns.slots {
		h = mix(h, uint64(s))
	}
	return o.hash(h)
}
