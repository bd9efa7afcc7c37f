package sampler

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kroo/engine/search"
	"kroo/games"
)

// The streams of random numbers: methods draw independently even with the same seed.
const (
	uniformStream = 1
	ppsStream     = 2
	gamesStream   = 3
	pickStream    = 4
	bookStream    = 5
)

// drawer draws one position.
type drawer[P any] func(*rand.Rand) (P, error)

// random is the endless stream of positions drawn with replacement.
func random[P search.Position[P]](ctx context.Context, g *games.Game[P], cfg Config) stream[P] {
	return func(yield func(drawn[P], error) bool) {
		draw, number, err := drawerFor(g, cfg)
		rng := rand.New(rand.NewPCG(cfg.Seed, number))
		for more := true; more; {
			var d drawn[P]
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				d.position, err = draw(rng)
			}
			more = yield(d, err) && err == nil
		}
	}
}

// drawerFor returns a method's drawer and the number of its random stream.
func drawerFor[P search.Position[P]](g *games.Game[P], cfg Config) (drawer[P], uint64, error) {
	if cfg.Method == Uniform && cfg.Population == fromReachable {
		return func(rng *rand.Rand) (P, error) { return g.Random(rng, cfg.Rules) }, uniformStream, nil
	}
	if g.Name != owareName {
		return nil, 0, fmt.Errorf("method %s of the population %s is oware's: expected %s, %s for %s", cfg.Method, cfg.Population, Uniform, fromReachable, g.Name)
	}
	draw, number, err := owareDrawer(cfg)
	return func(rng *rand.Rand) (p P, err error) {
		drawn, err := draw(rng)
		if err != nil {
			return p, err
		}
		return g.FromKey(cfg.Rules, drawn.BookKey())
	}, number, err
}
