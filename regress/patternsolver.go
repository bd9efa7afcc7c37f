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

// minimise finds the weights that minimise loss plus ridge. Reaching the limit of rounds is not an error:
// see minimum.converged.
func (m *matrix) minimise(ctx context.Context, o solverOptions) (*minimum, error) {
	s := newSolver(ctx, m, o, folds{})
	if o.prior != nil {
		s.setPrior()
	}
	converged := s.run()
	if s.err != nil {
		return nil, fmt.Errorf("fit stopped after %d steps in round %d: %w", s.steps, s.round+1, s.err)
	}
	return &minimum{m.columns.spread(s.weights, o.prior), converged, s.round, s.steps, s.sums[fitted].Stats()}, nil
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
	folds folds // the zero value holds out no rows
	held  uint8 // the held-out fold
	// labelNorms are the norms of the labels that each fold leaves, each label as the derivative of its loss
	// at a prediction of 0: the gradient is small relative to them.
	labelNorms []float64

	// Vectors have a number for each slot of the matrix's columns.
	penalty     []float64 // factors of the penalties
	priorBySlot []float64 // the weights that penalties pull to; solverOptions.prior is by column
	weights     []float64
	gradient    []float64
	diagonal    []float64 // of the curvature plus ridge
	trial       trial
	curvature   []float32 // weighted curvature of each row
	loss        float64   // at the weights, including the ridge
	sums        [2]lossSums

	round, steps  int
	firstStep     int     // of this run: a fit may resume
	firstGradient float64 // norm of the gradient then, as relative returns it
	expected      float64 // total number of steps by the rounds of this run, 0 before the second
	system        system
}

// trial is weights that a step leads to, and their gradient.
type trial struct{ weights, gradient []float64 }

// system is the linear system of a round, A x = b, where A is the curvature plus ridge and b the negative
// gradient. Conjugate gradients solve it from x = 0, with D the diagonal of A:
//
//	r = b,  p = D⁻¹ r,  ρ = rᵀ D⁻¹ r
//	repeat:  q = A p,  α = ρ / pᵀ q
//	         x = x + α p,  r = r - α q
//	         ρ' = rᵀ D⁻¹ r,  β = ρ' / ρ
//	         p = D⁻¹ r + β p,  ρ = ρ'
type system struct {
	x, r, p, q []float64
	single     []float32 // p in single precision, for products
	rho        float64
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
	o.rounds = cmp.Or(o.rounds, 30)
	o.steps = cmp.Or(o.steps, 100)
	o.tolerance = cmp.Or(o.tolerance, 1e-3)
	n := m.columns.length()
	vector := func() []float64 { return make([]float64, n) }
	s := &solver{
		ctx: ctx, m: m, o: o, folds: f, curvature: make([]float32, m.counts.rows),
		penalty: vector(), priorBySlot: vector(), weights: vector(), gradient: vector(), diagonal: vector(),
		trial:  trial{vector(), vector()},
		system: system{x: vector(), r: vector(), p: vector(), q: vector(), single: make([]float32, n)},
	}
	for j := range s.diagonal {
		s.diagonal[j] = 1 // remains 1 in the padding, where gradients are 0
	}
	s.setRidge(o.ridges[0])
	for i, f := range o.families {
		for _, slot := range m.columns.slots[f.From:f.To] {
			if slot >= 0 {
				s.penalty[slot] = o.ridges[i]
			}
		}
	}
	s.setLabelNorms()
	return s
}

// setRidge sets the ridge of all columns.
func (s *solver) setRidge(ridge float64) {
	for j := range s.penalty {
		s.penalty[j] = ridge
	}
}

// setLabelNorms computes the norms of the labels. It adds up rows one by one, in order.
func (s *solver) setLabelNorms() {
	s.labelNorms = make([]float64, max(1, s.folds.count))
	buffer := new(chunk)
	for i := range s.m.chunks.len() {
		if s.ctx.Err() != nil {
			s.err = context.Cause(s.ctx)
			return
		}
		c, err := s.m.chunks.chunk(i, buffer)
		if err != nil {
			s.err = err
			return
		}
		for r, y := range c.labels {
			_, slope, _ := s.o.lossAt(0, float64(y))
			s.addLabel(c.first+r, float64(c.weight(r))*slope*slope)
		}
	}
	for k, squares := range s.labelNorms {
		s.labelNorms[k] = math.Sqrt(squares)
	}
}

