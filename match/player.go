package match

import (
	"context"
	"fmt"
	"time"

	"kroo/engine/search"
	"kroo/games/oware"
)

// Player chooses moves. It serves one game at a time. One that is an io.Closer
// is closed when it is not needed any more.
type Player interface {
	// Name tells the player apart from others: it goes into the game records
	// and into the log, so it should say what the player plays with (such as
	// the hash of its weights).
	Name() string
	// NewGame makes the player forget the games before. An error loses the
	// game, unless the context is done.
	NewGame(ctx context.Context) error
	// Move chooses a move in a game that is not over. It must leave the game
	// as it is. An error loses the game, unless the context is done.
	Move(ctx context.Context, g *oware.Game) (Choice, error)
}

// Choice is a move and what the player thinks of it.
type Choice struct {
	Move  oware.Move
	Score int           // centi-seeds for the player to move, as of [search.Result]
	Depth int           // plies
	Nodes int64         // positions visited
	Time  time.Duration // wall clock; the referee measures it again
}

// overhead is what a player keeps back of its clock for all that is not search.
const overhead = 10 * time.Millisecond

var (
	_ Player  = (*enginePlayer)(nil)
	_ Clocked = (*enginePlayer)(nil)
)

type enginePlayer struct {
	name     string
	searcher *search.Searcher[oware.Position]
	limits   search.Limits
	clocks   Clocks // before the next move
}

// NewEnginePlayer makes a player of a searcher of its own. The hash table is
// kept during a game and emptied before the next. With limits of depth or
// nodes alone the player is reproducible. Limits must bound the search, or
// every move is an error.
//
// Under a clock it takes for a move what [search.TimeBudget] gives it, unless its
// limits end the search before.
func NewEnginePlayer(name string, k search.Knowledge[oware.Position], opts search.Options, lim search.Limits) Player {
	return &enginePlayer{name: name, searcher: search.NewSearcher(k, opts), limits: lim}
}

func (p *enginePlayer) Name() string { return p.name }

func (p *enginePlayer) NewGame(context.Context) error {
	p.searcher.Clear()
	p.clocks = Clocks{}
	return nil
}

func (p *enginePlayer) SetClock(c Clocks) { p.clocks = c }

func (p *enginePlayer) Move(ctx context.Context, g *oware.Game) (Choice, error) {
	limits := p.limits
	if side := g.Position().ToMove(); p.clocks != (Clocks{}) {
		soft, hard := search.TimeBudget(p.clocks.Left[side], p.clocks.Inc[side], 0, overhead)
		limits.Soft = soft
		if limits.Time <= 0 || hard < limits.Time {
			limits.Time = hard
		}
	}
	if limits.Depth <= 0 && limits.Nodes <= 0 && limits.Time <= 0 {
		return Choice{}, fmt.Errorf("match: player %s has no limit: give it a depth, nodes or time", p.name)
	}
	r := p.searcher.Search(ctx, g.Position(), g.History(), limits, search.Query{})
	if err := ctx.Err(); err != nil {
		return Choice{}, err
	}
	if r.Terminal {
		return Choice{}, fmt.Errorf("match: player %s was asked for a move in a finished game: %s", p.name, g.Position())
	}
	return Choice{Move: r.Best, Score: r.Score, Depth: r.Depth, Nodes: r.Nodes, Time: r.Time}, nil
}
