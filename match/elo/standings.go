package elo

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Standing is one player's row in a cross table.
type Standing struct {
	Name string `json:"name"`
	Rating
	// LOS is the likelihood that the player is stronger than the next one; 0 for the last.
	LOS      float64 `json:"los"`
	Wins     int     `json:"wins"` // games
	Draws    int     `json:"draws"`
	Losses   int     `json:"losses"`
	Forfeits int     `json:"forfeits"` // games lost by a fault
	// Against is the results against each player, in the order of the standings, as seen by this
	// player; without games against itself.
	Against []Score `json:"against"`
}

// Games returns the number of games played.
func (s Standing) Games() int { return s.Wins + s.Draws + s.Losses }

// Points counts a win as 1 and a draw as ½.
func (s Standing) Points() float64 { return float64(s.Wins) + float64(s.Draws)/2 }

// Standings ranks players, the strongest first. Players with equal ratings keep the order of names.
// Several pairings of the same two are added up.
func Standings(names []string, pairings []Pairing) ([]Standing, error) {
	ratings, err := rate(len(names), pairings)
	if err != nil {
		return nil, err
	}
	results := make([][]Score, len(names))
	for i := range results {
		results[i] = make([]Score, len(names))
	}
	for _, p := range pairings {
		results[p.A][p.B] = results[p.A][p.B].plus(p.Score)
		results[p.B][p.A] = results[p.B][p.A].plus(p.Score.reverse())
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(ratings.Players[j].Elo, ratings.Players[i].Elo)
	})
	standings := make([]Standing, len(names))
	for place, i := range order {
		s := Standing{Name: names[i], Rating: ratings.Players[i]}
		for _, j := range order {
			r := results[i][j]
			s.Wins += r.Wins
			s.Draws += r.Draws
			s.Losses += r.Losses
			s.Forfeits += r.Forfeits[0]
			s.Against = append(s.Against, r)
		}
		if place+1 < len(order) {
			s.LOS = ratings.los(i, order[place+1])
		}
		standings[place] = s
	}
	return standings, nil
}

// Pairing is the score between two of several players, as seen by A.
type Pairing struct {
	A, B  int // indices of different players
	Score Score
}

// Rating is a player's rating among others.
type Rating struct {
	Elo      float64  `json:"elo"`          // the mean of all players is 0
	Interval Interval `json:"elo_interval"` // 95 %, relative to that mean
}

// ratings rate several players by all their games at once.
type ratings struct {
	Players []Rating
	cov     *mat.SymDense // of the ratings, in squared Elo
}

// errUnconnected is returned if no chain of games links some of the players.
var errUnconnected = errors.New("no ratings: no chain of games links all players")

// rate returns the maximum-likelihood ratings of n players, shifted so that their mean is 0. In the
// model of Bradley and Terry (1952), A's expected score per game with a lead of d is
// 1/(1+10^(−d/400)), and a draw is half a win. It returns an error if games do not link all players.
//
// The errors treat pairs of games, not games, as independent, by a sandwich estimator (White,
// Econometrica 50, 1982) with the standard errors of [Score.Elo]; for two players both agree. A
// player's interval is the interval of the share of points that the rating expects, as ratings.
func rate(n int, pairings []Pairing) (ratings, error) {
	for _, p := range pairings {
		if p.A < 0 || p.B < 0 || p.A >= n || p.B >= n || p.A == p.B {
			return ratings{}, fmt.Errorf("a pairing of players %d and %d: expected two of the %d", p.A, p.B, n)
		}
	}
	if !isConnected(n, pairings) {
		return ratings{}, errUnconnected
	}
	f := newLikelihood(n, pairings)
	theta, err := f.maximise()
	if err != nil {
		return ratings{}, err
	}
	cov, err := f.covariance(theta)
	if err != nil {
		return ratings{}, err
	}
	r := ratings{Players: make([]Rating, n), cov: cov}
	for i := range r.Players {
		r.Players[i] = Rating{theta[i] * eloPerNat, f.interval(i, theta, math.Sqrt(max(0, cov.At(i, i)))/eloPerNat)}
	}
	return r, nil
}

// lead returns the rating of player i minus j's, and the half-width of its 95 % interval.
func (r ratings) lead(i, j int) (lead, bar float64) {
	variance := r.cov.At(i, i) + r.cov.At(j, j) - 2*r.cov.At(i, j)
	return r.Players[i].Elo - r.Players[j].Elo, z95 * math.Sqrt(max(0, variance))
}

// los returns the likelihood that player i is stronger than j, 0 to 1, by a normal approximation.
func (r ratings) los(i, j int) float64 {
	lead, bar := r.lead(i, j)
	if bar == 0 {
		return 0.5
	}
	return distuv.UnitNormal.CDF(lead * z95 / bar)
}

// isConnected reports whether games link all players.
func isConnected(n int, pairings []Pairing) bool {
	group := make([]int, n)
	for i := range group {
		group[i] = i
	}
	for _, p := range pairings {
		if from, to := group[p.A], group[p.B]; p.Score.Games() > 0 && from != to {
			for i, g := range group {
				if g == from {
					group[i] = to
				}
			}
		}
	}
	return !slices.ContainsFunc(group, func(g int) bool { return g != group[0] })
}

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

// expectedScore returns the expected score of a lead in natural units.
func expectedScore(lead float64) float64 { return 1 / (1 + math.Exp(-lead)) }

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
		surplus := l.games * (l.mean - expectedScore(theta[l.a]-theta[l.b]))
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
		p := expectedScore(theta[l.a] - theta[l.b])
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

// maximise returns the most likely strengths, by Newton's method. negLog is convex and has one
// minimum; far from it a step is halved until it leads downwards.
func (f *likelihood) maximise() ([]float64, error) {
	theta := make([]float64, f.n)
	next := make([]float64, f.n)
	grad := make([]float64, f.n)
	hess := mat.NewSymDense(f.n, nil)
	for range 1000 {
		f.gradient(grad, theta)
		f.hessian(hess, theta)
		var chol mat.Cholesky
		var solved mat.VecDense
		if !chol.Factorize(hess) || chol.SolveVecTo(&solved, mat.NewVecDense(f.n, grad)) != nil {
			break
		}
		step := solved.RawVector().Data
		floats.SubTo(next, theta, step)
		for floats.Norm(step, math.Inf(1)) > 1e-6 && f.negLog(next) > f.negLog(theta) {
			floats.Scale(0.5, step)
			floats.SubTo(next, theta, step)
		}
		copy(theta, next)
		if floats.Norm(step, math.Inf(1)) < 1e-10 {
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

// resultsOf lists the games of player i, the number of pairs, and whether i has all or none of the points.
func (f *likelihood) resultsOf(i int, theta []float64) (list []opposition, pairs int, won, lost bool) {
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
		p := expectedScore(better - o.stronger)
		games += o.games
		share += o.games * p
		slope += o.games * p * (1 - p)
	}
	return share / games, slope / games
}

// interval returns the interval of player i's rating, whose standard error is given in natural
// units: an interval of i's expected share of the points from [shares], converted to ratings.
func (f *likelihood) interval(i int, theta []float64, stderr float64) Interval {
	list, pairs, won, lost := f.resultsOf(i, theta)
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