// addLabel adds the square of a row's label to the sums of all folds but its own.
func (s *solver) addLabel(row int, square float64) {
	for k := range s.labelNorms {
		if s.folds.of == nil || int(s.folds.of[row]) != k {
			s.labelNorms[k] += square
		}
	}
}

// labelNorm returns the norm of the labels that are not held out.
func (s *solver) labelNorm() float64 { return s.labelNorms[s.held] }

// start prepares another fit, which holds out a fold and starts at w.
func (s *solver) start(held uint8, w []float64) {
	s.held = held
	copy(s.weights, w)
	s.round = 0
	s.steps = 0
}

// isHeldOut reports whether a row is held out.
func (s *solver) isHeldOut(row int) bool { return s.folds.of != nil && s.folds.of[row] == s.held }

// setPrior starts at the prior's weights and computes its penalties.
func (s *solver) setPrior() {
	for j, slot := range s.m.columns.slots {
		if slot >= 0 {
			s.weights[slot] = s.o.prior[j]
		}
	}
	s.priorBySlot = slices.Clone(s.weights)
	if s.o.trust == 0 {
		return
	}
	s.evaluate()
	for _, j := range s.m.columns.order {
		i := s.m.columns.slots[j]
		s.penalty[i] += s.o.trust * max(0, s.diagonal[i]-s.penalty[i])
	}
}

// pass calls f for every chunk, concurrently for different ones.
func (s *solver) pass(f func(i int, c *chunk, z *scratch, acc []float64)) {
	if s.err == nil {
		s.err = s.m.pass(s.ctx, f)
	}
}

// each calls f for every slot up to the last one of a column, those of the padding included: vectors are 0
// there. It calls f concurrently for different slots, so f may write only what belongs to slot j.
func (s *solver) each(f func(j int)) {
	s.sum(func(j int) float64 {
		f(j)
		return 0
	})
}

// sum returns the sum of f over the slots that each calls it for, likewise concurrently.
func (s *solver) sum(f func(j int) float64) float64 {
	return s.m.sum(func(lo, hi int) float64 {
		total := 0.0
		for j := lo; j < hi; j++ {
			total += f(j)
		}
		return total
	})
}

// scaledSquare returns vᵀ D⁻¹ v, where D is the diagonal.
func (s *solver) scaledSquare(v []float64) float64 {
	return s.sum(func(j int) float64 { return v[j] * v[j] / s.diagonal[j] })
}

// slopes computes loss and gradient at weights, the sums, and the curvature of every row.
func (s *solver) slopes(weights, gradient []float64) (loss float64, sums [2]lossSums) {
	sumsByChunk := make([][2]lossSums, s.m.chunks.len())
	s.pass(func(i int, c *chunk, z *scratch, acc []float64) {
		products(c, weights, &z.z64, acc, func(r int, u float64) float64 { return s.accumulateRow(c, r, u, &sumsByChunk[i]) })
	})
	for _, ofChunk := range sumsByChunk {
		for k := range sums {
			sums[k].Merge(ofChunk[k].Sums)
			sums[k].loss += ofChunk[k].loss
		}
	}
	loss = sums[fitted].loss + s.m.drain(func(j int, v float64) float64 {
		k, x := s.penalty[j], weights[j]-s.priorBySlot[j]
		gradient[j] = v + k*x
		return k * x * x / 2
	})
	return loss, sums
}

// accumulateRow adds a chunk's row r with prediction u to the sums of the fitted or of the held-out rows, sets
// its curvature, and returns the derivative of its loss. Both are 0 for a row that is held out.
func (s *solver) accumulateRow(c *chunk, r int, u float64, into *[2]lossSums) float64 {
	y, weight := float64(c.labels[r]), float64(c.weight(r))
	loss, slope, curvature := s.o.lossAt(u, y)
	part := &into[fitted]
	if s.isHeldOut(c.first + r) {
		part = &into[heldOut]
		slope = 0
		curvature = 0
	}
	part.Add(clamp(u), y, weight)
	part.loss += weight * loss
	s.curvature[c.first+r] = float32(weight * curvature)
	return weight * slope
}

