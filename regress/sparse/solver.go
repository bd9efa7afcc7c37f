package sparse

import (
	"context"
	"math"

	"kroo/internal/agreement"
)

// solver minimises loss plus ridge by Newton's method (Squares, CrossEntropy) or Gauss-Newton
// (Chances), that is, by iteratively reweighted least squares. Each round solves its linear system
// by conjugate gradients with a diagonal preconditioner (Hestenes, Stiefel 1952), only as precisely
// as is worthwhile (Dembo, Eisenstat, Steihaug 1982).
type solver struct {
	m     *Matrix
	o     Options
	group []uint8   // group of each slot
	ridge []float64 // ridge of each group
	prior []float64 // weights that penalties pull to; nil means 0
	trust []float64 // what the prior adds to the penalties; nil means nothing
	key   uint64    // of a State
	fold  []uint8   // fold of each row; nil without folds
	held  uint8     // the held-out fold
	size  float64   // norm of the labels, as the loss sees them

	w, g, d []float64 // weights, gradient, diagonal of the curvature plus ridge
	tw, tg  []float64 // trial weights and their gradient
	h       []float32 // weighted curvature of each row
	loss    float64   // at w, including the ridge
	train   moments   // of the fitted rows
	test    moments   // of the held-out rows

	round, step, steps int
	stepsBefore        int     // steps made before this call
	firstGradient      float64 // relative gradient at that point
	cg
}

// moments are the sums of a set of rows, with their loss.
type moments struct {
	agreement.Sums
	loss float64
}

// newSolver allocates vectors of whole parts, at zero weights. fold may be nil.
func newSolver(m *Matrix, o Options, fold []uint8, held uint8) *solver {
	n := m.columns.length()
	vector := func() []float64 { return make([]float64, n) }
	s := &solver{
		m: m, o: o, fold: fold, held: held,
		w: vector(), g: vector(), d: vector(), tw: vector(), tg: vector(),
		h:  make([]float32, len(m.label)),
		cg: cg{x: vector(), r: vector(), p: vector(), q: vector(), p32: make([]float32, n)},
	}
	for j := range s.d {
		s.d[j] = 1 // remains 1 in the padding, where gradients are 0
	}
	s.reset(o, held, s.w)
	return s
}

// reset prepares the solver for another fit that starts at w.
func (s *solver) reset(o Options, held uint8, w []float64) {
	s.setRidges(o)
	s.held = held
	copy(s.w, w)
	clear(s.x)
	s.round, s.step, s.steps, s.size = 0, 0, 0, 0
	for i, y := range s.m.label {
		if !s.out(i) {
			y = o.Loss.target(y, o.Scale)
			s.size += float64(s.m.weight[i]) * y * y
		}
	}
	s.size = math.Sqrt(s.size)
}

// out reports whether a row is held out.
func (s *solver) out(row int) bool { return s.fold != nil && s.fold[row] == s.held }

func (s *solver) setRidges(o Options) {
	s.o = o
	s.ridge = []float64{o.Ridge}
	s.group = make([]uint8, s.m.columns.length())
	for i, g := range o.Groups {
		s.ridge = append(s.ridge, g.Ridge)
		for _, j := range s.m.columns.order {
			if int(j) >= g.From && int(j) < g.To {
				s.group[s.m.columns.slots[j]] = uint8(i + 1)
			}
		}
	}
}

// penalty returns the factor of a slot's penalty: its ridge, plus what the prior adds.
func (s *solver) penalty(j int) float64 {
	if s.trust != nil {
		return s.ridge[s.group[j]] + s.trust[j]
	}
	return s.ridge[s.group[j]]
}

// away returns the difference of a weight from the one that its penalty pulls to.
func (s *solver) away(j int, w float64) float64 {
	if s.prior != nil {
		return w - s.prior[j]
	}
	return w
}

// sum returns the sum of f over the slots in use.
func (s *solver) sum(f func(j int) float64) float64 {
	return sum(s.m.layout.Workers, s.m.columns.width, func(lo, hi int) float64 {
		total := 0.0
		for j := lo; j < hi; j++ {
			total += f(j)
		}
		return total
	})
}

// slopes computes loss and gradient g at weights w, the moments, and the curvature of every row.
func (s *solver) slopes(ctx context.Context, w, g []float64) (loss float64, train, test moments, err error) {
	parts := make([][2]moments, len(s.m.chunks))
	err = s.m.pass(ctx, func(i int, c *chunk, z *scratch, acc []float64) {
		slopes(c, w, &z.z64, acc, func(row int, u float64) float64 { return s.slope(row, u, &parts[i]) })
	})
	if err != nil {
		s.m.empty()
		return 0, train, test, err
	}
	for _, p := range parts {
		train.Merge(p[0].Sums)
		train.loss += p[0].loss
		test.Merge(p[1].Sums)
		test.loss += p[1].loss
	}
	loss = train.loss + s.m.drain(func(j int, v float64) float64 {
		k, x := s.penalty(j), s.away(j, w[j])
		g[j] = v + k*x
		return k * x * x / 2
	})
	return loss, train, test, nil
}

