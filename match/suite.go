package match

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/parallel"
)

// scoredOpening is an opening with its score.
type scoredOpening[P search.Position[P]] struct {
	Opening[P]
	Score int // centi-seeds for the side to move after it
}

// maxSuitePlies keeps a suite in memory: under abapa rules oware has 683 970 positions at 8 plies,
// and five times as many at 9.
const maxSuitePlies = 8

// lines returns all openings of that many plies (0 to 8) from the start that do not end the game, in
// the game's order of moves. The first represents all that lead to the same position; history does
// not matter, as in none of the games can a position recur so early.
func lines[P search.Position[P]](g *games.Game[P], rules string, plies int) ([]Opening[P], error) {
	if plies < 0 || plies > maxSuitePlies {
		return nil, fmt.Errorf("openings of %d plies: expected 0 to %d", plies, maxSuitePlies)
	}
	start, err := g.Start(rules)
	if err != nil {
		return nil, err
	}
	type line struct {
		at    P
		moves []games.Move
	}
	lines := []line{{at: start}}
	var legal []games.Move
	for range plies {
		var next []line
		seen := map[int64]bool{}
		for _, l := range lines {
			legal = l.at.AppendMoves(legal[:0])
			for _, m := range legal {
				p := l.at.Play(m)
				if _, over := p.Terminal(); over || seen[g.Orbit(p)] {
					continue
				}
				seen[g.Orbit(p)] = true
				moves := append(slices.Clone(l.moves), m)
				next = append(next, line{p, moves})
			}
		}
		lines = next
	}
	var openings []Opening[P]
	for _, l := range lines {
		openings = append(openings, Opening[P]{start, l.moves})
	}
	return openings, nil
}

// SuiteConfig configures the openings of a suite.
type SuiteConfig struct {
	Rules   string // "" means the game's default
	Plies   int    `name:"plies" default:"4" range:"0..8" help:"moves of each opening"`
	Bound   int    `name:"bound" default:"50" range:"0.." help:"largest score of either side, in centi-seeds"`
	N       int    `name:"number" flag:"number,n" range:"0.." help:"how many to draw at random (default all)"` // 0 takes all, in the game's order of moves
	Seed    uint64 `name:"seed" default:"1" help:"random seed: the same seed gives the same files"`
	Made    string // command for the header of the file; "" omits it
	Workers int    `name:"workers" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"`
}

// scorer returns the score of a position in centi-seeds for the side to move, by a search. It is
// called concurrently, each call with the number of its worker, from 0.
type scorer[P search.Position[P]] func(ctx context.Context, worker int, p P) (score int, err error)

// scoredAtOnce is the number of positions scored between checks for the number of openings.
const scoredAtOnce = 256

// suite scores the lines of that many plies and keeps the balanced ones. With N it scores them in
// random order until it has N: the first openings are the same for every N. If there are fewer, the
// error gives the number. The suite depends on the configuration and the scorer, not on the workers.
//
// Progress counts openings found out of N or, if N is 0, lines scored.
func suite[P search.Position[P]](ctx context.Context, g *games.Game[P], cfg SuiteConfig, score scorer[P], progress parallel.Progress) ([]scoredOpening[P], error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	rules, err := Config{Rules: cfg.Rules}.rulesOf(g.Info)
	if err != nil {
		return nil, err
	}
	lines, err := lines(g, rules, cfg.Plies)
	if err != nil {
		return nil, err
	}
	if cfg.N > 0 {
		random := rand.New(rand.NewPCG(cfg.Seed, 0))
		random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	}
	var kept []scoredOpening[P]
	progress.At(0, int64(cmp.Or(cfg.N, len(lines))))
	for from := 0; from < len(lines) && (cfg.N == 0 || len(kept) < cfg.N); from += scoredAtOnce {
		chunk := lines[from:min(from+scoredAtOnce, len(lines))]
		scores, err := scoreAll(ctx, g, cfg.Workers, chunk, score)
		if err != nil {
			return nil, err
		}
		for i, score := range scores {
			if max(score, -score) <= cfg.Bound && (cfg.N == 0 || len(kept) < cfg.N) {
				kept = append(kept, scoredOpening[P]{chunk[i], score})
			}
		}
		if cfg.N > 0 {
			progress.At(int64(len(kept)), int64(cfg.N))
		} else {
			progress.At(int64(from+len(chunk)), int64(len(lines)))
		}
	}
	if len(kept) == 0 || len(kept) < cfg.N {
		return nil, fmt.Errorf("only %d of %d openings of %d plies are within %d centi-seeds, %d wanted: allow a wider bound, or other plies",
			len(kept), len(lines), cfg.Plies, cfg.Bound, max(1, cfg.N))
	}
	return kept, nil
}

// Check returns an error for a suite that cannot be made.
func (c SuiteConfig) Check() error {
	switch {
	case c.Bound < 0:
		return fmt.Errorf("bound of %d centi-seeds: expected 0 or more", c.Bound)
	case c.N < 0:
		return fmt.Errorf("%d openings: expected 0 (all) or more", c.N)
	case c.Workers < 0:
		return fmt.Errorf("%d workers: expected 0 (one per processor) or more", c.Workers)
	}
	return nil
}

// scoreAll returns the scores in the order of the lines.
func scoreAll[P search.Position[P]](ctx context.Context, g *games.Game[P], workers int, lines []Opening[P], score scorer[P]) ([]int, error) {
	scores := make([]int, len(lines))
	err := parallel.Do(ctx, workers, len(lines), func(ctx context.Context, worker, i int) error {
		l, err := lines[i].line(g)
		if err != nil {
			return err
		}
		if scores[i], err = score(ctx, worker, l.Position()); err != nil {
			return fmt.Errorf("searching %s: %w", g.Print(l.Position()), err)
		}
		return nil
	})
	return scores, err
}
