package elo

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

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
// 1/(1+10^(−d/400)), and a draw is half a win. ratings are finite if games link all players: a
// pairing in which one has all the points enters as in [Score.Elo]. If games do not link the
// players, rate returns an error.
//
// The errors treat pairs of games, not games, as independent: they come from a sandwich estimator
// (White, Econometrica 50, 1982), in which each pairing has the standard error of [Score.Elo]. A
// player's interval is that of the share of the points expected by the rating, converted to ratings.
// With two players the lead and its interval equal those of Score.Elo. Intervals are relative to the
// mean of all players; [ratings.lead] compares two.
func rate(n int, pairings []Pairing) (ratings, error) {
	for _, p := range pairings {
		if p.A < 0 || p.B < 0 || p.A >= n || p.B >= n || p.A == p.B {
			return ratings{}, fmt.Errorf("a pairing of players %d and %d: expected two of the %d", p.A, p.B, n)
		}
	}
	if !connected(n, pairings) {
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

// lead returns the rating of player i minus that of j, and the half-width of its 95 % interval.
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
