package gametest

import (
	"math/rand/v2"
	"testing"

	"kroo/games"
)

// RandomGame plays up to plies random moves from p, and stops before a move that ends the game.
// It returns the last position and those before it, in order.
func RandomGame[P games.Position[P]](rng *rand.Rand, p P, plies int) (last P, history []P) {
	for range plies {
		moves := p.AppendMoves(nil)
		q := p.Play(moves[rng.IntN(len(moves))])
		if _, over := q.Terminal(); over {
			break
		}
		history = append(history, p)
		p = q
	}
	return p, history
}

// RandomPositions draws n positions with the game's Random.
func RandomPositions[P games.Position[P]](t testing.TB, g *games.Game[P], rng *rand.Rand, rules string, n int) []P {
	t.Helper()
	ps := make([]P, n)
	for i := range ps {
		var err error
		if ps[i], err = g.Random(rng, rules); err != nil {
			t.Fatal(err)
		}
	}
	return ps
}
