package endgame

import (
	"context"
	"math/rand/v2"

	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/parallel"
)

// CheckConfig says how thoroughly a table is checked.
type CheckConfig struct {
	Recompute int // build levels up to this one again
	PlaySeeds int // play games from positions with up to this many seeds in play
	Games     int // number of games against each opponent
	Seed      uint64
	Random    *rand.Rand // source of random numbers, made from Seed
	Engine    Opponent   // the opponent that searches
}

// Check is one way of checking a table. Run counts its progress in units.
type Check struct {
	Name, Unit string
	Run        func(context.Context, *Table, CheckConfig, parallel.Progress) error
}

// Checks are all checks, in the order to run them.
var Checks = []Check{
	{"entries follow from their successors", "positions", func(ctx context.Context, t *Table, _ CheckConfig, progress parallel.Progress) error {
		return t.verify(ctx, progress)
	}},
	{"small levels built again are the same", "positions", func(ctx context.Context, t *Table, r CheckConfig, progress parallel.Progress) error {
		return t.recompute(ctx, r.Recompute, progress)
	}},
	{"guarantees hold against a random player", "games", func(ctx context.Context, t *Table, r CheckConfig, progress parallel.Progress) error {
		return playGames(ctx, t, r, progress, func(g *games.Line[oware.Position]) oware.Move {
			moves := g.Position().AppendMoves(nil)
			return moves[r.Random.IntN(len(moves))]
		})
	}},
	{"guarantees hold against the engine", "games", func(ctx context.Context, t *Table, r CheckConfig, progress parallel.Progress) error {
		return playGames(ctx, t, r, progress, r.Engine)
	}},
}

// playGames plays games from random positions of the table.
func playGames(ctx context.Context, t *Table, r CheckConfig, progress parallel.Progress, opponent Opponent) error {
	seeds := min(r.PlaySeeds, t.Seeds())
	if seeds < 1 {
		return nil
	}
	s, err := newStrategy(ctx, t.Rules(), t.Bounds(), seeds)
	if err != nil {
		return err
	}
	progress.At(0, int64(r.Games))
	for i := range r.Games {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := 1 + r.Random.IntN(seeds)
		p := PositionAt(t.Rules(), n, r.Random.IntN(Positions(n)))
		if err := s.playOut(p, r.Random.IntN(2) == 0, opponent); err != nil {
			return err
		}
		progress.At(int64(i+1), int64(r.Games))
	}
	return nil
}
