package match

import (
	"context"
	"math/rand/v2"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
)

// overhead is what a player keeps back of its clock for all that is not search.
const overhead = 10 * time.Millisecond

// enginePlayer is a player of the engine under the clocks of a match.
type enginePlayer[P search.Position[P]] struct{ engine.Player[P] }

// newEnginePlayer makes a player of a searcher of its own. It plays moves of the
// engine's book by its policy, as long as there are any. The hash table is kept during
// a game and emptied before the next. With limits of depth or nodes alone the
// player is reproducible. The engine's limits must bound the search, or every
// move is an error. vary is nil for a player that makes its best moves.
//
// Under a clock it takes for a move what [search.TimeBudget] gives it, unless its
// limits end the search before.
func newEnginePlayer[P search.Position[P]](e *engine.Engine[P], vary *engine.Vary) player[P] {
	return &enginePlayer[P]{engine.Player[P]{Engine: e, Searcher: e.NewSearcher(), Vary: vary}}
}

func (p *enginePlayer[P]) NewGame(_ context.Context, seed uint64) error {
	p.Searcher.Clear()
	p.Random = rand.New(rand.NewPCG(seed, 0))
	return nil
}

func (p *enginePlayer[P]) Move(ctx context.Context, l *games.Line[P], c Clocks) (engine.Answer, error) {
	limits := p.Limits()
	if c != (Clocks{}) {
		side := p.Engine.Kit.Game.SideToMove(l.Position())
		limits = limits.UnderClock(c.Left[side], c.Inc[side], 0, overhead)
	}
	return p.Player.Move(ctx, l, limits, search.Query{})
}

// programPlayer plays by another program. The first game starts it and Close, which [play]
// calls, ends it. Whatever it does wrong loses that game, with that as its reason, and the next
// game starts it afresh. Without a clock, limits must bound the search.
type programPlayer[P search.Position[P]] struct {
	program *client.Supervised[P]
	limits  client.Limits
}

func newProgramPlayer[P search.Position[P]](g *games.Game[P], command client.Command, lim client.Limits) player[P] {
	return &programPlayer[P]{client.Supervise(g, command), lim}
}

func (p *programPlayer[P]) NewGame(ctx context.Context, _ uint64) error {
	return p.program.NewGame(ctx)
}

func (p *programPlayer[P]) Move(ctx context.Context, l *games.Line[P], c Clocks) (engine.Answer, error) {
	limits := p.limits
	if c != (Clocks{}) {
		limits.Clock = &client.Clock{Left: c.Left, Inc: c.Inc}
	}
	a, err := p.program.Search(ctx, l, limits, nil)
	return engine.Answer{Move: a.Move, HasMove: true, Book: a.Book(), Score: a.Score, Depth: a.Depth, Nodes: a.Nodes, Time: a.Time}, err
}

// Close ends the program.
func (p *programPlayer[P]) Close() error {
	p.program.Close()
	return nil
}