// setDiagonal computes the diagonal at the present curvature.
func (s *solver) setDiagonal() {
	s.pass(func(_ int, c *chunk, z *scratch, acc []float64) { diagonal(c, s.curvature, &z.z32, acc) })
	s.m.drain(func(j int, v float64) float64 {
		s.diagonal[j] = v + s.penalty[j]
		if s.diagonal[j] == 0 {
			s.diagonal[j] = 1 // all rows with the column have weight 0
		}
		return 0
	})
}

// evaluate computes loss, gradient, curvature and diagonal at the present weights.
func (s *solver) evaluate() {
	s.loss, s.sums = s.slopes(s.weights, s.gradient)
	s.setDiagonal()
}

// norm returns the norm of the gradient in columns scaled to curvature 1.
func (s *solver) norm() float64 { return math.Sqrt(s.scaledSquare(s.gradient)) }

// relative returns the norm relative to that of the labels.
func (s *solver) relative() float64 {
	if s.labelNorm() == 0 {
		return 0 // all labels are 0, and so are the best weights
	}
	return s.norm() / s.labelNorm()
}

// run makes rounds until the gradient is small, no step helps, or an error. It reports whether the
// gradient is small.
func (s *solver) run() (converged bool) {
	if s.err == nil {
		s.err = s.o.finished.resume(s)
	}
	s.evaluate()
	s.firstStep = s.steps
	s.firstGradient = s.relative()
	s.expected = 0
	for s.err == nil && s.relative() > s.o.tolerance {
		if s.round >= s.o.rounds {
			return false
		}
		if s.steps > s.firstStep {
			s.expected = s.extrapolate(s.relative(), s.o.tolerance)
		}
		s.solveRound()
		if !s.move() {
			return false
		}
		s.round++
		s.err = s.o.finished.append(s)
		s.setDiagonal()
	}
	return s.err == nil
}

// move steps along x, halving the step until the loss falls. It reports whether a step succeeded.
func (s *solver) move() bool {
	for t := 1.0; t > 1e-4; t /= 2 {
		s.each(func(j int) { s.trial.weights[j] = s.weights[j] + t*s.system.x[j] })
		loss, sums := s.slopes(s.trial.weights, s.trial.gradient)
		const rounding = 1e-12
		switch {
		case s.err != nil:
			return false
		case loss <= s.loss*(1+rounding):
			s.weights, s.trial.weights = s.trial.weights, s.weights
			s.gradient, s.trial.gradient = s.trial.gradient, s.gradient
			s.loss = loss
			s.sums = sums
			return true
		}
	}
	return false
}

// forcing is the factor by which a round reduces its residual. Least squares needs no new
// curvature, so its rounds aim at the tolerance. With other losses the next round changes the curvature, and more
// precision would be wasted.
const forcing = 0.1

// solveRound solves (Aᵀ diag(h) A + ridge) x = -g, where A is the rows, h their curvature, and g the gradient.
func (s *solver) solveRound() {
	aim := s.o.tolerance * s.labelNorm() / 2
	if s.o.loss == chances {
		aim = max(aim, forcing*s.norm())
	}
	c := &s.system
	s.each(func(j int) {
		c.x[j] = 0
		c.r[j] = -s.gradient[j]
		c.p[j] = c.r[j] / s.diagonal[j]
		c.single[j] = float32(c.p[j])
	})
	c.rho = s.scaledSquare(c.r)
	for step := 0; step < s.o.steps && math.Sqrt(c.rho) > aim && s.advance(); step++ {
		s.steps++
		s.o.progress.At(int64(s.steps), s.estimateSteps())
	}
}

