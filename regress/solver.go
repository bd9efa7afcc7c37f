package regress

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/features"
	"kroo/internal/agreement"
	"kroo/internal/parallel"
)

// Losses of pattern fits measure the difference between a prediction u and a label y, both in
// points. t(x) = tanh(x/scale) is the winning chance of x points, from -1 to 1; (1+t)/2 is the
// logistic function of 2x/scale. Both losses are in points squared and agree with ½(u-y)² near
// zero, so that a ridge has the same meaning in each.
const (
	// squares is ½(u-y)²: least squares, as in the thesis.
	squares = "squares"
	// chances is ½ scale² (t(u)-t(y))²: squared error in winning chances. It is not convex: a fit
	// that starts far from the truth may end in a poor local minimum. Starting from zero weights
	// works.
	chances = "chances"
)

// solverOptions are the settings of a fit of patterns. Rounds, steps and tolerance of 0 are the
// defaults.
type solverOptions struct {
	loss     string
	scale    float64           // of winning chances in points; squares ignores it
	families []features.Family // may be nil for a single one
	// ridges are those of the families. λ adds ½λw² to the loss of a weight w, as if λ more rows had
	// label 0 and a one in that column only.
	ridges []float64
	rounds int // limits the outer steps (30), each of which computes the curvature again
	steps  int // limits the conjugate-gradient steps per round (100); each is a pass over the rows
	// tolerance ends the fit: the norm of the gradient, each column divided by the root of its
	// curvature, relative to that of the labels. With 1e-3, the default, the loss of 60 000
	// synthetic boards with 130 000 weights is within 5e-6 of its minimum after 181 steps; 1e-4
	// takes twice as many. Products with directions are computed in float32, which slows convergence
	// beyond about 1e-6 per round; gradients are summed in float64.
	tolerance float64
	// prior are the weights of an earlier fit, by column, or nil. The fit starts there, and penalties
	// pull there instead of to 0, so that a column that the rows lack keeps its weight.
	prior []float64
	// trust is the weight of the prior, in rows per row of the fit. The penalty of a column is its
	// ridge plus trust times the second derivative of the loss at the prior: the diagonal of what
	// those rows would add to the normal equations (elastic weight consolidation; Kirkpatrick et
	// al., PNAS 114, 2017).
	trust    float64
	finished *finishedRounds   // from which a stopped fit resumes; may be nil
	progress parallel.Progress // of the steps; may be nil
}

// lossAt returns the loss of a prediction, its derivative, and a positive curvature: the second
// derivative or, for chances, the Gauss-Newton approximation, which omits the curvature of t
// itself.
func (o *solverOptions) lossAt(u, y float64) (loss, slope, curvature float64) {
	if o.loss != chances {
		return (u - y) * (u - y) / 2, u - y, 1
	}
	t, q := math.Tanh(u/o.scale), math.Tanh(y/o.scale)
	steep := 1 - t*t
	return o.scale * o.scale * (t - q) * (t - q) / 2, o.scale * (t - q) * steep, steep * steep
}

// minimum is a fitted function.
type minimum struct {
	weights       []float64 // of all columns, in points; 0 for columns that no row has
	converged     bool      // the tolerance was reached
	rounds, steps int       // steps are those of all rounds
	train         agreement.Stats
}

// fit finds the weights that minimise loss plus ridge. Reaching the limit of rounds is not an error:
// see minimum.converged.
func (m *matrix) fit(ctx context.Context, o solverOptions) (*minimum, error) {
	s := newSolver(ctx, m, o, folds{})
	if o.prior != nil {
		s.setPrior()
	}
	converged := s.run()
	if s.err != nil {
		return nil, fmt.Errorf("fit stopped after %d steps in round %d: %w", s.steps, s.round+1, s.err)
	}
	return &minimum{m.columns.spread(s.w, o.prior), converged, s.round, s.steps, s.sums[fitted].Stats()}, nil
}

// solver minimises loss plus ridge by Newton's method (squares) or Gauss-Newton (chances), that is,
// by iteratively reweighted least squares. Each round solves its linear system by conjugate
// gradients with a diagonal preconditioner (Hestenes, Stiefel 1952), only as precisely as is
// worthwhile (Dembo, Eisenstat, Steihaug 1982).
type solver struct {
	ctx   context.Context
	err   error // the first one, after which nothing is computed
	m     *matrix
	o     solverOptions
	folds folds   // the zero value holds out no rows
	held  uint8   // the held-out fold
	size  float64 // norm of the labels, as the loss sees them

	penalty, prior []float64 // factors of the penalties, and the weights that they pull to
	w, g, d        []float64 // weights, gradient, diagonal of the curvature plus ridge
	tw, tg         []float64 // trial weights and their gradient
	h              []float32 // weighted curvature of each row
	loss           float64   // at w, including the ridge
	sums           [2]lossSums

	round, steps  int
	firstGradient float64 // relative gradient at the start

	// The conjugate gradients of a round: the step so far, the residual, the direction, and its
	// product with the matrix.
	x, r, p, q []float64
	p32        []float32 // p in single precision, for products
	rho        float64   // rᵀ D⁻¹ r
}

