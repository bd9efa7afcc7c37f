// Package programs searches with other programs that speak UCI, as a pool of the engine's
// ([engine.Pool]): what has Kroo's engine label positions has any program do so.
//
// Score, depth and nodes are the program's word: a score is hundredths of the game's unit
// (of a seed in oware) for the side to move, at most [search.MaxHeuristic], since none is
// proven: not even a mate. A program gives no exact scores of other moves. Each search begins after ucinewgame, with
// no history: whether its answers depend on earlier searches is the program's affair.
package programs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/internal/oneline"
	"kroo/internal/parallel"
)

// Pool is a pool of processes of one program.
type Pool[P search.Position[P]] struct {
	game    *games.Game[P]
	command client.Command
	workers int
	name    string
	sha256  string

	mu    sync.Mutex
	rules func() *search.Searcher[P]
}

// punctual is how late an answer may come: longer than in a match, as nothing is lost.
const punctual = 5 * time.Second

// New prepares so many processes of a program, one a processor if workers is not positive.
// It starts the program once, to learn its name. newSearcher makes the searcher for
// positions where the game is over: the protocol cannot ask for them.
func New[P search.Position[P]](ctx context.Context, g *games.Game[P], command client.Command, workers int, newSearcher func() *search.Searcher[P]) (*Pool[P], error) {
	if command.Protocol == client.CG {
		return nil, fmt.Errorf("a program of protocol=%s tells moves without scores: expected one that speaks UCI", command.Protocol)
	}
	command.Margin = cmp.Or(command.Margin, punctual)
	p := &Pool[P]{game: g, command: command, workers: parallel.Workers(workers), rules: sync.OnceValue(newSearcher)}
	c, err := client.Start(ctx, g, command)
	if err != nil {
		return nil, err
	}
	c.Close()
	p.name = oneline.Short(cmp.Or(c.Name(), filepath.Base(command.Path)))
	p.sha256, err = command.SHA256()
	return p, err
}

// Name is what the program calls itself.
func (p *Pool[P]) Name() string { return p.name }

// Signature tells programs apart whose answers may differ: command, options, and the
// SHA-256 of the file that runs.
func (p *Pool[P]) Signature() string {
	return fmt.Sprintf("%q, SHA-256 %s", p.command.Words(), p.sha256)
}

// Search is as [engine.Pool] says. A program that fails at a position is started once
// more; when it fails again, that is the error.
func (p *Pool[P]) Search(ctx context.Context, feed engine.Feed[P], done func(engine.Job[P], search.Result) error) error {
	running := make([]*client.Client[P], p.workers)
	defer func() {
		for _, c := range running {
			if c != nil {
				c.Close()
			}
		}
	}()
	return parallel.Collect(ctx, p.workers, feed, func(ctx context.Context, worker int, j engine.Job[P]) (search.Result, error) {
		r, err := p.one(ctx, &running[worker], j)
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("position %s: %w", p.game.Print(j.Position), err)
		}
		return r, err
	}, done)
}

func (p *Pool[P]) one(ctx context.Context, c **client.Client[P], j engine.Job[P]) (r search.Result, err error) {
	if j.AllMoves {
		return r, errors.New("exact scores of all moves: expected Kroo's engine, another program gives none")
	}
	l := p.game.NewLine(j.Position)
	if _, _, over := l.Over(); over {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.rules().Search(ctx, j.Position, nil, search.Limits{Depth: 1}, search.Query{}), ctx.Err()
	}
	for range 2 {
		if r, err = p.ask(ctx, c, l, j.Limits); err == nil || ctx.Err() != nil {
			return r, err
		}
		if *c != nil {
			(*c).Close()
			*c = nil
		}
	}
	return r, err
}

// ask asks a process, which it starts if there is none.
func (p *Pool[P]) ask(ctx context.Context, c **client.Client[P], l *games.Line[P], lim search.Limits) (r search.Result, err error) {
	if *c == nil {
		started, err := client.Start(ctx, p.game, p.command)
		if err != nil {
			return r, err
		}
		*c = started
	}
	if err := (*c).NewGame(ctx); err != nil {
		return r, err
	}
	a, err := (*c).Search(ctx, l, client.Limits{Depth: lim.Depth, Nodes: lim.Nodes, MoveTime: lim.Time})
	if err != nil {
		return r, err
	}
	if !a.Scored {
		return r, errors.New("the program told no score: expected info … score cp N before bestmove")
	}
	score := min(max(a.Score, -search.MaxHeuristic), search.MaxHeuristic)
	return search.Result{Best: a.Move, Score: score, Steady: score, Depth: a.Depth, Nodes: a.Nodes, Time: a.Time}, nil
}
