package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/parallel"
)

// eachOfBook calls f for each of a sample of bookPositions from the game's start, with a searcher
// whose hash table is empty, and returns the results. It returns an error for a book without such
// positions.
func eachOfBook[P search.Position[P], R any](ctx context.Context, e *engine.Engine[P], c Sample, progress parallel.Progress, f func(engine.Searcher[P], P) (R, error)) ([]R, error) {
	start, err := e.Kit.Game.Start(e.Rules)
	if err != nil {
		return nil, err
	}
	positions := bookPositions(e, start, c.Positions, c.Seed)
	if len(positions) == 0 {
		return nil, fmt.Errorf("the book has no move at the start of %s: expected a book grown from there", e.Kit.Game.Name)
	}
	all := make([]R, len(positions))
	searchers := sync.Pool{New: func() any { return e.NewSearcher() }}
	return all, forEach(ctx, len(positions), c.Workers, progress, func(i int) (err error) {
		s := searchers.Get().(engine.Searcher[P])
		defer searchers.Put(s)
		s.Clear()
		all[i], err = f(s, positions[i])
		return err
	})
}

// bookPositions returns different positions of games from the start, one per game, in which one
// side, in turn, plays the book's best moves and the other any move to a position of the book; the
// book's player is to move. There are fewer than n if many games in a row add nothing new.
func bookPositions[P search.Position[P]](e *engine.Engine[P], start P, n int, seed uint64) (found []P) {
	seen := map[int64]bool{}
	for game, lastNew := uint64(0), uint64(0); len(found) < n && game-lastNew <= maxGamesWithoutNew; game++ {
		random := rand.New(rand.NewPCG(seed, game))
		met := bookGame(e, start, int(game%2), random)
		met = slices.DeleteFunc(met, func(p P) bool { return seen[e.Kit.Game.Orbit(p)] })
		if len(met) > 0 {
			p := met[random.IntN(len(met))]
			seen[e.Kit.Game.Orbit(p)] = true
			found = append(found, p)
			lastNew = game
		}
	}
	return found
}

// bookGame plays a game until it leaves the book, and returns the positions where the book's player
// has a choice of moves.
func bookGame[P search.Position[P]](e *engine.Engine[P], p P, player int, random *rand.Rand) (met []P) {
	var history []P
	for ply := 0; ; ply++ {
		if _, over := p.Terminal(); over {
			return met
		}
		pick, ok, _ := engine.Pick(e.Book, nil, engine.BookPolicy{}, p, history, nil)
		if !ok {
			return met
		}
		m := pick.Move
		if ply%2 != player {
			inside := movesInside(e.Book, p)
			if len(inside) == 0 {
				return met
			}
			m = inside[random.IntN(len(inside))]
		} else if len(p.AppendMoves(nil)) > 1 {
			met = append(met, p)
		}
		history = append(history, p)
		p = p.Play(m)
	}
}

// movesInside returns the moves to positions of the book.
func movesInside[P search.Position[P]](b engine.Book[P], p P) (list []games.Move) {
	for _, m := range p.AppendMoves(nil) {
		if next := p.Play(m); len(b.Moves(next)) > 0 {
			list = append(list, m)
		}
	}
	return list
}
