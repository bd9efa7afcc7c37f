package games

import "math/rand/v2"

// RandomPlayout plays a random number of random moves from start, fewer than plies, and
// begins again if that ends the game. Positions are not equally likely: those that many
// games lead to are drawn more often. The game must not be over at start.
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
