package study

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"kroo/engine/search"
)

const (
	playNodes = 500  // of each move of the games
	maxBarren = 1000 // games in a row without a new position, after which there are no more
)

// Sample says which positions of generated games a study looks at.
type Sample struct {
	Rules     string // "" is the game's default
	Positions int
	Seed      uint64 // of the games
	Workers   int    // that look at them; 0 is one a processor
}

// rules are those asked for, or else the game's default.
func (s Subject[P]) rules(asked string) string { return cmp.Or(asked, s.game.Rules[0]) }

// positions are those of a sample: from games of the engine against itself, each
// situation once, without their history; fewer in a game that has no more. They
// are the same for a seed.
func positions[P search.Position[P]](ctx context.Context, s Subject[P], c Sample) ([]P, error) {
	start, err := s.game.Start(s.rules(c.Rules))
	if err != nil {
		return nil, err
	}
	searcher := search.NewSearcher(s.knowledge(), search.Options{HashMB: 1})
	seen := map[int64]bool{}
	var found []P
	for game, fruitful := uint64(0), uint64(0); len(found) < c.Positions && game-fruitful <= maxBarren; game++ {
		positions, err := s.playGame(ctx, searcher, start, rand.New(rand.NewPCG(c.Seed, game)))
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
	if len(found) == 0 && c.Positions > 0 {
		return nil, fmt.Errorf("no positions in the games of %s", s.game.Name)
	}
	return found[:min(c.Positions, len(found))], nil
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
