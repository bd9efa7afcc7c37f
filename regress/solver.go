package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"kroo/features"
	"kroo/internal/agreement"
	"kroo/internal/parallel"
)

// solverOptions are the settings of a fit of patterns. Rounds, steps and tolerance of 0 are the
// defaults.
type solverOptions struct {
	loss     lossFunction
	scale    float64           // of winning chances in points, see lossFunction; squares ignores it
	families []features.Family // may be nil for a single one
	// ridges are those of the families. λ adds ½λw² to the loss of a weight w, as if λ more rows had
	// label 0 and a one in that column only.
	ridges []float64
	// rounds limits the outer steps (30), each of which computes the curvature again. Most fits
	// reach the tolerance far earlier.
	rounds int
	steps  int // limits the conjugate-gradient steps per round (100); each is a pass over the rows
	// tolerance ends the fit: the norm of the gradient, each column divided by the root of its
	// curvature, relative to that of the labels. With 1e-3, the default, the loss of 60 000
	// synthetic boards with 130 000 weights is within 5e-6 of its minimum after 181 steps; 1e-4
	// takes twice as many. Products with directions are computed in float32, which slows convergence
	// beyond about 1e-6 per round; gradients are summed in float64, so that the result is as precise
	// as its tolerance.
	tolerance float64
	prior     *priorWeights // where the fit starts and penalties pull to; nil means 0
	saved     checkpoint    // what to resume from
	// save is called after every step and trial if it is not nil. Its argument returns what a later
	// fit resumes from, with the same bits as an uninterrupted one.
	save     func(state func() checkpoint)
	progress parallel.Progress // of the steps; may be nil
}

// checkpoint is the state of a stopped fit: of a choice of ridges, or of a fit with given ones.
type checkpoint struct {
	Trials *ridgeTrials
	Fit    *fitState
}

// withDefaults replaces zeros by defaults.
func (o solverOptions) withDefaults() solverOptions {
	o.rounds, o.steps, o.tolerance = cmp.Or(o.rounds, 30), cmp.Or(o.steps, 100), cmp.Or(o.tolerance, 1e-3)
	return o
}

// key is a hash of everything that determines the bits of a fit: rows, columns and options, except
// the number of rounds, which may grow.
func (m *matrix) key(o solverOptions) uint64 {
	h := m.hash
	for _, s := range m.columns.slots {
		h = mix(h, uint64(s))
	}
	h = mix(mix(mix(h, uint64(o.loss)), uint64(o.steps)), uint64(len(o.families)))
	for _, f := range o.families {
		h = mix(mix(h, uint64(f.From)), uint64(f.To))
	}
	hash := func(values ...float64) {
		for _, v := range values {
			h = mix(h, math.Float64bits(v))
		}
	}
	hash(o.scale, o.tolerance)
	hash(o.ridges...)
	if o.prior != nil {
		hash(o.prior.rows)
		hash(o.prior.weights...)
	}
	return h
}

// priorWeights are an earlier fit to other rows. The penalty pulls each weight towards the prior's
// instead of towards 0, so a fit to new rows continues the earlier one, and a column that the new
// rows lack keeps its weight.
type priorWeights struct {
	weights []float64 // one per column
	// rows is the weight of the prior, in rows per row of the fit. The penalty of a column is its
	// ridge plus rows times its curvature, the second derivative of the loss, at
	// the prior's weights: the diagonal of what those rows would add to the normal equations
	// (elastic weight consolidation; Kirkpatrick et al., PNAS 114, 2017). 0 leaves only the ridge.
	rows float64
}

// minimum is a fitted function.
type minimum struct {
	weights       []float64 // of all columns, in points; 0 for columns that no row has
	converged     bool      // the tolerance was reached
	rounds, steps int       // steps are those of all rounds
	train         agreement.Stats
}