// lossSums are the sums of a set of rows, with their loss.
type lossSums struct {
	agreement.Sums
	loss float64
}

// Indices of the sums of a solver.
const fitted, heldOut = 0, 1

// newSolver starts at zero weights.
func newSolver(ctx context.Context, m *matrix, o solverOptions, f folds) *solver {
	o.rounds, o.steps, o.tolerance = cmp.Or(o.rounds, 30), cmp.Or(o.steps, 100), cmp.Or(o.tolerance, 1e-3)
	n := m.columns.length()
	s := &solver{ctx: ctx, m: m, o: o, folds: f, h: make([]float32, m.len()), p32: make([]float32, n)}
	for _, v := range []*[]float64{&s.penalty, &s.prior, &s.w, &s.g, &s.d, &s.tw, &s.tg, &s.x, &s.r, &s.p, &s.q} {
		*v = make([]float64, n)
	}
	for j := range s.d {
		s.d[j] = 1 // remains 1 in the padding, where gradients are 0
	}
	s.setRidge(o.ridges[0])
	for i, f := range o.families {
		for _, slot := range m.columns.slots[f.From:f.To] {
			if slot >= 0 {
				s.penalty[slot] = o.ridges[i]
			}
		}
	}
	s.start(0, s.w)
	return s
}

// setRidge sets the ridge of all columns.
func (s *solver) setRidge(ridge float64) {
	for j := range s.penalty {
		s.penalty[j] = ridge
	}
}

// start prepares another fit, which holds out a fold and starts at w.
func (s *solver) start(held uint8, w []float64) {
	s.held = held
	copy(s.w, w)
	s.round, s.steps, s.size = 0, 0, 0
	for i, y := range s.m.labels {
		if !s.out(i) {
			_, slope, _ := s.o.lossAt(0, float64(y))
			s.size += float64(s.m.weight(i)) * slope * slope
		}
	}
	s.size = math.Sqrt(s.size)
}

// out reports whether a row is held out.
func (s *solver) out(row int) bool { return s.folds.of != nil && s.folds.of[row] == s.held }

// setPrior starts at the prior's weights and computes its penalties.
func (s *solver) setPrior() {
	for j, slot := range s.m.columns.slots {
		if slot >= 0 {
			s.w[slot] = s.o.prior[j]
		}
	}
	s.prior = slices.Clone(s.w)
	if s.o.trust == 0 {
		return
	}
	s.prepare()
	for _, j := range s.m.columns.order {
		i := s.m.columns.slots[j]
		s.penalty[i] += s.o.trust * max(0, s.d[i]-s.penalty[i])
	}
}

