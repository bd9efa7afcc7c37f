package sampler

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

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

// drawer draws one position.
type drawer[P any] func(*rand.Rand) (P, error)

// random is the endless stream of positions drawn with replacement.
func random[P search.Position[P]](ctx context.Context, g *games.Game[P], cfg Config) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		draw, number, err := drawerFor(g, cfg)
		rng := rand.New(rand.NewPCG(cfg.Seed, number))
		for more := true; more; {
			var d datasets.Row[P]
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				d.Position, err = draw(rng)
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

// share is a part of a mix.
type share struct {
	method string
	part   float64 // fraction of the whole, after parseShares
	n      int     // positions
}

// parseShares parses "games=0.7,uniform=0.3". Shares are relative: 7 and 3 mean the same.
func parseShares(text string) (list []share, err error) {
	sum := 0.0
	for word := range strings.SplitSeq(text, ",") {
		method, number, _ := strings.Cut(strings.TrimSpace(word), "=")
		part, err := strconv.ParseFloat(number, 64)
		again := slices.ContainsFunc(list, func(s share) bool { return s.method == method })
		if err != nil || again || method == Mix || !slices.Contains(methods, method) || !(part > 0 && part <= 1e6) {
			return nil, fmt.Errorf("the share %.40q: expected a method, once, and its share, as in games=0.7,uniform=0.3", word)
		}
		list = append(list, share{method: method, part: part})
		sum += part
	}
	for i := range list {
		list[i].part /= sum
	}
	return list, nil
}

// divide splits n positions among the shares by the method of largest remainders.
func divide(list []share, n int) []share {
	left := n
	order := make([]int, len(list))
	for i := range list {
		list[i].n = int(list[i].part * float64(n))
		left -= list[i].n
		order[i] = i
	}
	rest := func(i int) float64 { _, frac := math.Modf(list[i].part * float64(n)); return frac }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rest(j), rest(i)) })
	for k := range left {
		list[order[k%len(order)]].n++
	}
	return list
}

// uses reports whether a configuration draws by a method, alone or in a mix.
func (c Config) uses(method string) bool {
	if c.Method != Mix {
		return c.Method == method
	}
	list, _ := parseShares(c.Shares)
	return slices.ContainsFunc(list, func(s share) bool { return s.method == method })
}