// advance makes a step of conjugate gradients. It reports false if no direction is left, or after an
// error.
func (s *solver) advance() bool {
	c := &s.system
	s.pass(func(_ int, rows *chunk, z *scratch, acc []float64) {
		curvature := s.curvature[rows.first:]
		products(rows, c.single, &z.z32, acc, func(r int, u float32) float32 { return curvature[r] * u })
	})
	product := s.m.drain(func(j int, v float64) float64 {
		c.q[j] = v + s.penalty[j]*c.p[j]
		return c.p[j] * c.q[j]
	})
	if s.err != nil || !(product > 0) {
		return false
	}
	alpha := c.rho / product
	s.each(func(j int) {
		c.x[j] += alpha * c.p[j]
		c.r[j] -= alpha * c.q[j]
	})
	rho := s.scaledSquare(c.r)
	beta := rho / c.rho
	c.rho = rho
	s.each(func(j int) {
		c.p[j] = c.r[j]/s.diagonal[j] + beta*c.p[j]
		c.single[j] = float32(c.p[j])
	})
	return true
}

// estimateSteps estimates the total number of steps, at most the limit, from the gradient at the start of the
// round and from the residual, which the last round reduces to half the tolerance. The gradient at the end of a
// round is larger than the round's residual if the loss is not quadratic.
func (s *solver) estimateSteps() int64 {
	expected := max(s.expected, s.extrapolate(math.Sqrt(s.system.rho)/s.labelNorm(), s.o.tolerance/2))
	return int64(max(min(expected, float64(s.o.rounds)*float64(s.o.steps)), float64(s.steps+1)))
}

// extrapolate returns the number of steps after which a gradient that has fallen to now reaches its aim, if its
// logarithm falls evenly: infinitely many if it has not fallen.
func (s *solver) extrapolate(now, aim float64) float64 {
	gone := math.Log(s.firstGradient / now)
	if !(gone > 0) {
		return math.Inf(1)
	}
	return float64(s.firstStep) + float64(s.steps-s.firstStep)*math.Log(s.firstGradient/aim)/gone
}

// folds divide the rows for cross-validation. All rows of a situation are in one fold, and all rows of a
// cluster except for situations that an earlier cluster has.
type folds struct {
	count int     // 2 to 255
	of    []uint8 // fold of each row, from 0
}

// candidates are the ridges that cross-validation tries. Strong ones converge fastest.
var candidates = []float64{100, 30, 10, 3, 1, 0.3}

// chosenRidge is the result of cross-validation.
type chosenRidge struct {
	ridge float64         // of all columns
	held  agreement.Stats // with the labels of held-out rows
	steps int64           // made to find it
}

// chooseRidge returns the candidate with the smallest loss on held-out rows. The fit of a fold starts
// at the weights of the candidate before.
func (m *matrix) chooseRidge(ctx context.Context, o solverOptions, f folds) (best chosenRidge, err error) {
	for k := range f.count {
		if !slices.Contains(f.of, uint8(k)) {
			return best, fmt.Errorf("no row is in part %d of %d: expected rows in each", k+1, f.count)
		}
	}
	fits := 0
	steps := int64(0)
	all := len(candidates)*f.count + 1 // the fit to all rows follows
	progress := o.progress
	o.progress = func(done, total int64, note string) {
		part := (float64(fits) + float64(done)/float64(max(total, 1))) / float64(all)
		progress.Note(steps+done, int64(float64(steps+done)/part), note)
	}
	s := newSolver(ctx, m, o, f)
	weights := make([][]float64, f.count)
	for k := range weights {
		weights[k] = make([]float64, len(s.weights))
	}
	least := math.Inf(1)
	for _, ridge := range candidates {
		s.setRidge(ridge)
		var sums lossSums
		for k := range weights {
			s.start(uint8(k), weights[k])
			s.run()
			if s.err != nil {
				return best, fmt.Errorf("choosing a ridge, fold %d of %d: %w", k+1, f.count, s.err)
			}
			steps += int64(s.steps)
			fits++
			copy(weights[k], s.weights)
			sums.Merge(s.sums[heldOut].Sums)
			sums.loss += s.sums[heldOut].loss
		}
		if loss := sums.loss / sums.Weight(); loss < least {
			least = loss
			best.ridge = ridge
			best.held = sums.Stats()
		}
	}
	best.steps = steps
	return best, nil
}
