package engine

import (
	"math"

	"kroo/engine/search"
	"kroo/games/oware"
)

// The chances of an oware game at a score of s seeds with n seeds in play: a win
// with 1/(1+exp(d−r·s)), a loss with 1/(1+exp(d+r·s)), a draw for the rest. r
// and d go in straight lines from n = 0 to n = 48: a lead is lost more rarely, and a
// level game nearer to a draw, the fewer seeds there are. These are the likeliest for
// 39 399 positions of 399 games of the default weights with themselves, with
// standard errors of 0.14, 0.08, 0.22 and 0.05:
//
//	train match --a weights=default,vary=on --b weights=default,vary=on --nodes 10000 --pairs 200 --opening-plies 8 --seed 5 -o games.ogn
//	train study scale games.ogn
//
// They are the chances of such games, not of perfect players. Their mean −log
// likelihood is 0.496 a position; the best that looks at the score alone has
// 0.535.
const (
	rateAt0, rateAt48 = 1.259, 0.792 // r, per seed
	drawAt0, drawAt48 = 1.971, 0.250 // d
)

// chances are those of a win, a draw and a loss for the side to move, in
// permille. A proven score leaves no doubt.
func chances(p oware.Position, score int) (win, draw, loss int) {
	switch {
	case search.Proven(score) && score > 0:
		return 1000, 0, 0
	case search.Proven(score):
		return 0, 0, 1000
	}
	part := float64(p.SeedsInPlay()) / oware.Seeds
	r, d := rateAt0+(rateAt48-rateAt0)*part, drawAt0+(drawAt48-drawAt0)*part
	of := func(s float64) int { return int(math.Round(1000 / (1 + math.Exp(d-r*s)))) }
	win, loss = of(float64(score)/100), of(-float64(score)/100)
	return win, 1000 - win - loss, loss
}
