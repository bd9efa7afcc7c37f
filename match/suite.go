package match

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/parallel"
	"kroo/internal/spec"
)

// SuiteConfig configures the openings of a suite.
type SuiteConfig struct {
	Plies   int    `name:"plies" default:"4" range:"0..8" help:"moves of each opening"` // more do not fit into memory: oware has 683 970 positions at 8 plies
	Bound   int    `name:"bound" default:"50" range:"0.." help:"largest score of either side, in centi-seeds"`
	N       int    `name:"number" flag:"number,n" range:"0.." help:"how many to draw at random (default all)"` // 0 takes all, in the game's order of moves
	Seed    uint64 `name:"seed" default:"1" help:"random seed: the same seed gives the same files"`
	Made    string // command for the header of the file; "" omits it
	Workers int    `name:"workers" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"`
}

// MakeOpenings scores openings with the engine and writes the balanced ones to out, as OGN whose
// tags describe the search. It returns their number.
func MakeOpenings[P search.Position[P]](ctx context.Context, e *engine.Engine[P], c SuiteConfig, out string, progress parallel.Progress) (int, error) {
	if err := atomicfile.Check(out); err != nil {
		return 0, err
	}
	pool, err := e.Searchers(c.Workers)
	if err != nil {
		return 0, err
	}
	suite, err := scores[P]{e.Kit.Game, pool, e.Spec.Search.Limits()}.suite(ctx, e.Rules, c, progress)
	if err != nil {
		return 0, err
	}
	return len(suite), writeSuite(out, e.Kit.Game, suite, c.Made, provenance(e, c)...)
}

// scores scores positions by searches.
type scores[P search.Position[P]] struct {
	game   *games.Game[P]
	pool   engine.Pool[P]
	limits search.Limits
}

// of returns the scores of openings, in centi-seeds for the side to move after them.
func (s scores[P]) of(ctx context.Context, openings []Opening[P]) ([]int, error) {
	var jobs []engine.Job[P]
	for i, o := range openings {
		l, err := o.line(s.game)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, engine.Job[P]{Number: i, Position: l.Position(), Limits: s.limits})
	}
	list := make([]int, len(jobs))
	return list, s.pool.Search(ctx, parallel.List(jobs), func(j engine.Job[P], a engine.Answer) error {
		list[j.Number] = a.Score
		return nil
	})
}

// scoredOpening is an opening with its score.
type scoredOpening[P search.Position[P]] struct {
	Opening[P]
	Score int // centi-seeds for the side to move after it
}

// scoredAtOnce is the number of positions scored between checks for the number of openings.
const scoredAtOnce = 256

// suite scores the lines of c.Plies plies and keeps the balanced ones. With N it scores them in
// random order until it has N: the first openings are the same for every N. If there are fewer, the
// error gives the number. The suite depends on the configuration and the scores, not on the workers.
//
// Progress counts openings found out of N or, if N is 0, lines scored.
func (s scores[P]) suite(ctx context.Context, rules string, c SuiteConfig, progress parallel.Progress) (kept []scoredOpening[P], err error) {
	if err := spec.Check(&c); err != nil {
		return nil, err
	}
	lines, err := lines(s.game, rules, c.Plies)
	if err != nil {
		return nil, err
	}
	if c.N > 0 {
		random := rand.New(rand.NewPCG(c.Seed, 0))
		random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	}
	enough := func() bool { return c.N > 0 && len(kept) >= c.N }
	progress.At(0, int64(cmp.Or(c.N, len(lines))))
	for from := 0; from < len(lines) && !enough(); from += scoredAtOnce {
		chunk := lines[from:min(from+scoredAtOnce, len(lines))]
		found, err := s.of(ctx, chunk)
		if err != nil {
			return nil, err
		}
		for i, score := range found {
			if max(score, -score) <= c.Bound && !enough() {
				kept = append(kept, scoredOpening[P]{chunk[i], score})
			}
		}
		if c.N > 0 {
			progress.At(int64(len(kept)), int64(c.N))
		} else {
			progress.At(int64(from+len(chunk)), int64(len(lines)))
		}
	}
	if len(kept) == 0 || len(kept) < c.N {
		return nil, fmt.Errorf("only %d of %d openings of %d plies are within %d centi-seeds, %d wanted: allow a wider bound, or other plies",
			len(kept), len(lines), c.Plies, c.Bound, max(1, c.N))
	}
	return kept, nil
}

// lines returns all openings of that many plies from the start that do not end the game, in the
// game's order of moves. The first represents all that lead to the same position; history does not
// matter, as in none of the games can a position recur so early.
func lines[P search.Position[P]](g *games.Game[P], rules string, plies int) ([]Opening[P], error) {
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
				next = append(next, line{p, append(slices.Clone(l.moves), m)})
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

// provenance returns tags that describe how the openings of a file were found.
func provenance[P search.Position[P]](e *engine.Engine[P], c SuiteConfig) []games.Tag {
	draw := "all"
	if c.N > 0 {
		draw = strconv.Itoa(c.N) + ", seed " + strconv.FormatUint(c.Seed, 10)
	}
	return []games.Tag{
		{Name: "Event", Value: "openings of " + strconv.Itoa(c.Plies) + " plies within " + strconv.Itoa(c.Bound) + " centi-seeds"},
		{Name: "Draw", Value: draw},
		{Name: "Limits", Value: e.Limits()},
		{Name: "Engine", Value: e.Signature()},
		{Name: "Evaluator", Value: e.Eval.Name},
	}
}
