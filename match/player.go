package match

import (
	"context"
	"fmt"
	"time"

	"kroo/engine"
	"kroo/games/oware"
)

// Player chooses moves. It serves one game at a time.
type Player interface {
	// Name tells the player apart from others: it goes into the game records
	// and into the log, so it should say what the player plays with (such as
	// the hash of its weights).
	Name() string
	// NewGame makes the player forget the games before.
	NewGame()
	// Move chooses a move in a game that is not over. It must leave the game
	// as it is. An error loses the game, unless the context is done.
	Move(ctx context.Context, g *oware.Game) (Choice, error)
}

// Choice is a move and what the player thinks of it.
type Choice struct {
	Move  oware.Move
	Score int           // centi-seeds for the player to move, as of [engine.Result]
	Depth int           // plies
	Nodes int64         // positions visited
	Time  time.Duration // wall clock; it is no part of any record
}

var _ Player = (*enginePlayer)(nil)

type enginePlayer struct {
	name     string
	searcher *engine.Searcher[oware.Position]
	limits   engine.Limits
}

// NewEnginePlayer makes a player of a searcher of its own. The hash table is
// kept during a game and emptied before the next. With limits of depth or
// nodes alone the player is reproducible. Limits must bound the search, or
// every move is an error.
func NewEnginePlayer(name string, eval engine.Evaluator[oware.Position], opts engine.Options, lim engine.Limits) Player {
	return &enginePlayer{name, engine.NewSearcher(eval, opts), lim}
}

func (p *enginePlayer) Name() string { return p.name }

func (p *enginePlayer) NewGame() { p.searcher.Clear() }

func (p *enginePlayer) Move(ctx context.Context, g *oware.Game) (Choice, error) {
	if p.limits.Depth <= 0 && p.limits.Nodes <= 0 && p.limits.Time <= 0 {
		return Choice{}, fmt.Errorf("match: player %s has no limit: give it a depth, nodes or time", p.name)
	}
	r := p.searcher.Search(ctx, g.Position(), g.History(), p.limits, engine.Query{})
	if err := ctx.Err(); err != nil {
		return Choice{}, err
	}
	if r.Terminal {
		return Choice{}, fmt.Errorf("match: player %s was asked for a move in a finished game: %s", p.name, g.Position())
	}
	return Choice{Move: r.Best, Score: r.Score, Depth: r.Depth, Nodes: r.Nodes, Time: r.Time}, nil
}