// fit finds the weights that minimise loss plus ridge. Reaching the limit of rounds is not an error:
// see minimum.converged. If the context ends, it saves its state.
func (m *matrix) fit(ctx context.Context, o solverOptions) (*minimum, error) {
	o = o.withDefaults()
	s := newSolver(m, o, folds{}, 0)
	if o.prior != nil {
		if err := s.setPrior(ctx); err != nil {
			return nil, err
		}
	}
	s.key = m.key(o)
	if o.saved.Fit != nil {
		if err := s.restore(o.saved.Fit); err != nil {
			return nil, err
		}
	}
	converged, err := s.run(ctx)
	if err != nil {
		if ctx.Err() != nil && o.save != nil {
			o.save(s.state)
		}
		return nil, fmt.Errorf("fit stopped after %d steps in round %d: %w", s.steps, s.round+1, err)
	}
	var others []float64
	if o.prior != nil {
		others = o.prior.weights
	}
	return &minimum{m.columns.spread(s.w, others), converged, s.round, s.steps, s.train.Stats()}, nil
}

// fitState is a stopped fit, about 32 bytes per weight.
type fitState struct {
	Key                uint64 // hash of rows and options
	Round, Step, Steps int
	Rho                float64
	W, X, R, P         []float64
}

func (s *solver) state() checkpoint {
	n := s.m.columns.width
	return checkpoint{Fit: &fitState{s.key, s.round, s.step, s.steps, s.rho, slices.Clone(s.w[:n]), slices.Clone(s.x[:n]), slices.Clone(s.r[:n]), slices.Clone(s.p[:n])}}
}

