package engine

import (
	"math"

	"kroo/engine/search"
)

// The chances of an oware game are a logistic model of the score s in
// centi-seeds: a win with 1/(1+exp((a-s)/b)), a loss the same of -s, a draw for
// the rest. Shift and scale are the likeliest for 58 884 positions of 720 games
// between fitted weights and captures alone, at 2000 and 10 000 nodes a move:
// they are those of such games, not of positions between perfect players.
const (
	chanceShift = 110.0
	chanceScale = 400.0
)

// chances are those of a win, a draw and a loss, in permille. A proven score
// leaves no doubt.
func chances(score int) (win, draw, loss int) {
	switch {
	case search.Proven(score) && score > 0:
		return 1000, 0, 0
	case search.Proven(score):
		return 0, 0, 1000
	}
	of := func(s float64) int { return int(math.Round(1000 / (1 + math.Exp((chanceShift-s)/chanceScale)))) }
	win, loss = of(float64(score)), of(-float64(score))
	return win, 1000 - win - loss, loss
}
