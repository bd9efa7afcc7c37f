package sampler

import (
	"context"
	"errors"
	"fmt"
	"iter"
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
		p := line.Position()
		m, err := s.choose(ctx, p, rng, len(g.Moves) < g.Opening)
		if err != nil {
			g.err = err
			return g
		}
		if err := line.Play(m); err != nil {
			panic(fmt.Sprintf("sampler: game %d: %v", number, err)) // the search chose it
		}
		s.history = append(s.history, p)
		g.Moves = append(g.Moves, m)
	}
	return g
}

// choose chooses a move at random, or by a search of the position after the player's history.
func (s *player[P]) choose(ctx context.Context, p P, rng *rand.Rand, isOpening bool) (games.Move, error) {
	if isOpening || rng.Float64() < *s.cfg.RandomMoves {
		legal := p.AppendMoves(nil)
		return legal[rng.IntN(len(legal))], nil
	}
	r, err := s.searcher.Search(ctx, p, s.history, s.cfg.Searches().Limits(), search.Query{})
	return r.Best, err
}

// maxBarren is the number of consecutive games without a position to take that ends self-play: the
// configuration may exclude all.
const maxBarren = 1000

// selfPlay streams the positions of games. Games in the journal at path are not played again; new
// ones are added to it.
func selfPlay[P search.Position[P]](ctx context.Context, cfg Config, e *engine.Engine[P], path string) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		for taken, err := range rowsByGame(ctx, cfg, e, path) {
			if err != nil {
				yield(datasets.Row[P]{}, err)
				return
			}
			for _, row := range taken.rows {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// rowsByGame yields the rows of each game. It ends with an error after maxBarren games in a row without
// a position to take.
func rowsByGame[P search.Position[P]](
	ctx context.Context, cfg Config, e *engine.Engine[P], path string,
) iter.Seq2[gameRows[P], error] {
	return func(yield func(gameRows[P], error) bool) {
		barren := 0 // games in a row
		for played, err := range recordGames(ctx, cfg, e, path) {
			if err != nil {
				yield(gameRows[P]{}, err)
				return
			}
			taken, err := rowsOf(e.Kit.Game, cfg, played)
			barren++
			if taken.candidates > 0 {
				barren = 0
			}
			if err == nil && barren == maxBarren {
				err = fmt.Errorf("%d games in a row had no position of at least %d %s after the random moves of the opening",
					maxBarren, *cfg.MinPhase, e.Kit.Game.PhaseName)
			}
			if !yield(taken, err) || err != nil {
				return
			}
		}
	}
}

// recordGames yields the games in order: those in the journal at path, then new ones, which it adds
// to the journal. An error ends it.
func recordGames[P search.Position[P]](
	ctx context.Context, cfg Config, e *engine.Engine[P], path string,
) iter.Seq2[playedGame, error] {
	return func(yield func(playedGame, error) bool) {
		l, err := openGameLog(path, gameSettings(cfg, e), yield)
		if errors.Is(err, errEnough) {
			return
		}
		if err != nil {
			yield(playedGame{}, err)
			return
		}
		more := l.extend(newGames(ctx, cfg, e, l.known+1), yield)
		err = l.Close()
		if more && err != nil {
			yield(playedGame{}, err)
		}
	}
}

// gameLog is a journal of games, which are numbered from 1.
type gameLog struct {
	*journal.Journal[playedGame]
	known int // games that it had
}

// errEnough ends the reading of a journal whose further games nobody wants.
var errEnough = errors.New("enough")

// openGameLog opens a journal and yields its games. The error is errEnough if yield wants no more.
func openGameLog(path string, settings any, yield func(playedGame, error) bool) (l gameLog, err error) {
	l.Journal, err = journal.Open(path, "kroo-selfplay 3", settings, journal.JSON[playedGame](), func(g playedGame) error {
		l.known++
		if g.Number != l.known {
			return fmt.Errorf("game %d where %d was expected", g.Number, l.known)
		}
		if !yield(g, nil) {
			return errEnough
		}
		return nil
	})
	return l, err
}

// extend adds games to the journal and yields them. It reports whether yield wants more: not after an
// error.
func (l gameLog) extend(list iter.Seq2[playedGame, error], yield func(playedGame, error) bool) (more bool) {
	for g, err := range list {
		if err == nil {
			err = l.Append(g)
		}
		if !yield(g, err) || err != nil {
			return false
		}
	}
	return true
}

// gameSettings is all that the games depend on.
func gameSettings[P search.Position[P]](cfg Config, e *engine.Engine[P]) map[string]any {
	return map[string]any{
		"game": e.Kit.Game.Name, "rules": cfg.Rules, "seed": cfg.Seed, "search": e.LimitsText(), "evaluation": e.Eval.Name,
		"opening_plies": *cfg.OpeningPlies, "random_moves": *cfg.RandomMoves, "engine": e.Signature(),
	}
}

// newGames plays games and yields them in order, from the given number on. It ends with an error: of
// a game, or the context's.
func newGames[P search.Position[P]](
	ctx context.Context, cfg Config, e *engine.Engine[P], first int,
) iter.Seq2[playedGame, error] {
	return func(yield func(playedGame, error) bool) {
		players, err := newPlayers(cfg, e)
		if err != nil {
			yield(playedGame{}, err)
			return
		}
		for g := range parallel.RunInOrder(ctx, cfg.Workers, first, players.play) {
			if g.err != nil {
				yield(g, fmt.Errorf("game %d, ply %d: %w", g.Number, len(g.Moves)+1, g.err))
				return
			}
			if !yield(g, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(playedGame{}, err)
		}
	}
}

// players are the workers' players, each made when its worker plays its first game.
type players[P search.Position[P]] struct {
	cfg    Config
	engine *engine.Engine[P]
	start  P
	list   []*player[P] // by worker
}

func newPlayers[P search.Position[P]](cfg Config, e *engine.Engine[P]) (*players[P], error) {
	start, err := e.Kit.Game.Start(cfg.Rules)
	if err != nil {
		return nil, err
	}
	list := make([]*player[P], parallel.Workers(cfg.Workers))
	return &players[P]{cfg, e, start, list}, e.CheckMemory(len(list))
}

func (s *players[P]) play(ctx context.Context, worker, number int) playedGame {
	if s.list[worker] == nil {
		s.list[worker] = &player[P]{game: s.engine.Kit.Game, cfg: s.cfg, start: s.start, searcher: s.engine.NewSearcher()}
	}
	return s.list[worker].play(ctx, number)
}

// gameRows are the rows that a sample takes from a game.
type gameRows[P search.Position[P]] struct {
	rows       []datasets.Row[P]
	candidates int // positions that it could take: Config.Every takes some of them
}

// rowsOf replays a game and takes rows from the positions after its opening.
func rowsOf[P search.Position[P]](g *games.Game[P], cfg Config, played playedGame) (taken gameRows[P], err error) {
	start, err := g.Start(cfg.Rules)
	if err != nil {
		return taken, err
	}
	line := g.NewLine(start)
	for _, m := range played.Moves {
		if err := line.Play(m); err != nil {
			return taken, fmt.Errorf("game %d: %w", played.Number, err)
		}
	}
	outcome := outcomeOf(line, games.Unknown)
	rng := rand.New(rand.NewPCG(cfg.Seed, uint64(played.Number)<<8|pickStream))
	for ply, p := range positionsOf(line) {
		isPicked := cfg.Every <= 1 || rng.IntN(cfg.Every) == 0 // draws for every position, also those left out
		if ply < played.Opening || !isCandidate(g, cfg, p) {
			continue
		}
		taken.candidates++
		if isPicked {
			taken.rows = append(taken.rows, gameRow(g, p, played.Number, ply, outcome))
		}
	}
	return taken, nil
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