// slope counts a row with prediction u and returns the derivative of its loss.
func (s *solver) slope(row int, u float64, into *[2]moments) float64 {
	y, weight := s.m.label[row], float64(s.m.weight[row])
	loss, slope, curvature := s.o.Loss.at(u, y, s.o.Scale)
	part := &into[0]
	if s.out(row) {
		part, slope, curvature = &into[1], 0, 0
	}
	part.Add(clampTo(u, s.o.Clamp), y, weight)
	part.loss += weight * loss
	s.h[row] = float32(weight * curvature)
	return weight * slope
}

// diagonal computes d at the present curvature.
func (s *solver) diagonal(ctx context.Context) error {
	err := s.m.pass(ctx, func(_ int, c *chunk, z *scratch, acc []float64) {
		diagonal(c, s.h, &z.z32, acc)
	})
	if err != nil {
		s.m.empty()
		return err
	}
	s.m.drain(func(j int, v float64) float64 {
		if s.d[j] = v + s.penalty(j); s.d[j] == 0 {
			s.d[j] = 1 // all rows with the column have weight 0
		}
		return 0
	})
	return nil
}

// prepare computes loss, gradient, curvature and diagonal at the present weights.
func (s *solver) prepare(ctx context.Context) (err error) {
	if s.loss, s.train, s.test, err = s.slopes(ctx, s.w, s.g); err != nil {
		return err
	}
	return s.diagonal(ctx)
}

// norm returns the norm of the gradient in columns scaled to curvature 1.
func (s *solver) norm() float64 {
	return math.Sqrt(s.sum(func(j int) float64 { return s.g[j] * s.g[j] / s.d[j] }))
}

// relative returns the norm relative to that of the labels.
func (s *solver) relative() float64 {
	if s.size == 0 {
		return 0 // all labels are 0, and so are the best weights
	}
	return s.norm() / s.size
}

// run makes rounds until the gradient is small, no step helps, or the context ends. It reports
// whether the gradient is small.
func (s *solver) run(ctx context.Context) (converged bool, err error) {
	if err := s.prepare(ctx); err != nil {
		return false, err
	}
	s.stepsBefore, s.firstGradient = s.steps, s.relative()
	for s.relative() > s.o.Tolerance {
		if s.round >= s.o.Rounds {
			return false, nil
		}
		if err := s.solve(ctx); err != nil {
			return false, err
		}
		moved, err := s.move(ctx)
		if err != nil || !moved {
			return false, err
		}
		s.round++
		s.step = 0
		clear(s.x)
		if err := s.diagonal(ctx); err != nil {
			return false, err
		}
	}
	return true, nil
}

// move steps along x, halving the step until the loss falls. It reports whether a step succeeded.
func (s *solver) move(ctx context.Context) (bool, error) {
	for t := 1.0; t > 1e-4; t /= 2 {
		s.sum(func(j int) float64 { s.tw[j] = s.w[j] + t*s.x[j]; return 0 })
		loss, train, test, err := s.slopes(ctx, s.tw, s.tg)
		if err != nil {
			return false, err
		}
		const rounding = 1e-12
		if loss <= s.loss*(1+rounding) {
			s.w, s.tw, s.g, s.tg = s.tw, s.w, s.tg, s.g
			s.loss, s.train, s.test = loss, train, test
			return true, nil
		}
	}
	return false, nil
}

// cg is the state of the conjugate gradients of a round: the step so far, the residual, the
// direction, and its product with the matrix.
type cg struct {
	x, r, p, q []float64
	p32        []float32 // p in single precision, for products
	rho        float64   // rᵀ D⁻¹ r
}

// forcing is the factor by which a round reduces its residual. Least squares has one round, which
// continues to the tolerance. With other losses the next round changes the curvature, and more
// precision would be wasted.
const forcing = 0.1

// solve solves (Aᵀ diag(h) A + ridge) x = -g.
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
		if s.o.Progress != nil { // the estimate takes time
			s.o.Progress.At(int64(s.steps), s.expected())
		}
		if s.o.Checkpoint != nil {
			s.o.Checkpoint(func() *State { return saveState(s, s.key) })
		}
	}
	return nil
}

// begin starts at x = 0, where the residual is -g.
func (s *solver) begin(g []float64) {
	s.rho = s.sum(func(j int) float64 {
		s.x[j], s.r[j], s.p[j] = 0, 0, 0
		s.r[j] = -g[j]
		s.p[j] = -g[j] / s.d[j]
		s.p32[j] = float32(s.p[j])
		return g[j] * g[j] / s.d[j]
	})
}

// advance makes a step of conjugate gradients. It reports false if no direction is left.
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

// expected estimates the total number of steps, at most the limit, by extrapolating the fall of the
// residual.
func (s *solver) expected() int64 {
	expected := float64(s.o.Rounds) * float64(s.o.Steps)
	if gone := math.Log(s.firstGradient * s.size / math.Sqrt(s.rho)); gone > 0 {
		all := math.Log(s.firstGradient / s.o.Tolerance)
		expected = min(expected, float64(s.stepsBefore)+float64(s.steps-s.stepsBefore)*all/gone)
	}
	return int64(max(expected, float64(s.steps+1)))
}
