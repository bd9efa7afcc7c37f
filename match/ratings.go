package match

import (
	"errors"
	"fmt"
	"math"
)

// Pairing is what two of several players made of each other, as A sees it.
type Pairing struct {
	A, B  int // indices of the players, different
	Score Score
}

// Rating is a player's strength among others.
type Rating struct {
	Elo float64 `json:"elo"` // the mean of all players is 0
	Bar float64 `json:"bar"` // half-width of its 95 % interval
}

// Ratings are those of several players, from all their games at once.
type Ratings struct {
	Players []Rating
	cov     [][]float64 // of the ratings, in squared Elo
}

// ErrUnconnected says that no chain of games links some of the players.
var ErrUnconnected = errors.New("match: no ratings: some players have no games that link them")

const eloPerNat = 400 / math.Ln10

// Rate gives n players the ratings that make their results likeliest, if A
// scores 1/(1+10^(−d/400)) a game on average with a lead of d (the model of
// Bradley and Terry, 1952, with a draw as half a win), and moves them so that
// their mean is 0. There are exact ratings as soon as games link all players:
// a pairing in which one has all the points enters as in [Score.Elo].
//
// The bars take pairs of games, not games, as independent: they are of the
// sandwich kind (White, Econometrica 50, 1982), the spread of each pairing
// being that of [Score.Elo]. With two players lead and bar are those of
// Score.Elo itself. As they are, bars hold for a rating against the mean of
// all; [Ratings.Lead] compares two players.
func Rate(n int, pairings []Pairing) (Ratings, error) {
	for _, p := range pairings {
		if p.A < 0 || p.B < 0 || p.A >= n || p.B >= n || p.A == p.B {
			return Ratings{}, fmt.Errorf("match: a pairing of players %d and %d: expected two of %d", p.A, p.B, n)
		}
	}
	if !connected(n, pairings) {
		return Ratings{}, ErrUnconnected
	}
	f := newFit(n, pairings)
	theta, err := f.maximise()
	if err != nil {
		return Ratings{}, err
	}
	r := Ratings{Players: make([]Rating, n), cov: f.covariance(theta)}
	for i := range r.Players {
		r.Players[i] = Rating{theta[i] * eloPerNat, z95 * math.Sqrt(max(0, r.cov[i][i]))}
	}
	return r, nil
}

// Lead is the rating of player i less that of j, and the half-width of its
// 95 % interval.
func (r Ratings) Lead(i, j int) (lead, bar float64) {
	variance := r.cov[i][i] + r.cov[j][j] - 2*r.cov[i][j]
	return r.Players[i].Elo - r.Players[j].Elo, z95 * math.Sqrt(max(0, variance))
}

// LOS is the likelihood that player i is stronger than j, 0 to 1, by a normal
// approximation.
func (r Ratings) LOS(i, j int) float64 {
	lead, bar := r.Lead(i, j)
	if bar == 0 {
		return 0.5
	}
	return math.Erfc(-lead*z95/bar/math.Sqrt2) / 2
}

// connected tells whether games link all players.
func connected(n int, pairings []Pairing) bool {
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
	for _, g := range group {
		if g != group[0] {
			return false
		}
	}
	return true
}

// fit is the likelihood of the results. Strengths are in natural units: Elo
// over eloPerNat.
type fit struct {
	n     int
	links []link
}

// link is a pairing with games: how many, A's share of the points and its
// standard error.
type link struct {
	a, b                int
	games, mean, stderr float64
}

func newFit(n int, pairings []Pairing) *fit {
	f := &fit{n: n}
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

// slopes are the gradient of the log-likelihood and the negative of its second
// derivative, made invertible: it knows nothing of the sum of all strengths,
// which is to stay 0.
func (f *fit) slopes(theta []float64) (gradient []float64, curvature [][]float64) {
	gradient = make([]float64, f.n)
	curvature = square(f.n, 1)
	for _, l := range f.links {
		p := expected(theta[l.a] - theta[l.b])
		gradient[l.a] += l.games * (l.mean - p)
		gradient[l.b] -= l.games * (l.mean - p)
		spread(curvature, l, l.games*p*(1-p))
	}
	return gradient, curvature
}

// spread adds w times the square of (a − b).
func spread(m [][]float64, l link, w float64) {
	m[l.a][l.a] += w
	m[l.b][l.b] += w
	m[l.a][l.b] -= w
	m[l.b][l.a] -= w
}

// logLikelihood is that of strengths, up to a constant.
func (f *fit) logLikelihood(theta []float64) (sum float64) {
	for _, l := range f.links {
		lead := theta[l.a] - theta[l.b]
		sum += l.games * (l.mean*math.Log(expected(lead)) + (1-l.mean)*math.Log(expected(-lead)))
	}
	return sum
}

// maximise finds the strengths by Newton's method, with shorter steps where a
// whole one leads down. The likelihood is concave: there is one summit.
func (f *fit) maximise() ([]float64, error) {
	theta := make([]float64, f.n)
	best := f.logLikelihood(theta)
	for range 1000 {
		gradient, curvature := f.slopes(theta)
		step := solve(curvature, gradient)
		if largest(step) < 1e-10 {
			return theta, nil
		}
		for scale := 1.0; scale > 1e-9; scale /= 2 {
			next := make([]float64, f.n)
			for i := range next {
				next[i] = theta[i] + scale*step[i]
			}
			// Near the summit the likelihood is flat beyond what numbers tell.
			if l := f.logLikelihood(next); l >= best-1e-12*(1+math.Abs(best)) {
				theta, best = next, l
				break
			}
		}
	}
	return nil, errors.New("match: the ratings did not settle in 1000 steps")
}

func largest(v []float64) (m float64) {
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}

// covariance of the ratings, in squared Elo.
func (f *fit) covariance(theta []float64) [][]float64 {
	_, curvature := f.slopes(theta)
	noise := square(f.n, 0)
	for _, l := range f.links {
		spread(noise, l, l.games*l.games*l.stderr*l.stderr)
	}
	half := make([][]float64, f.n) // rows of the inverse curvature times the noise
	for i := range half {
		half[i] = solve(curvature, noise[i])
	}
	cov := square(f.n, 0)
	for i := range cov {
		column := make([]float64, f.n)
		for j := range column {
			column[j] = half[j][i]
		}
		for j, x := range solve(curvature, column) {
			cov[i][j] = x * eloPerNat * eloPerNat
		}
	}
	return cov
}

func square(n int, value float64) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
		for j := range m[i] {
			m[i][j] = value
		}
	}
	return m
}

// solve returns x of a·x = b for a symmetric positive definite matrix, by
// Gauss's elimination, which needs no exchange of rows there.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = append(append(make([]float64, 0, n+1), a[i]...), b[i])
	}
	for k := range n {
		for i := k + 1; i < n; i++ {
			factor := rows[i][k] / rows[k][k]
			for j := k; j <= n; j++ {
				rows[i][j] -= factor * rows[k][j]
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = rows[i][n]
		for j := i + 1; j < n; j++ {
			x[i] -= rows[i][j] * x[j]
		}
		x[i] /= rows[i][i]
	}
	return x
}
