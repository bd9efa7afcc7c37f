package sampler

import (
	"math/rand/v2"

	"kroo/games/oware"
)

// owareName is the game of pps and the populations.
const owareName = "oware"

// Numbers of boards with either side to move, terminal ones included: of all boards; of those of
// Sala Soler 2014, who leaves out boards with one captured seed in total, C(61,13) − 2·C(58,11);
// and of those in which no store has exactly one seed.
const (
	AllBoards       = oware.Ranks
	ThesisBoards    = 6_110_837_699_295
	ReachableBoards = 4_511_757_387_375
)

// owareDrawer draws from all boards and rejects those outside the population, which keeps the
// proportions among the others.
func owareDrawer(cfg Config) (drawer[oware.Position], uint64, error) {
	r, err := oware.ParseRules(cfg.Rules)
	if err != nil {
		return nil, 0, err
	}
	propose, number := newUniform(), uint64(uniformStream)
	if cfg.Method == PPS {
		propose, number = newPPS(), ppsStream
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

// proposal draws a board with the method's probabilities among all boards, including those outside
// the population.
type proposal func(*rand.Rand, oware.Rules) (oware.Position, error)

func newUniform() proposal {
	return func(rng *rand.Rand, r oware.Rules) (oware.Position, error) {
		return oware.Unrank(r, rng.Int64N(oware.Ranks), oware.South)
	}
}

// newPPS proposes a layer, the boards with c captured seeds, with probability proportional to c
// times its number of boards; then one of its boards: a division of the captured seeds and an
// arrangement of the others.
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

// layerWeights returns the cumulative weights of the layers 0…c.
func layerWeights() (upTo [oware.Seeds + 1]int64) {
	var sum int64
	for c := range upTo {
		sum += int64(c) * int64(c+1) * arrangements(oware.Seeds-c)
		upTo[c] = sum
	}
	return upTo
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
