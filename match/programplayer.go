package match

import (
	"context"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
)

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
