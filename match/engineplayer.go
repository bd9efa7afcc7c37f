package match

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

// overhead is what a player keeps back of its clock for all that is not search.
const overhead = 10 * time.Millisecond

type enginePlayer[P search.Position[P]] struct {
	engine   *engine.Engine[P]
	searcher *search.Searcher[P]
	vary     *Vary
	random   *rand.Rand // of the game, for vary and the book
	clocks   Clocks     // before the next move
}

// NewEnginePlayer makes a player of a searcher of its own. It plays moves of the
// engine's book by its policy, as long as there are any. The hash table is kept during
// a game and emptied before the next. With limits of depth or nodes alone the
// player is reproducible. The engine's limits must bound the search, or every
// move is an error. vary is nil for a player that makes its best moves.
//
// Under a clock it takes for a move what [search.TimeBudget] gives it, unless its
// limits end the search before.
func NewEnginePlayer[P search.Position[P]](e *engine.Engine[P], vary *Vary) Player[P] {
	return &enginePlayer[P]{engine: e, searcher: e.NewSearcher(), vary: vary}
}

func (p *enginePlayer[P]) NewGame(_ context.Context, seed uint64) error {
	p.searcher.Clear()
	p.clocks = Clocks{}
	p.random = rand.New(rand.NewPCG(seed, 0))
	return nil
}

// SetClock makes the player a [Clocked] one.
func (p *enginePlayer[P]) SetClock(c Clocks) { p.clocks = c }

func (p *enginePlayer[P]) Move(ctx context.Context, l *games.Line[P]) (Choice, error) {
	history := l.History()
	if pick, found := p.engine.BookMove(l.Position(), history, p.random); found {
		return Choice{Move: pick.Move, Book: true}, nil
	}
	limits := p.limits(p.engine.Kit.Game.SideToMove(l.Position()))
	if limits.Depth <= 0 && limits.Nodes <= 0 && limits.Time <= 0 {
		return Choice{}, errors.New("the player has no limit: give it a depth, nodes or time")
	}
	var query search.Query
	if p.vary != nil {
		limits = p.vary.limits(limits, p.random)
		query.AllMoves = l.Plies() < p.vary.Plies
	}
	r := p.searcher.Search(ctx, l.Position(), history, limits, query)
	if err := ctx.Err(); err != nil {
		return Choice{}, err
	}
	if r.Terminal {
		return Choice{}, fmt.Errorf("the player was asked for a move in a finished game: %s", p.engine.Kit.Game.Print(l.Position()))
	}
	choice := Choice{Move: r.Best, Score: r.Score, Depth: r.Depth, Nodes: r.Nodes, Time: r.Time}
	if query.AllMoves {
		choice.Move, choice.Score = p.vary.choose(r, p.random)
	}
	return choice, nil
}

// limits are those of the next move of a side: the engine's, within its clock.
func (p *enginePlayer[P]) limits(side int) search.Limits {
	limits := p.engine.Config.Limits()
	if p.clocks != (Clocks{}) {
		soft, hard := search.TimeBudget(p.clocks.Left[side], p.clocks.Inc[side], 0, overhead)
		limits.Soft = soft
		if limits.Time <= 0 || hard < limits.Time {
			limits.Time = hard
		}
	}
	return limits
}
