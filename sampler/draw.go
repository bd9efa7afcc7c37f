package sampler

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kroo/games/oware"
)

// batch is the number of positions between two reports of progress.
const batch = 1 << 12

// Draw draws cfg.N positions. progress, which may be nil, is told now and then
// how many are done.
func Draw(cfg Config, progress func(done, total int64)) ([]oware.Position, error) {
	return draw(context.Background(), cfg, progress)
}

func draw(ctx context.Context, cfg Config, progress func(done, total int64)) ([]oware.Position, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	propose, stream := newUniform(), uint64(1)
	if cfg.Method == PPS {
		propose, stream = newPPS(), 2
	}
	rng := rand.New(rand.NewPCG(cfg.Seed, stream)) // the methods draw apart even from one seed
	out := make([]oware.Position, 0, cfg.N)
	for len(out) < cfg.N {
		if len(out)%batch == 0 {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("sampler: stopped after %d of %d positions: %w", len(out), cfg.N, err)
			}
			if progress != nil {
				progress(int64(len(out)), int64(cfg.N))
			}
		}
		p, err := drawOne(rng, cfg.Rules, propose)
		if err != nil {
			return nil, fmt.Errorf("sampler: %w", err)
		}
		out = append(out, p)
	}
	if progress != nil {
		progress(int64(cfg.N), int64(cfg.N))
	}
	return out, nil
}

// proposal draws a board with the method's probabilities among all boards,
// those included that do not qualify.
type proposal func(*rand.Rand, oware.Rules) (oware.Position, error)

// drawOne proposes until a position qualifies. Starting over with a wholly new
// proposal keeps the proportions among those that do.
func drawOne(rng *rand.Rand, r oware.Rules, propose proposal) (oware.Position, error) {
	for {
		p, err := propose(rng, r)
		if err != nil {
			return p, err
		}
		if _, over := p.Terminal(); !over && p.Reachable() {
			return p, nil
		}
	}
}

func newUniform() proposal {
	return func(rng *rand.Rand, r oware.Rules) (oware.Position, error) {
		return oware.Unrank(r, rng.Int64N(oware.Ranks), oware.South)
	}
}

// newPPS proposes a layer, the boards with c seeds captured, with a probability
// proportional to c times its number of boards, then one of its boards: a
// division of the captured seeds and an arrangement of the others.
func newPPS() proposal {
	upTo := layerWeights()
	return func(rng *rand.Rand, r oware.Rules) (oware.Position, error) {
		captured, at := 0, rng.Int64N(upTo[oware.Seeds])
		for upTo[captured] <= at {
			captured++
		}
		south := rng.IntN(captured + 1)
		return oware.New(r, arrange(rng, oware.Seeds-captured), [2]int{south, captured - south}, oware.South)
	}
}

// layerWeights is, for every c, the sum of the weights of the layers 0…c.
func layerWeights() (upTo [oware.Seeds + 1]int64) {
	var sum int64
	for c := range upTo {
		sum += int64(c) * int64(c+1) * arrangements(oware.Seeds-c)
		upTo[c] = sum
	}
	return upTo
}

// arrangements is the number of ways to put n seeds into twelve houses,
// C(n+11, 11).
func arrangements(n int) int64 {
	a := int64(1)
	for k := int64(1); k < 2*oware.Houses; k++ {
		a = a * (int64(n) + k) / k // a binomial coefficient after every step
	}
	return a
}

// arrange puts n seeds into twelve houses, every arrangement equally likely:
// of n seeds and 11 walls in a row, each next one is a wall with the
// probability walls left over things left.
func arrange(rng *rand.Rand, n int) (houses [2 * oware.Houses]int) {
	walls, at := len(houses)-1, 0
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
