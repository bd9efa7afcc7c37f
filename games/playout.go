package games

import "math/rand/v2"

// RandomPlayout plays random moves from start to a random ply below plies, and starts
// over if the game is over there. Positions are not equally likely: those that many
// games lead to are drawn more often. The game is not over at start.
func RandomPlayout[P Position[P]](rng *rand.Rand, start P, plies int) P {
	var moves []Move
	for {
		p, over := start, false
		for n := rng.IntN(plies); n > 0 && !over; n-- {
			moves = p.AppendMoves(moves[:0])
			p = p.Play(moves[rng.IntN(len(moves))])
			_, over = p.Terminal()
		}
		if !over {
			return p
		}
	}
}
