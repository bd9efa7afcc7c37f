package study

import (
	"context"
	"math/rand/v2"

	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// openingPlies are random, so that games differ; everyPlies one position of a
// game is taken.
const (
	openingPlies = 4
	everyPlies   = 3
	playNodes    = 500 // of each move of the games
)

// captures is what the engine plays with in every study.
var captures = search.Knowledge[oware.Position]{Eval: evaluations.Captures{}, LastPly: evaluations.Captures{}}

// Positions are n positions from games of the engine against itself, each
// situation once, without their history. They are the same for a seed.
func Positions(ctx context.Context, rules oware.Rules, n int, seed uint64) ([]oware.Position, error) {
	s := search.NewSearcher(captures, search.Options{HashMB: 1})
	seen := map[int64]bool{}
	var found []oware.Position
	for game := uint64(0); len(found) < n; game++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, p := range playGame(s, rules, rand.New(rand.NewPCG(seed, game))) {
			if i%everyPlies != 0 || i < openingPlies || seen[p.Orbit()] {
				continue
			}
			seen[p.Orbit()] = true
			found = append(found, p)
		}
	}
	return found[:n], nil
}

// playGame plays a game and returns its positions but the last.
func playGame(s *search.Searcher[oware.Position], rules oware.Rules, random *rand.Rand) []oware.Position {
	g := oware.NewGame(oware.Start(rules))
	s.Clear()
	for {
		if _, _, over := g.Over(); over {
			return g.History()
		}
		moves := g.Position().AppendMoves(nil)
		m := moves[random.IntN(len(moves))]
		if g.Plies() >= openingPlies {
			m = s.Search(context.Background(), g.Position(), g.History(), search.Limits{Nodes: playNodes}, search.Query{}).Best
		}
		if g.Play(m) != nil {
			return g.History()
		}
	}
}
