package match

import (
	"context"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
)

// programPlayer plays by another program.
type programPlayer[P search.Position[P]] struct {
	game    *games.Game[P]
	command client.Command
	limits  client.Limits
	program *client.Client[P] // nil if it is not running
}

// newProgramPlayer makes a player of an external program that speaks the
// protocol of package engine/uci/client. The first game starts the program and
// Close, which [play] calls, ends it. Whatever it does wrong loses that game,
// with that as its reason, and the next game starts it afresh.
//
// Without a clock, limits must bound the search.
func newProgramPlayer[P search.Position[P]](g *games.Game[P], command client.Command, lim client.Limits) player[P] {
	return &programPlayer[P]{game: g, command: command, limits: lim}
}

// NewGame starts the program or makes it forget the game before.
func (p *programPlayer[P]) NewGame(ctx context.Context, _ uint64) (err error) {
	if p.program != nil {
		if p.program.NewGame(ctx) == nil {
			return nil
		}
		p.drop() // it broke down between the games: that is worth another try
	}
	if p.program, err = client.Start(ctx, p.game, p.command); err != nil {
		return err
	}
	return p.program.NewGame(ctx)
}

// configure gives the program other options, from the next game on. One that has had others
// by name is started anew, since these stay.
func (p *programPlayer[P]) configure(ctx context.Context, options []client.Option) {
	same := slices.EqualFunc(p.command.Options, options, func(a, b client.Option) bool { return a.Name == b.Name })
	p.command.Options = options
	if p.program != nil && !same {
		p.drop()
	}
	if p.program != nil && p.program.SetOptions(ctx, options) != nil {
		p.drop() // the next game starts it with them
	}
}

func (p *programPlayer[P]) Move(ctx context.Context, l *games.Line[P], c Clocks) (engine.Answer, error) {
	limits := p.limits
	if c != (Clocks{}) {
		limits.Clock = &client.Clock{Left: c.Left, Inc: c.Inc}
	}
	a, err := p.program.Search(ctx, l, limits, nil)
	if err != nil {
		p.drop()
		return engine.Answer{}, err
	}
	return engine.Answer{Move: a.Move, HasMove: true, Book: a.Book(), Score: a.Score, Depth: a.Depth, Nodes: a.Nodes, Time: a.Time}, nil
}

// Close ends the program.
func (p *programPlayer[P]) Close() error {
	if p.program != nil {
		p.drop()
	}
	return nil
}

func (p *programPlayer[P]) drop() {
	p.program.Close()
	p.program = nil
}
