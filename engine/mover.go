package engine

import (
	"context"
	"math/rand/v2"
	"time"

	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
)

// Mover plays games, one at a time. [Engine.NewMover] makes one.
type Mover[P search.Position[P]] interface {
	// NewGame forgets earlier games. All random draws of the game follow from the seed.
	NewGame(ctx context.Context, seed uint64) error
	// Move chooses a move in a game that is not over; it does not change l. The clock is zero for a
	// player without one.
	Move(ctx context.Context, l *games.Line[P], c client.Clock) (Answer, error)
	// Close ends its processes.
	Close()
}

// NewMover makes a player for one game at a time, according to the spec of the engine.
//
// A player of the engine keeps its hash table during a game and clears it before the next. With
// limits of depth or nodes alone it is reproducible. Under a clock a move takes the time of
// [search.TimeBudget], unless its limits end the search before. Limits or a clock must bound the
// search, or every move is an error.
//
// Another program is started by the first game. Its faults are errors of the move, and the next game
// restarts it.
func (e *Engine[P]) NewMover() Mover[P] {
	switch {
	case e.program != nil:
		return &programMover[P]{client.Supervise(e.Kit.Game, e.program.command), e.program.Limits}
	case e.Spec.Textbook != "":
		return e.textbook()
	}
	return &ownMover[P]{Player[P]{Engine: e, Searcher: e.NewSearcher(), Vary: e.Spec.Vary}}
}

// ownMover plays by the book and the search of the engine.
type ownMover[P search.Position[P]] struct{ Player[P] }

func (p *ownMover[P]) NewGame(_ context.Context, seed uint64) error {
	p.Searcher.Clear()
	p.Random = rand.New(rand.NewPCG(seed, 0))
	return nil
}

// overhead is the part of a player's clock reserved for everything but the search.
const overhead = 10 * time.Millisecond

func (p *ownMover[P]) Move(ctx context.Context, l *games.Line[P], c client.Clock) (Answer, error) {
	limits := p.Limits()
	if c != (client.Clock{}) {
		side := p.Engine.Kit.Game.SideToMove(l.Position())
		limits = limits.UnderClock(c.Left[side], c.Inc[side], 0, overhead)
	}
	return p.Player.Move(ctx, l, limits, search.Query{})
}

func (p *ownMover[P]) Close() { p.Searcher.Close() }

// programMover plays by another program.
type programMover[P search.Position[P]] struct {
	*client.Supervised[P]
	limits client.Limits
}

func (p *programMover[P]) NewGame(ctx context.Context, _ uint64) error {
	return p.Supervised.NewGame(ctx)
}

func (p *programMover[P]) Move(ctx context.Context, l *games.Line[P], c client.Clock) (Answer, error) {
	limits := p.limits
	if c != (client.Clock{}) {
		limits.Clock = &c
	}
	a, err := p.Search(ctx, l, limits, nil)
	return Answer{Move: a.Move, HasMove: true, Book: a.Book(), Score: a.Score, Depth: a.Depth, Nodes: a.Nodes, Time: a.Time}, err
}
