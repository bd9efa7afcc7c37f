package sampler

import (
	"context"
	"encoding/binary"
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
	number  int // from 1
	opening int // number of random plies at the beginning
	moves   []games.Move
	err     error // why it was not finished
}

// player plays games against itself.
type player[P search.Position[P]] struct {
	game     *games.Game[P]
	cfg      Config
	start    P
	searcher engine.Searcher[P]
	history  []P
	legal    []games.Move
}

// play plays a game, which depends only on its number and the configuration.
func (s *player[P]) play(ctx context.Context, number int) playedGame {
	rng := rand.New(rand.NewPCG(s.cfg.Seed, uint64(number)<<8|gamesStream))
	g := playedGame{number: number, opening: rng.IntN(*s.cfg.OpeningPlies + 1)}
	s.searcher.Clear()
	s.history = s.history[:0]
	line := s.game.NewLine(s.start)
	for p := s.start; ctx.Err() == nil && unfinished(line); p = line.Position() {
		var m games.Move
		if m, g.err = s.choose(ctx, p, rng, len(g.moves) < g.opening); g.err != nil {
			return g
		}
		if err := line.Play(m); err != nil {
			panic(fmt.Sprintf("sampler: game %d: %v", number, err)) // the search chose it
		}
		s.history = append(s.history, p)
		g.moves = append(g.moves, m)
	}
	return g
}

func unfinished[P games.Position[P]](line *games.Line[P]) bool {
	_, _, over := line.Over()
	return !over && line.Plies() < maxPlies
}

// choose returns a move: random in the opening and occasionally later, else by search.
func (s *player[P]) choose(ctx context.Context, p P, rng *rand.Rand, random bool) (games.Move, error) {
	s.legal = p.AppendMoves(s.legal[:0])
	if random || rng.Float64() < *s.cfg.RandomMoves {
		return s.legal[rng.IntN(len(s.legal))], nil
	}
	r, err := s.searcher.Search(ctx, p, s.history, s.cfg.Searches().Limits(), search.Query{})
	return r.Best, err
}

// selfPlay streams the positions of games. Games in the journal at path are not played again; new
// ones are added to it.
func selfPlay[P search.Position[P]](ctx context.Context, cfg Config, e *engine.Engine[P], path string) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		more := true
		err := eachGame(ctx, cfg, e, path, func(g playedGame) bool {
			more = yieldPositions(e.Kit.Game, cfg, g, yield)
			return more
		})
		if err != nil && more {
			yield(datasets.Row[P]{}, err)
		}
	}
}

var errEnough = errors.New("enough")

// eachGame passes on the games in order until take returns false.
func eachGame[P search.Position[P]](ctx context.Context, cfg Config, e *engine.Engine[P], path string, take func(playedGame) bool) (err error) {
	start, err := e.Kit.Game.Start(cfg.Rules)
	if err != nil {
		return err
	}
	known := 0
	j, err := journal.Open(path, "kroo-selfplay 2", cfg.gameSettings(e.Kit.Game.Name, e.Limits(), e.Eval.Name, e.Signature()), gameCodec, func(g playedGame) error {
		if known++; g.number != known {
			return fmt.Errorf("game %d where %d was expected", g.number, known)
		}
		if !take(g) {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
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
	for g := range parallel.Ordered(ctx, cfg.Workers, known+1, play) {
		if g.err != nil {
			return fmt.Errorf("game %d, ply %d: %w", g.number, len(g.moves)+1, g.err)
		}
		if err := j.Append(g); err != nil {
			return err
		}
		if !take(g) {
			return nil
		}
	}
	return ctx.Err()
}

// yieldPositions replays a game and yields the positions after its opening.
func yieldPositions[P search.Position[P]](g *games.Game[P], cfg Config, game playedGame, yield func(datasets.Row[P], error) bool) bool {
	p, err := g.Start(cfg.Rules)
	if err != nil {
		return yield(datasets.Row[P]{}, err)
	}
	line := g.NewLine(p)
	for _, m := range game.moves {
		if err := line.Play(m); err != nil {
			return yield(datasets.Row[P]{}, fmt.Errorf("game %d: %w", game.number, err))
		}
	}
	ended := outcomeOf(line, games.Unknown)
	pick := rand.New(rand.NewPCG(cfg.Seed, uint64(game.number)<<8|pickStream))
	for ply := 0; ; ply++ {
		cached := cfg.Every <= 1 || pick.IntN(cfg.Every) == 0
		if _, over := p.Terminal(); over || g.Phase(p) < *cfg.MinPhase {
			return true
		}
		if ply >= game.opening && cached && !yield(datasets.Row[P]{Position: p, Game: int32(game.number), Ply: int32(ply), Outcome: ended.For(g.SideToMove(p))}, nil) {
			return false
		}
		if ply == len(game.moves) {
			return true
		}
		p = p.Play(game.moves[ply])
	}
}

// gameSettings is everything that the games depend on.
func (c Config) gameSettings(game, limits, evaluation, signature string) any {
	return map[string]any{
		"game": game, "rules": c.Rules, "seed": c.Seed, "search": limits, "evaluation": evaluation,
		"opening_plies": *c.OpeningPlies, "random_moves": *c.RandomMoves, "engine": signature,
	}
}

// gameCodec writes a game as varints: number, opening, moves.
var gameCodec = journal.Codec[playedGame]{
	Append: func(b []byte, g playedGame) ([]byte, error) {
		b = binary.AppendUvarint(b, uint64(g.number))
		b = binary.AppendUvarint(b, uint64(g.opening))
		for _, m := range g.moves {
			b = binary.AppendUvarint(b, uint64(m))
		}
		return b, nil
	},
	Decode: func(b []byte) (g playedGame, err error) {
		var values []uint64
		for len(b) > 0 {
			v, n := binary.Uvarint(b)
			if n <= 0 || v > 1<<31-1 || len(values) > maxPlies+2 {
				return g, errors.New("not a game")
			}
			values, b = append(values, v), b[n:]
		}
		if len(values) < 2 {
			return g, errors.New("not a game")
		}
		g.number, g.opening = int(values[0]), int(values[1])
		for _, v := range values[2:] {
			g.moves = append(g.moves, games.Move(v))
		}
		return g, nil
	},
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
