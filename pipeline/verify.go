package pipeline

import (
	"context"
	"math/rand/v2"

	"kroo/endgame"
	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// VerifyRequest says how thoroughly a table is checked.
type VerifyRequest struct {
	Recompute int // build levels of up to so many seeds anew
	PlaySeeds int // play positions of up to so many out
	Games     int // against each opponent
	Seed      uint64
	Random    *rand.Rand // made of Seed
}

// EndgameCheck is one way of checking a table.
type EndgameCheck struct {
	Name, Unit string
	Run        func(context.Context, *endgame.Table, VerifyRequest, Progress) error
}

// EndgameChecks are all of them, in order.
var EndgameChecks = []EndgameCheck{
	{"entries follow from their successors", "positions", func(ctx context.Context, t *endgame.Table, _ VerifyRequest, progress Progress) error {
		return t.Verify(ctx, progress)
	}},
	{"small levels built anew are the same", "positions", func(ctx context.Context, t *endgame.Table, r VerifyRequest, progress Progress) error {
		return t.Recompute(ctx, r.Recompute, progress)
	}},
	{"promises are kept against a random player", "games", func(ctx context.Context, t *endgame.Table, r VerifyRequest, progress Progress) error {
		return playOut(ctx, t, r, progress, func(g *oware.Game) oware.Move {
			moves := g.Position().AppendMoves(nil)
			return moves[r.Random.IntN(len(moves))]
		})
	}},
	{"promises are kept against the engine", "games", func(ctx context.Context, t *endgame.Table, r VerifyRequest, progress Progress) error {
		s := search.NewSearcher(search.Knowledge[oware.Position]{Eval: evaluations.Captures{}}, search.Options{HashMB: 1})
		return playOut(ctx, t, r, progress, func(g *oware.Game) oware.Move {
			return s.Search(context.Background(), g.Position(), g.History(), search.Limits{Nodes: 2000}, search.Query{}).Best
		})
	}},
}

// playOut plays random positions of the table out.
func playOut(ctx context.Context, t *endgame.Table, r VerifyRequest, progress Progress, opponent endgame.Opponent) error {
	seeds := min(r.PlaySeeds, t.Seeds())
	if seeds < 1 {
		return nil
	}
	s, err := endgame.NewStrategy(ctx, t.Rules(), t.Bounds(), seeds)
	if err != nil {
		return err
	}
	for i := range r.Games {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := 1 + r.Random.IntN(seeds)
		p := endgame.PositionAt(t.Rules(), n, r.Random.IntN(endgame.Positions(n)))
		if err := s.PlayOut(p, r.Random.IntN(2) == 0, opponent); err != nil {
			return err
		}
		progress(int64(i+1), int64(r.Games))
	}
	return nil
}