// pass calls f for every chunk.
func (s *solver) pass(f func(i int, z *scratch, acc []float64)) {
	if s.err == nil {
		s.err = s.m.pass(s.ctx, f)
	}
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
func (s *solver) slopes(w, g []float64) (loss float64, sums [2]lossSums) {
	chunks := make([][2]lossSums, len(s.m.chunks))
	s.pass(func(i int, z *scratch, acc []float64) {
		products(s.m.chunks[i], w, &z.z64, acc, func(row int, u float64) float64 { return s.slope(row, u, &chunks[i]) })
	})
	for _, chunk := range chunks {
		for k := range sums {
			sums[k].Merge(chunk[k].Sums)
			sums[k].loss += chunk[k].loss
		}
	}
	loss = sums[fitted].loss + s.m.drain(func(j int, v float64) float64 {
		k, x := s.penalty[j], w[j]-s.prior[j]
		g[j] = v + k*x
		return k * x * x / 2
	})
	return loss, sums
}

// slope counts a row with prediction u and returns the derivative of its loss.
func (s *solver) slope(row int, u float64, into *[2]lossSums) float64 {
	y, weight := float64(s.m.labels[row]), float64(s.m.weight(row))
	loss, slope, curvature := s.o.lossAt(u, y)
	part := &into[fitted]
	if s.out(row) {
		part, slope, curvature = &into[heldOut], 0, 0
	}
	part.Add(clamped(u), y, weight)
	part.loss += weight * loss
	s.h[row] = float32(weight * curvature)
	return weight * slope
}

// diagonal computes d at the present curvature.
func (s *solver) diagonal() {
	s.pass(func(i int, z *scratch, acc []float64) { diagonal(s.m.chunks[i], s.h, &z.z32, acc) })
	s.m.drain(func(j int, v float64) float64 {
		if s.d[j] = v + s.penalty[j]; s.d[j] == 0 {
			s.d[j] = 1 // all rows with the column have weight 0
		}
		return 0
	})
}

// prepare computes loss, gradient, curvature and diagonal at the present weights.
func (s *solver) prepare() {
	s.loss, s.sums = s.slopes(s.w, s.g)
	s.diagonal()
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

// run makes rounds until the gradient is small, no step helps, or an error. It reports whether the
// gradient is small.
func (s *solver) run() (converged bool) {
	if s.err == nil {
		s.err = s.o.finished.resume(s)
	}
	s.prepare()
	s.firstGradient = s.relative()
	for s.err == nil && s.relative() > s.o.tolerance {
		if s.round >= s.o.rounds {
			return false
		}
		s.solve()
		if !s.move() {
			return false
		}
		s.round++
		s.err = s.o.finished.append(s)
		s.diagonal()
	}
	return s.err == nil
}

// move steps along x, halving the step until the loss falls. It reports whether a step succeeded.
func (s *solver) move() bool {
	for t := 1.0; t > 1e-4; t /= 2 {
		s.sum(func(j int) float64 { s.tw[j] = s.w[j] + t*s.x[j]; return 0 })
		loss, sums := s.slopes(s.tw, s.tg)
		const rounding = 1e-12
		switch {
		case s.err != nil:
			return false
		case loss <= s.loss*(1+rounding):
			s.w, s.tw, s.g, s.tg = s.tw, s.w, s.tg, s.g
			s.loss, s.sums = loss, sums
			return true
		}
	}
	return false
}

// forcing is the factor by which a round reduces its residual. Least squares has one round, which
// continues to the tolerance. With other losses the next round changes the curvature, and more
// precision would be wasted.
const forcing = 0.1

// solve solves (Aᵀ diag(h) A + ridge) x = -g, starting at x = 0.
func (s *solver) solve() {
	aim := s.o.tolerance * s.size / 2
	if s.o.loss == chances {
		aim = max(aim, forcing*s.norm())
	}
	s.rho = s.sum(func(j int) float64 {
		s.x[j], s.r[j] = 0, -s.g[j]
		s.p[j] = -s.g[j] / s.d[j]
		s.p32[j] = float32(s.p[j])
		return s.g[j] * s.g[j] / s.d[j]
	})
	for step := 0; step < s.o.steps && math.Sqrt(s.rho) > aim && s.advance(); step++ {
		s.steps++
		s.o.progress.At(int64(s.steps), s.expected())
	}
}

// advance makes a step of conjugate gradients. It reports false if no direction is left, or after an
// error.
func (s *solver) advance() bool {
	s.pass(func(i int, z *scratch, acc []float64) {
		products(s.m.chunks[i], s.p32, &z.z32, acc, func(row int, u float32) float32 { return s.h[row] * u })
	})
	curvature := s.m.drain(func(j int, v float64) float64 {
		s.q[j] = v + s.penalty[j]*s.p[j]
		return s.p[j] * s.q[j]
	})
	if s.err != nil || !(curvature > 0) {
		return false
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
	return true
}

// expected estimates the total number of steps, at most the limit, by extrapolating the fall of the
// residual.
func (s *solver) expected() int64 {
	expected := float64(s.o.rounds) * float64(s.o.steps)
	if gone := math.Log(s.firstGradient * s.size / math.Sqrt(s.rho)); gone > 0 {
		expected = min(expected, float64(s.steps)*math.Log(s.firstGradient/s.o.tolerance)/gone)
	}
	return int64(max(expected, float64(s.steps+1)))
}

// folds divide the rows for cross-validation. All rows of a game or position belong in one fold.
type folds struct {
	count int     // 2 to 255
	of    []uint8 // fold of each row, from 0
}

// candidates are the ridges that cross-validation tries. Strong ones converge fastest.
var candidates = []float64{100, 30, 10, 3, 1, 0.3}

// chooseRidge returns the candidate with the smallest loss on held-out rows, as the ridge of all
// columns, with the agreement on these rows and the number of steps made. The fit of a fold starts
// at the weights of the candidate before.
func (m *matrix) chooseRidge(ctx context.Context, o solverOptions, f folds) (best float64, held agreement.Stats, steps int64, err error) {
	for k := range f.count {
		if !slices.Contains(f.of, uint8(k)) {
			return 0, held, 0, fmt.Errorf("no row is in part %d of %d: expected rows in each", k+1, f.count)
		}
	}
	fits, all, progress := 0, len(candidates)*f.count+1, o.progress // the fit to all rows follows
	o.progress = func(done, total int64, note string) {
		part := (float64(fits) + float64(done)/float64(max(total, 1))) / float64(all)
		progress.Note(steps+done, int64(float64(steps+done)/part), note)
	}
	s := newSolver(ctx, m, o, f)
	weights, least := make([][]float64, f.count), math.Inf(1)
	for k := range weights {
		weights[k] = make([]float64, len(s.w))
	}
	for _, ridge := range candidates {
		s.setRidge(ridge)
		var sums lossSums
		for k := range weights {
			s.start(uint8(k), weights[k])
			if s.run(); s.err != nil {
				return 0, held, 0, fmt.Errorf("choosing a ridge, fold %d of %d: %w", k+1, f.count, s.err)
			}
			steps, fits = steps+int64(s.steps), fits+1
			copy(weights[k], s.w)
			sums.Merge(s.sums[heldOut].Sums)
			sums.loss += s.sums[heldOut].loss
		}
		if loss := sums.loss / sums.Weight(); loss < least {
			best, held, least = ridge, sums.Stats(), loss
		}
	}
	return best, held, steps, nil
}
