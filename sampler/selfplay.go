package sampler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/journal"
	"kroo/internal/parallel"
)

// maxPlies limits the length of a game that the rules do not end.
const maxPlies = 1000

// playedGame is a game of self-play from the start position.
type playedGame struct {
	Number  int          `json:"number"`  // from 1
	Opening int          `json:"opening"` // number of random plies at the beginning
	Moves   []games.Move `json:"moves"`
	err     error        // why it was not finished
}

// player plays games against itself.
type player[P search.Position[P]] struct {
	game     *games.Game[P]
	cfg      Config
	start    P
	searcher engine.Searcher[P]
	history  []P
}

// play plays a game, which depends only on its number and the configuration.
func (s *player[P]) play(ctx context.Context, number int) playedGame {
	rng := rand.New(rand.NewPCG(s.cfg.Seed, uint64(number)<<8|gamesStream))
	g := playedGame{Number: number, Opening: rng.IntN(*s.cfg.OpeningPlies + 1)}
	s.searcher.Clear()
	s.history = s.history[:0]
	line := s.game.NewLine(s.start)
	for line.Plies() < maxPlies && ctx.Err() == nil {
		if _, _, over := line.Over(); over {
			break
		}
		p, legal := line.Position(), line.Position().AppendMoves(nil)
		var m games.Move
		if len(g.Moves) < g.Opening || rng.Float64() < *s.cfg.RandomMoves {
			m = legal[rng.IntN(len(legal))]
		} else {
			r, err := s.searcher.Search(ctx, p, s.history, s.cfg.Searches().Limits(), search.Query{})
			if m, g.err = r.Best, err; err != nil {
				return g
			}
		}
		if err := line.Play(m); err != nil {
			panic(fmt.Sprintf("sampler: game %d: %v", number, err)) // the search chose it
		}
		s.history = append(s.history, p)
		g.Moves = append(g.Moves, m)
	}
	return g
}

// selfPlay streams the positions of games. Games in the journal at path are not played again; new
// ones are added to it.
func selfPlay[P search.Position[P]](ctx context.Context, cfg Config, e *engine.Engine[P], path string) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		err := eachGame(ctx, cfg, e, path, func(g playedGame) error {
			if !yieldPositions(e.Kit.Game, cfg, g, yield) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(datasets.Row[P]{}, err)
		}
	}
}

var errEnough = errors.New("enough")

// eachGame passes on the games in order until take returns an error.
func eachGame[P search.Position[P]](
	ctx context.Context, cfg Config, e *engine.Engine[P], path string, take func(playedGame) error,
) (err error) {
	start, err := e.Kit.Game.Start(cfg.Rules)
	if err != nil {
		return err
	}
	settings := map[string]any{ // all that the games depend on
		"game": e.Kit.Game.Name, "rules": cfg.Rules, "seed": cfg.Seed, "search": e.Limits(), "evaluation": e.Eval.Name,
		"opening_plies": *cfg.OpeningPlies, "random_moves": *cfg.RandomMoves, "engine": e.Signature(),
	}
	known := 0
	j, err := journal.Open(path, "kroo-selfplay 3", settings, journal.JSON[playedGame](), func(g playedGame) error {
		if known++; g.Number != known {
			return fmt.Errorf("game %d where %d was expected", g.Number, known)
		}
		return take(g)
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	players := make([]*player[P], parallel.Workers(cfg.Workers))
	if err := e.CheckMemory(len(players)); err != nil {
		return err
	}
	play := func(ctx context.Context, worker, number int) playedGame {
		if players[worker] == nil {
			players[worker] = &player[P]{game: e.Kit.Game, cfg: cfg, start: start, searcher: e.NewSearcher()}
		}
		return players[worker].play(ctx, number)
	}
	for g := range parallel.RunInOrder(ctx, cfg.Workers, known+1, play) {
		if g.err != nil {
			return fmt.Errorf("game %d, ply %d: %w", g.Number, len(g.Moves)+1, g.err)
		}
		if err := j.Append(g); err != nil {
			return err
		}
		if err := take(g); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// yieldPositions replays a game and yields the positions after its opening.
func yieldPositions[P search.Position[P]](
	g *games.Game[P], cfg Config, game playedGame, yield func(datasets.Row[P], error) bool,
) bool {
	p, err := g.Start(cfg.Rules)
	if err != nil {
		return yield(datasets.Row[P]{}, err)
	}
	line := g.NewLine(p)
	for _, m := range game.Moves {
		if err := line.Play(m); err != nil {
			return yield(datasets.Row[P]{}, fmt.Errorf("game %d: %w", game.Number, err))
		}
	}
	pick := rand.New(rand.NewPCG(cfg.Seed, uint64(game.Number)<<8|pickStream))
	return yieldLine(g, cfg, line, game.Number, outcomeOf(line, games.Unknown), func(ply int) bool {
		picked := cfg.Every <= 1 || pick.IntN(cfg.Every) == 0
		return picked && ply >= game.Opening
	}, yield)
}

// outcomeOf is a game's outcome for the side that moves first: by the rules, or, without a margin, by
// its record.
func outcomeOf[P games.Position[P]](line *games.Line[P], result string) datasets.Outcome {
	if diff, _, over := line.Over(); over {
		return datasets.OutcomeOf(diff)
	}
	return datasets.Outcome{Result: map[string]datasets.Result{
		games.FirstWins: datasets.Win, games.SecondWins: datasets.Loss, games.DrawnGame: datasets.Draw,
	}[result]}
}
