package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kroo/engine/search"
)

const (
	playNodes = 500  // of each move of the games
	maxBarren = 1000 // games in a row without a new position, after which there are no more
)

// positions are n positions from games of the engine against itself, each
// situation once, without their history; fewer in a game that has no more. They
// are the same for a seed.
func positions[P search.Position[P]](ctx context.Context, s Subject[P], rules string, n int, seed uint64) ([]P, error) {
	start, err := s.game.Start(rules)
	if err != nil {
		return nil, err
	}
	searcher := search.NewSearcher(s.knowledge(), search.Options{HashMB: 1})
	seen := map[int64]bool{}
	var found []P
	for game, fruitful := uint64(0), uint64(0); len(found) < n && game-fruitful <= maxBarren; game++ {
		positions, err := s.playGame(ctx, searcher, start, rand.New(rand.NewPCG(seed, game)))
		if err != nil {
			return nil, err
		}
		for i, p := range positions {
			orbit := s.game.Orbit(p)
			if i%s.EveryPlies != 0 || i < s.OpeningPlies || seen[orbit] {
				continue
			}
			seen[orbit] = true
			found = append(found, p)
			fruitful = game
		}
	}
	if len(found) == 0 && n > 0 {
		return nil, fmt.Errorf("no positions in the games of %s", s.game.Name)
	}
	return found[:min(n, len(found))], nil
}

// playGame plays a game and returns its positions but the last.
func (s Subject[P]) playGame(ctx context.Context, searcher *search.Searcher[P], start P, random *rand.Rand) ([]P, error) {
	l := s.game.NewLine(start)
	searcher.Clear()
	for {
		if _, _, over := l.Over(); over {
			return l.History(), nil
		}
		moves := l.Position().AppendMoves(nil)
		m := moves[random.IntN(len(moves))]
		if l.Plies() >= s.OpeningPlies {
			m = searcher.Search(ctx, l.Position(), l.History(), search.Limits{Nodes: playNodes}, search.Query{}).Best
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := l.Play(m); err != nil {
			return nil, err
		}
	}
}
