package elo

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// likelihood is that of the results, as a function of the players' strengths
// in natural units: Elo over eloPerNat.
type likelihood struct {
	n     int
	links []link
}

// link is a pairing with games: how many, A's share of the points and its
// standard error.
type link struct {
	a, b                int
	games, mean, stderr float64
}

func newLikelihood(n int, pairings []Pairing) *likelihood {
	f := &likelihood{n: n}
	for _, p := range pairings {
		if p.Score.Games() == 0 {
			continue
		}
		regular, stderr := p.Score.moments()
		mean := p.Score.Mean()
		if mean == 0 || mean == 1 {
			mean = regular
		}
		f.links = append(f.links, link{p.A, p.B, float64(p.Score.Games()), mean, stderr})
	}
	return f
}

// expected is what a lead in natural units scores.
func expected(lead float64) float64 { return 1 / (1 + math.Exp(-lead)) }

// negLog is minus the log-likelihood of strengths, up to a constant. Results say nothing
// of the sum of all strengths; a term draws it to 0.
func (f *likelihood) negLog(theta []float64) float64 {
	total := floats.Sum(theta)
	sum := total * total / 2
	for _, l := range f.links {
		lead := theta[l.a] - theta[l.b]
		sum += l.games * (l.mean*math.Log1p(math.Exp(-lead)) + (1-l.mean)*math.Log1p(math.Exp(lead)))
	}
	return sum
}

// gradient is that of negLog.
func (f *likelihood) gradient(grad, theta []float64) {
	total := floats.Sum(theta)
	for i := range grad {
		grad[i] = total
	}
	for _, l := range f.links {
		surplus := l.games * (l.mean - expected(theta[l.a]-theta[l.b]))
		grad[l.a] -= surplus
		grad[l.b] += surplus
	}
}

// hessian is the second derivative of negLog.
func (f *likelihood) hessian(hess *mat.SymDense, theta []float64) {
	for i := range f.n {
		for j := i; j < f.n; j++ {
			hess.SetSym(i, j, 1)
		}
	}
	for _, l := range f.links {
		p := expected(theta[l.a] - theta[l.b])
		spread(hess, l, l.games*p*(1-p))
	}
}

// spread adds w times the square of (a − b).
func spread(m *mat.SymDense, l link, w float64) {
	m.SetSym(l.a, l.a, m.At(l.a, l.a)+w)
	m.SetSym(l.b, l.b, m.At(l.b, l.b)+w)
	m.SetSym(l.a, l.b, m.At(l.a, l.b)-w)
}

// errFlat is the error of strengths whose likelihood has no single summit.
var errFlat = errors.New("no ratings: the results do not tell the strengths")

// maximise finds the likeliest strengths. negLog is convex: there is one
// minimum. The optimizer stops where the function is flat beyond what numbers
// tell; a few whole Newton steps from there reach the minimum itself.
func (f *likelihood) maximise() ([]float64, error) {
	problem := optimize.Problem{
		Func: f.negLog, Grad: f.gradient,
		Hess: func(hess *mat.SymDense, theta []float64) { f.hessian(hess, theta) },
	}
	settings := &optimize.Settings{GradientThreshold: 1e-6, Converger: optimize.NeverTerminate{}, MajorIterations: 1000}
	found, err := optimize.Minimize(problem, make([]float64, f.n), settings, &optimize.Newton{})
	if found == nil {
		return nil, err
	}
	theta, grad, hess := found.X, make([]float64, f.n), mat.NewSymDense(f.n, nil)
	for range 20 { // a failed line search at the minimum is no failure: the steps tell
		f.gradient(grad, theta)
		f.hessian(hess, theta)
		var chol mat.Cholesky
		var step mat.VecDense
		if !chol.Factorize(hess) || chol.SolveVecTo(&step, mat.NewVecDense(f.n, grad)) != nil {
			return nil, errFlat
		}
		floats.Sub(theta, step.RawVector().Data)
		if mat.Norm(&step, math.Inf(1)) < 1e-10 {
			return theta, nil
		}
	}
	return nil, errFlat
}

// covariance of the ratings, in squared Elo: H⁻¹ N H⁻¹ with the hessian H and
// the covariance N of the gradient.
func (f *likelihood) covariance(theta []float64) (*mat.SymDense, error) {
	hess, noise := mat.NewSymDense(f.n, nil), mat.NewSymDense(f.n, nil)
	f.hessian(hess, theta)
	for _, l := range f.links {
		spread(noise, l, l.games*l.games*l.stderr*l.stderr)
	}
	var chol mat.Cholesky
	var inverse mat.SymDense
	if !chol.Factorize(hess) || chol.InverseTo(&inverse) != nil {
		return nil, errFlat
	}
	var product mat.Dense
	product.Product(&inverse, noise, &inverse)
	cov := mat.NewSymDense(f.n, nil)
	for i := range f.n {
		for j := i; j < f.n; j++ {
			cov.SetSym(i, j, product.At(i, j)*eloPerNat*eloPerNat)
		}
	}
	return cov, nil
}
