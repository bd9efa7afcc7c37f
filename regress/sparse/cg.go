package sparse

import (
	"context"
	"math"
)

// cg is the state of the conjugate gradients of a round: the step so far, the
// residual, the direction, its product with the matrix.
type cg struct {
	x, r, p, q []float64
	p32        []float32 // p, as products read it
	rho        float64   // rᵀ D⁻¹ r
}

// forcing is the factor by which a round reduces its residual. Least squares has one
// round, which continues to the tolerance. With other losses the next round changes the
// curvature, and more exactness would be lost.
const forcing = 0.1

// solve finds x with (Aᵀ diag(h) A + ridge) x = -g.
func (s *solver) solve(ctx context.Context) error {
	norm := s.norm()
	aim := s.o.Tolerance * s.size / 2
	if s.o.Loss != Squares {
		aim = max(aim, forcing*norm)
	}
	if s.step == 0 {
		s.begin(s.g)
	}
	for s.step < s.o.Steps && math.Sqrt(s.rho) > aim {
		more, err := s.advance(ctx)
		if err != nil {
			return err
		}
		if !more {
			return nil
		}
		if s.o.Progress != nil { // an estimate takes time
			s.o.Progress.At(int64(s.steps), s.expected())
		}
		if s.o.Checkpoint != nil {
			s.o.Checkpoint(func() *State { return saveState(s, s.key) })
		}
	}
	return nil
}

// begin starts at x = 0, where the residual of the right side -g is -g itself.
func (s *solver) begin(g []float64) {
	s.rho = s.sum(func(j int) float64 {
		s.x[j], s.r[j], s.p[j] = 0, 0, 0
		s.r[j] = -g[j]
		s.p[j] = -g[j] / s.d[j]
		s.p32[j] = float32(s.p[j])
		return g[j] * g[j] / s.d[j]
	})
}

// advance makes a step of conjugate gradients. It reports false if there is no
// direction left in which anything changes.
func (s *solver) advance(ctx context.Context) (more bool, err error) {
	err = s.m.pass(ctx, func(_ int, c *chunk, z *scratch, acc []float64) {
		product(c, s.p32, s.h, &z.z32, acc)
	})
	if err != nil {
		s.m.empty()
		return false, err
	}
	curvature := s.m.drain(func(j int, v float64) float64 {
		s.q[j] = v + s.penalty(j)*s.p[j]
		return s.p[j] * s.q[j]
	})
	if !(curvature > 0) {
		return false, nil
	}
	alpha := s.rho / curvature
	rho := s.sum(func(j int) float64 {
		s.x[j] += alpha * s.p[j]
		s.r[j] -= alpha * s.q[j]
		return s.r[j] * s.r[j] / s.d[j]
	})
	beta := rho / s.rho
	s.rho = rho
	s.sum(func(j int) float64 {
		s.p[j] = s.r[j]/s.d[j] + beta*s.p[j]
		s.p32[j] = float32(s.p[j])
		return 0
	})
	s.step++
	s.steps++
	return true, nil
}
