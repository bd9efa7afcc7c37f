package match

import (
	"fmt"
	"math/rand/v2"

	"kroo/games/oware"
)

// maxOpeningPlies keeps openings short of the end of a game: hardly a random
// game is over by then.
const maxOpeningPlies = 40

// fruitless is how many draws in a row may fail before there are taken to be
// no more openings.
const fruitless = 10_000

// Openings draws n openings from the start position, each of that many random
// legal moves. They lead to different positions, none of which ends the game.
// The first openings are the same for every n. Where there are fewer than n
// (one of 0 plies, 6 of 1 ply, …) it is an error that says how many it found.
func Openings(r oware.Rules, n, plies int, seed uint64) ([][]oware.Move, error) {
	if plies < 0 || plies > maxOpeningPlies {
		return nil, fmt.Errorf("match: openings of %d plies: expected 0 to %d", plies, maxOpeningPlies)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	seen := make(map[oware.Position]bool)
	var openings [][]oware.Move
	for failed := 0; len(openings) < n; {
		moves, p, ok := draw(r, plies, random)
		if !ok || seen[p] {
			if failed++; failed == fruitless {
				return nil, fmt.Errorf("match: found only %d different openings of %d plies for %d pairs: ask for fewer pairs or longer openings",
					len(openings), plies, n)
			}
			continue
		}
		failed = 0
		seen[p] = true
		openings = append(openings, moves)
	}
	return openings, nil
}

// draw makes one random opening. It fails if the game ends in it.
func draw(r oware.Rules, plies int, random *rand.Rand) (moves []oware.Move, p oware.Position, ok bool) {
	g := oware.NewGame(oware.Start(r))
	moves = make([]oware.Move, 0, plies)
	var legal []oware.Move
	for range plies {
		if _, _, over := g.Over(); over {
			return nil, p, false
		}
		legal = g.Position().AppendMoves(legal[:0])
		m := legal[random.IntN(len(legal))]
		if g.Play(m) != nil {
			return nil, p, false
		}
		moves = append(moves, m)
	}
	_, _, over := g.Over()
	return moves, g.Position(), !over
}
