package match

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kroo/games/oware"
	"kroo/internal/parallel"
)

// Opening is where a game between players begins: moves made from a position.
type Opening struct {
	Start oware.Position
	Moves []oware.Move
}

// Game is the game after the opening. It refuses moves that the rules do not
// allow.
func (o Opening) Game() (*oware.Game, error) {
	g := oware.NewGame(o.Start)
	for i, m := range o.Moves {
		if err := g.Play(m); err != nil {
			return nil, fmt.Errorf("ply %d: %w", i+1, err)
		}
	}
	return g, nil
}

// JudgedOpening is an opening with what its judge says of it.
type JudgedOpening struct {
	Opening
	Score int // centi-seeds for the player to move after it
}

// maxSuitePlies keeps a suite in memory: there are 683 970 positions at 8
// plies under abapa rules, and five times as many at 9.
const maxSuitePlies = 8

// Lines are all openings of that many plies (0 to 8) from the start that do
// not end the game, in alphabetical order of their moves. Of the lines that
// lead to one and the same position the first stands for all. (No position
// recurs so early: the board alone is what a line leads to.)
func Lines(r oware.Rules, plies int) ([]Opening, error) {
	if plies < 0 || plies > maxSuitePlies {
		return nil, fmt.Errorf("match: openings of %d plies: expected 0 to %d", plies, maxSuitePlies)
	}
	type line struct {
		at    oware.Position
		moves []oware.Move
	}
	lines := []line{{at: oware.Start(r)}}
	var legal []oware.Move
	for range plies {
		var next []line
		seen := map[int64]bool{}
		for _, l := range lines {
			legal = l.at.AppendMoves(legal[:0])
			for _, m := range legal {
				p := l.at.Play(m)
				if _, over := p.Terminal(); over || seen[p.Orbit()] {
					continue
				}
				seen[p.Orbit()] = true
				moves := make([]oware.Move, len(l.moves)+1)
				copy(moves, l.moves)
				moves[len(l.moves)] = m
				next = append(next, line{p, moves})
			}
		}
		lines = next
	}
	openings := make([]Opening, len(lines))
	for i, l := range lines {
		openings[i] = Opening{oware.Start(r), l.moves}
	}
	return openings, nil
}

// SuiteConfig says which openings make a suite.
type SuiteConfig struct {
	Rules   oware.Rules
	Plies   int    // of each opening, 0 to 8
	Bound   int    // keep |score| up to this, in centi-seeds, for either side
	N       int    // how many, drawn at random; 0 takes all that there are, in alphabetical order
	Seed    uint64 // of the draw
	Workers int    // positions judged at a time; 0 means runtime.GOMAXPROCS
}

// Judge gives the value of a position in centi-seeds for the player to move,
// as a search does. It is called from several goroutines at a time.
type Judge func(ctx context.Context, p oware.Position) (score int, err error)

// judgedAtOnce is how many positions are judged before it is looked at whether
// they are enough.
const judgedAtOnce = 256

// Suite judges the lines of that many plies and keeps the balanced ones. With
// N it judges them in random order until it has N: the first openings are the
// same for every N. It is an error that says how many there are if they are
// fewer. The suite depends on configuration and judge, not on the workers.
//
// Progress, which may be nil, is told how many openings were found of N, or,
// where N is 0, how many lines were judged of all.
func Suite(ctx context.Context, cfg SuiteConfig, judge Judge, progress func(done, total int64)) ([]JudgedOpening, error) {
	if err := cfg.check(judge); err != nil {
		return nil, err
	}
	lines, err := Lines(cfg.Rules, cfg.Plies)
	if err != nil {
		return nil, err
	}
	if cfg.N > 0 {
		random := rand.New(rand.NewPCG(cfg.Seed, 0))
		random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	}
	var kept []JudgedOpening
	for from := 0; from < len(lines) && (cfg.N == 0 || len(kept) < cfg.N); from += judgedAtOnce {
		chunk := lines[from:min(from+judgedAtOnce, len(lines))]
		scores, err := cfg.judgeAll(ctx, chunk, judge)
		if err != nil {
			return nil, err
		}
		for i, score := range scores {
			if max(score, -score) <= cfg.Bound && (cfg.N == 0 || len(kept) < cfg.N) {
				kept = append(kept, JudgedOpening{chunk[i], score})
			}
		}
		switch {
		case progress == nil:
		case cfg.N > 0:
			progress(int64(len(kept)), int64(cfg.N))
		default:
			progress(int64(from+len(chunk)), int64(len(lines)))
		}
	}
	if len(kept) == 0 || len(kept) < cfg.N {
		return nil, fmt.Errorf("match: only %d of %d openings of %d plies are within %d centi-seeds, %d wanted: allow a wider bound, or other plies",
			len(kept), len(lines), cfg.Plies, cfg.Bound, max(1, cfg.N))
	}
	return kept, nil
}

func (c *SuiteConfig) check(judge Judge) error {
	switch {
	case judge == nil:
		return fmt.Errorf("match: a judge of the openings is missing")
	case c.Rules > oware.Simple:
		return fmt.Errorf("match: unknown rules %s", c.Rules)
	case c.Bound < 0:
		return fmt.Errorf("match: bound of %d centi-seeds: expected 0 or more", c.Bound)
	case c.N < 0:
		return fmt.Errorf("match: %d openings: expected 0 (all) or more", c.N)
	case c.Workers < 0:
		return fmt.Errorf("match: %d workers: expected 0 (one a processor) or more", c.Workers)
	}
	return nil
}

// judgeAll gives the scores in the order of the lines.
func (c *SuiteConfig) judgeAll(ctx context.Context, lines []Opening, judge Judge) ([]int, error) {
	scores := make([]int, len(lines))
	err := parallel.Do(ctx, c.Workers, len(lines), func(ctx context.Context, _, i int) (err error) {
		scores[i], err = judgeLine(ctx, lines[i], judge)
		return err
	})
	return scores, err
}

func judgeLine(ctx context.Context, o Opening, judge Judge) (int, error) {
	g, err := o.Game()
	if err != nil {
		return 0, wrap(err)
	}
	score, err := judge(ctx, g.Position())
	if err != nil {
		return 0, fmt.Errorf("match: judging %s: %w", g.Position(), err)
	}
	return score, nil
}
