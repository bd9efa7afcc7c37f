package sparse

import (
	"context"
	"errors"
	"math"
)

// Freedom is an estimate of the effective degrees of freedom of a fit: the
// number of weights that the data, not the ridge, decide.
type Freedom struct {
	Value  float64
	StdErr float64 // of the estimate, from the spread of the probes
	Of     int     // weights
}

// freedomTolerance is where the conjugate gradients of a probe stop. The error of the
// probe is of the order of its square.
const freedomTolerance = 1e-3

// Freedom estimates the effective degrees of freedom at weights that Fit found
// with the same options: the trace of H (H+Λ)⁻¹, where H is the curvature of
// the loss and Λ the ridge. The estimator is Hutchinson's (1990) with the given
// number of probes, at least 2, drawn from the seed; each costs some tens of
// passes. Columns without a ridge count in full, even those that are
// combinations of others.
func (m *Matrix) Freedom(ctx context.Context, o Options, weights []float64, probes int, seed uint64) (Freedom, error) {
	o.Start, o.Resume, o.Checkpoint = weights, nil, nil
	o, err := o.withDefaults(len(m.counts))
	if err != nil {
		return Freedom{}, err
	}
	if o.Prior != nil {
		return Freedom{}, errPriorElsewhere
	}
	if probes < 2 || weights == nil {
		return Freedom{}, errors.New("degrees of freedom: expected the weights of a fit and two probes or more")
	}
	s := newSolver(m, o, nil, 0)
	m.start(weights, s.w)
	if err := s.prepare(ctx); err != nil {
		return Freedom{}, err
	}
	mean, square := 0.0, 0.0
	for i := range probes {
		v, err := s.probe(ctx, mix(seed, uint64(i)))
		if err != nil {
			return Freedom{}, err
		}
		delta := v - mean
		mean += delta / float64(i+1)
		square += delta * (v - mean)
	}
	n := float64(probes)
	return Freedom{float64(m.Weights()) - mean, math.Sqrt(square / (n - 1) / n), m.Weights()}, nil
}

// probe returns vᵀ (H+Λ)⁻¹ v for a v of random signs times √λ: on the average
// the trace of Λ(H+Λ)⁻¹.
func (s *solver) probe(ctx context.Context, seed uint64) (float64, error) {
	v := s.tg
	clear(v)
	for _, j := range s.m.columns.order {
		k := s.m.columns.slots[j]
		v[k] = math.Sqrt(s.penalty(int(k)))
		if mix(seed, uint64(j))&1 == 0 {
			v[k] = -v[k]
		}
	}
	s.begin(v) // solves for -v
	aim := freedomTolerance * math.Sqrt(s.rho)
	for s.step = 0; s.step < s.o.Steps && math.Sqrt(s.rho) > aim; {
		if more, err := s.advance(ctx); err != nil || !more {
			return 0, err
		}
	}
	return -s.sum(func(j int) float64 { return v[j] * s.x[j] }), nil
}
