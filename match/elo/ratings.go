package elo

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Pairing is what two of several players made of each other, as A sees it.
type Pairing struct {
	A, B  int // indices of the players, different
	Score Score
}

// Rating is a player's strength among others.
type Rating struct {
	Elo      float64  `json:"elo"`          // the mean of all players is 0
	Interval Interval `json:"elo_interval"` // of 95 %, against that mean
}

// Ratings are those of several players, from all their games at once.
type Ratings struct {
	Players []Rating
	cov     *mat.SymDense // of the ratings, in squared Elo
}

// errUnconnected says that no chain of games links some of the players.
var errUnconnected = errors.New("no ratings: no chain of games links all players")

// Rate gives n players the ratings that make their results likeliest, if A
// scores 1/(1+10^(−d/400)) a game on average with a lead of d (the model of
// Bradley and Terry, 1952, with a draw as half a win), and shifts them so that
// their mean is 0. Ratings are finite as soon as games link all players: a
// pairing in which one has all the points enters as in [Score.Elo]. If games do
// not link them, the error says so.
//
// The errors take pairs of games, not games, as independent: they come from a
// sandwich estimator (White, Econometrica 50, 1982), in which each pairing has
// the standard error of [Score.Elo]. A player's interval is that of the share of
// the points which the rating expects, turned into ratings. With two players the
// lead and its interval are those of Score.Elo itself. An interval is of a rating
// against the mean of all players; [Ratings.lead] compares two.
func Rate(n int, pairings []Pairing) (Ratings, error) {
	for _, p := range pairings {
		if p.A < 0 || p.B < 0 || p.A >= n || p.B >= n || p.A == p.B {
			return Ratings{}, fmt.Errorf("a pairing of players %d and %d: expected two of %d", p.A, p.B, n)
		}
	}
	if !connected(n, pairings) {
		return Ratings{}, errUnconnected
	}
	f := newLikelihood(n, pairings)
	theta, err := f.maximise()
	if err != nil {
		return Ratings{}, err
	}
	cov, err := f.covariance(theta)
	if err != nil {
		return Ratings{}, err
	}
	r := Ratings{Players: make([]Rating, n), cov: cov}
	for i := range r.Players {
		r.Players[i] = Rating{theta[i] * eloPerNat, f.interval(i, theta, math.Sqrt(max(0, cov.At(i, i)))/eloPerNat)}
	}
	return r, nil
}

// lead is the rating of player i less that of j, and the half-width of its
// 95 % interval.
func (r Ratings) lead(i, j int) (lead, bar float64) {
	variance := r.cov.At(i, i) + r.cov.At(j, j) - 2*r.cov.At(i, j)
	return r.Players[i].Elo - r.Players[j].Elo, z95 * math.Sqrt(max(0, variance))
}

// los is the likelihood that player i is stronger than j, 0 to 1, by a normal
// approximation.
func (r Ratings) los(i, j int) float64 {
	lead, bar := r.lead(i, j)
	if bar == 0 {
		return 0.5
	}
	return distuv.UnitNormal.CDF(lead * z95 / bar)
}

// connected reports whether games link all players.
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
	return !slices.ContainsFunc(group, func(g int) bool { return g != group[0] })
}
