package sampler

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kroo/datasets"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
)

// The streams of random numbers: methods draw independently even with the same seed.
const (
	uniformStream = 1
	ppsStream     = 2
	gamesStream   = 3
	pickStream    = 4
)

// random is the endless stream of positions drawn with replacement.
func random[P search.Position[P]](ctx context.Context, g *games.Game[P], cfg Config) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		draw, number, err := drawerFor(g, cfg)
		if err != nil {
			yield(datasets.Row[P]{}, err)
			return
		}
		rng := rand.New(rand.NewPCG(cfg.Seed, number))
		for {
			p, err := draw(rng)
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			if !yield(datasets.Row[P]{Position: p}, err) || err != nil {
				return
			}
		}
	}
}

// drawerFor returns what draws a position by a method, and the number of its random stream.
func drawerFor[P search.Position[P]](g *games.Game[P], cfg Config) (func(*rand.Rand) (P, error), uint64, error) {
	if cfg.Method == Uniform && cfg.Population == fromReachable {
		return func(rng *rand.Rand) (P, error) { return g.Random(rng, cfg.Rules) }, uniformStream, nil
	}
	if g.Name != owareName {
		return nil, 0, fmt.Errorf("method %s of the population %s is oware's: expected %s, %s for %s",
			cfg.Method, cfg.Population, Uniform, fromReachable, g.Name)
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

// owareName is the game of pps and the populations.
const owareName = "oware"

// Numbers of boards with either side to move, terminal ones included: of all boards; of those of
// Sala Soler 2014, who leaves out boards with one captured seed in total, C(61,13) − 2·C(58,11);
// and of those in which no store has exactly one seed.
const (
	allBoards       = oware.Ranks
	thesisBoards    = 6_110_837_699_295
	reachableBoards = 4_511_757_387_375
)

// owareDrawer draws from all boards and rejects those outside the population, which keeps the
// proportions among the others.
func owareDrawer(cfg Config) (func(*rand.Rand) (oware.Position, error), uint64, error) {
	r, err := oware.ParseRules(cfg.Rules)
	if err != nil {
		return nil, 0, err
	}
	number := uint64(uniformStream)
	propose := drawRank
	if cfg.Method == PPS {
		number = ppsStream
		propose = newPPS()
	}
	return func(rng *rand.Rand) (oware.Position, error) {
		for {
			p, err := propose(rng, r)
			if err != nil {
				return p, err
			}
			if _, over := p.Terminal(); !over && (cfg.Population == Thesis || p.Reachable()) {
				return p, nil
			}
		}
	}, number, nil
}

// drawRank draws a board, all equally likely, with South to move.
func drawRank(rng *rand.Rand, r oware.Rules) (oware.Position, error) {
	return oware.Unrank(r, rng.Int64N(oware.Ranks), oware.South)
}

// newPPS proposes a layer, the boards with c captured seeds, with probability proportional to c
// times its number of boards; then one of its boards: a division of the captured seeds and an
// arrangement of the others.
func newPPS() func(*rand.Rand, oware.Rules) (oware.Position, error) {
	var upTo [oware.Seeds + 1]int64 // cumulative weights of the layers
	sum := int64(0)
	for c := range upTo {
		sum += int64(c) * int64(c+1) * arrangements(oware.Seeds-c)
		upTo[c] = sum
	}
	return func(rng *rand.Rand, r oware.Rules) (oware.Position, error) {
		captured := 0
		at := rng.Int64N(sum)
		for upTo[captured] <= at {
			captured++
		}
		south := rng.IntN(captured + 1)
		return oware.New(r, arrange(rng, oware.Seeds-captured), [2]int{south, captured - south}, oware.South)
	}
}

// arrangements is the number of ways to put n seeds into twelve houses, C(n+11, 11).
func arrangements(n int) int64 {
	a := int64(1)
	for k := int64(1); k < 2*oware.Houses; k++ {
		a = a * (int64(n) + k) / k // a binomial coefficient after every step
	}
	return a
}

// arrange puts n seeds into twelve houses, every arrangement equally likely: in a row of n seeds
// and 11 walls, the next item is a wall with probability walls left / items left.
func arrange(rng *rand.Rand, n int) (houses [2 * oware.Houses]int) {
	walls := len(houses) - 1
	at := 0
	for left := n + walls; left > 0; left-- {
		if rng.IntN(left) < walls {
			walls--
			at++
		} else {
			houses[at]++
		}
	}
	return houses
}