// restore continues from a saved state.
func (s *solver) restore(t *fitState) error {
	n := s.m.columns.width
	if t.Key != s.key || len(t.W) != n || len(t.X) != n || len(t.R) != n || len(t.P) != n {
		return fmt.Errorf("%w: the saved fit is of other rows or other options: expected the same, or a new fit", errCannotResume)
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

var errCannotResume = errors.New("cannot resume")

// solver minimises loss plus ridge by Newton's method (squares, cross-entropy) or Gauss-Newton
// (chances), that is, by iteratively reweighted least squares. Each round solves its linear system
// by conjugate gradients with a diagonal preconditioner (Hestenes, Stiefel 1952), only as precisely
// as is worthwhile (Dembo, Eisenstat, Steihaug 1982).
type solver struct {
	m      *matrix
	o      solverOptions
	family []uint8   // family of each slot
	prior  []float64 // weights that penalties pull to; nil means 0
	trust  []float64 // what the prior adds to the penalties; nil means nothing
	key    uint64    // of a saved state
	folds  folds     // the zero value holds out no rows
	held   uint8     // the held-out fold
	size   float64   // norm of the labels, as the loss sees them

	w, g, d []float64 // weights, gradient, diagonal of the curvature plus ridge
	tw, tg  []float64 // trial weights and their gradient
	h       []float32 // weighted curvature of each row
	loss    float64   // at w, including the ridge
	train   lossSums  // of the fitted rows
	test    lossSums  // of the held-out rows

	round, step, steps int
	stepsBefore        int     // steps made before this call
	firstGradient      float64 // relative gradient at that point
	cg
}

// lossSums are the sums of a set of rows, with their loss.
type lossSums struct {
	agreement.Sums
	loss float64
}

func (s *lossSums) merge(o lossSums) {
	s.Merge(o.Sums)
	s.loss += o.loss
}

// newSolver allocates vectors of whole parts, at zero weights.
func newSolver(m *matrix, o solverOptions, f folds, held uint8) *solver {
	n := m.columns.length()
	vector := func() []float64 { return make([]float64, n) }
	s := &solver{
		m: m, folds: f, family: make([]uint8, n),
		w: vector(), g: vector(), d: vector(), tw: vector(), tg: vector(),
		h:  make([]float32, m.len()),
		cg: cg{x: vector(), r: vector(), p: vector(), q: vector(), p32: make([]float32, n)},
	}
	for j := range s.d {
		s.d[j] = 1 // remains 1 in the padding, where gradients are 0
	}
	for i, f := range o.families {
		for j := f.From; j < f.To; j++ {
			if slot := m.columns.slots[j]; slot >= 0 {
				s.family[slot] = uint8(i)
			}
		}
	}
	s.reset(o, held, s.w)
	return s
}

// reset prepares the solver for another fit, with the same families, that starts at w.
func (s *solver) reset(o solverOptions, held uint8, w []float64) {
	s.o, s.held = o, held
	copy(s.w, w)
	clear(s.x)
	s.round, s.step, s.steps, s.size = 0, 0, 0, 0
	for i, y := range s.m.labels {
		if !s.out(i) {
			y := o.loss.target(float64(y), o.scale)
			s.size += float64(s.m.weight(i)) * y * y
		}
	}
	s.size = math.Sqrt(s.size)
}

// out reports whether a row is held out.
func (s *solver) out(row int) bool { return s.folds.of != nil && s.folds.of[row] == s.held }

// setPrior starts at the prior's weights and computes its penalties.
func (s *solver) setPrior(ctx context.Context) error {
	for j, slot := range s.m.columns.slots {
		if slot >= 0 {
			s.w[slot] = s.o.prior.weights[j]
		}
	}
	s.prior = slices.Clone(s.w)
	if s.o.prior.rows == 0 {
		return nil
	}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	trust := make([]float64, len(s.d))
	for _, j := range s.m.columns.order {
		i := s.m.columns.slots[j]
		trust[i] = s.o.prior.rows * max(0, s.d[i]-s.penalty(int(i)))
	}
	s.trust = trust
	return nil
}

// penalty returns the factor of a slot's penalty: its ridge, plus what the prior adds.
func (s *solver) penalty(j int) float64 {
	if s.trust != nil {
		return s.o.ridges[s.family[j]] + s.trust[j]
	}
	return s.o.ridges[s.family[j]]
}

// deviation returns the difference of a weight from the one that its penalty pulls to.
func (s *solver) deviation(j int, w float64) float64 {
	if s.prior != nil {
		return w - s.prior[j]
	}
	return w
}

// sum returns the sum of f over the slots in use.
func (s *solver) sum(f func(j int) float64) float64 {
	return s.m.sum(func(lo, hi int) float64 {
		total := 0.0
		for j := lo; j < hi; j++ {
			total += f(j)
		}
		return total
	})
}

// slopes computes loss and gradient g at weights w, the sums, and the curvature of every row.
func (s *solver) slopes(ctx context.Context, w, g []float64) (loss float64, train, test lossSums, err error) {
	parts := make([][2]lossSums, len(s.m.packed))
	err = s.m.pass(ctx, func(i int, c *chunk, z *scratch, acc []float64) {
		slopes(c, w, &z.z64, acc, func(row int, u float64) float64 { return s.slope(row, u, &parts[i]) })
	})
	if err != nil {
		return 0, train, test, err
	}
	for _, p := range parts {
		train.merge(p[0])
		test.merge(p[1])
	}
	loss = train.loss + s.m.drain(func(j int, v float64) float64 {
		k, x := s.penalty(j), s.deviation(j, w[j])
		g[j] = v + k*x
		return k * x * x / 2
	})
	return loss, train, test, nil
}

// slope counts a row with prediction u and returns the derivative of its loss.
func (s *solver) slope(row int, u float64, into *[2]lossSums) float64 {
	y, weight := float64(s.m.labels[row]), float64(s.m.weight(row))
	loss, slope, curvature := s.o.loss.at(u, y, s.o.scale)
	part := &into[0]
	if s.out(row) {
		part, slope, curvature = &into[1], 0, 0
	}
	part.Add(clamped(u), y, weight)
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
	for s.relative() > s.o.tolerance {
		if s.round >= s.o.rounds {
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
	aim := s.o.tolerance * s.size / 2
	if s.o.loss != squares {
		aim = max(aim, forcing*norm)
	}
	if s.step == 0 {
		s.begin(s.g)
	}
	for s.step < s.o.steps && math.Sqrt(s.rho) > aim {
		more, err := s.advance(ctx)
		if err != nil {
			return err
		}
		if !more {
			return nil
		}
		if s.o.progress != nil { // computing the estimate takes time
			s.o.progress.At(int64(s.steps), s.expected())
		}
		if s.o.save != nil {
			s.o.save(s.state)
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
	expected := float64(s.o.rounds) * float64(s.o.steps)
	if gone := math.Log(s.firstGradient * s.size / math.Sqrt(s.rho)); gone > 0 {
		all := math.Log(s.firstGradient / s.o.tolerance)
		expected = min(expected, float64(s.stepsBefore)+float64(s.steps-s.stepsBefore)*all/gone)
	}
	return int64(max(expected, float64(s.steps+1)))
}
