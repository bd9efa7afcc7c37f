package elo

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// likelihood is the likelihood of the results as a function of the players' strengths in natural
// units: Elo over eloPerNat.
type likelihood struct {
	n     int
	links []link
}

// link is the games of a pairing: their number, A's share of the points with its standard error, and
// the number of pairs.
type link struct {
	a, b                int
	games, mean, stderr float64
	pairs               int
	swept               bool // one player has all the points; mean is then less
}

func newLikelihood(n int, pairings []Pairing) *likelihood {
	f := &likelihood{n: n}
	for _, p := range pairings {
		if p.Score.Games() == 0 {
			continue
		}
		regular, stderr := p.Score.moments()
		mean := p.Score.Mean()
		swept := mean == 0 || mean == 1
		if swept {
			mean = regular
		}
		f.links = append(f.links, link{p.A, p.B, float64(p.Score.Games()), mean, stderr, p.Score.pairs(), swept})
	}
	return f
}

// expected returns the expected score of a lead in natural units.
func expected(lead float64) float64 { return 1 / (1 + math.Exp(-lead)) }

// negLog returns minus the log-likelihood of strengths, up to a constant. The results do not
// determine the sum of all strengths; a quadratic term pulls it to 0.
func (f *likelihood) negLog(theta []float64) float64 {
	total := floats.Sum(theta)
	sum := total * total / 2
	for _, l := range f.links {
		lead := theta[l.a] - theta[l.b]
		sum += l.games * (l.mean*math.Log1p(math.Exp(-lead)) + (1-l.mean)*math.Log1p(math.Exp(lead)))
	}
	return sum
}

// gradient computes the gradient of negLog.
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

// hessian computes the second derivative of negLog.
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

// errFlat is returned if the likelihood has no unique maximum.
var errFlat = errors.New("no ratings: the results do not determine the strengths")

// maximise returns the most likely strengths. negLog is convex and has one minimum. The optimiser
// stops where the function is flat to machine precision; a few full Newton steps from there reach
// the minimum.
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
	for range 20 { // ignore a failed line search at the minimum: check the steps instead
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

// covariance returns the covariance of the ratings, in squared Elo: H⁻¹ N H⁻¹ with the hessian H and
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

// opposition is a player's games against an opponent, who is stronger by a lead.
type opposition struct{ games, stronger float64 }

// of lists the games of player i, the number of pairs, and whether i has all or none of the points.
func (f *likelihood) of(i int, theta []float64) (list []opposition, pairs int, won, lost bool) {
	won, lost = true, true
	for _, l := range f.links {
		if i != l.a && i != l.b {
			continue
		}
		aWon := l.swept && l.mean > 0.5
		won = won && l.swept && aWon == (i == l.a)
		lost = lost && l.swept && aWon == (i == l.b)
		list = append(list, opposition{l.games, theta[l.a+l.b-i] - theta[i]})
		pairs += l.pairs
	}
	return list, pairs, won, lost
}

// shareOf returns the expected share of the points of a player who is better by a lead, and its
// derivative.
func shareOf(list []opposition, better float64) (share, slope float64) {
	games := 0.0
	for _, o := range list {
		p := expected(better - o.stronger)
		games += o.games
		share += o.games * p
		slope += o.games * p * (1 - p)
	}
	return share / games, slope / games
}

// interval returns the interval of player i's rating, whose standard error is given in natural
// units: an interval of i's expected share of the points from [shares], converted to ratings.
func (f *likelihood) interval(i int, theta []float64, stderr float64) Interval {
	list, pairs, won, lost := f.of(i, theta)
	others := float64(f.n-1) / float64(f.n) // rating / lead over the others
	mean, slope := shareOf(list, 0)
	switch {
	case won:
		mean = 1
	case lost:
		mean = 0
	}
	low, high := shares(mean, slope*stderr/others, pairs, 0.25)
	end := func(share float64) float64 { return (theta[i] + others*betterFor(list, share)) * eloPerNat }
	return Interval{end(low), end(high)}
}

// betterFor returns the lead that a player needs to expect a share of the points.
func betterFor(list []opposition, share float64) float64 {
	switch share {
	case 0:
		return math.Inf(-1)
	case 1:
		return math.Inf(1)
	}
	low, high := -1e3, 1e3
	for range 100 {
		better := (low + high) / 2
		if expects, _ := shareOf(list, better); expects < share {
			low = better
		} else {
			high = better
		}
	}
	return (low + high) / 2
}
