package match

import (
	"context"
	"io"

	"kroo/engine/uci/client"
	"kroo/games/oware"
)

var (
	_ Player    = (*programPlayer)(nil)
	_ Clocked   = (*programPlayer)(nil)
	_ io.Closer = (*programPlayer)(nil)
)

// programPlayer plays by another program.
type programPlayer struct {
	name    string
	command client.Command
	limits  client.Limits
	program *client.Client[oware.Position] // nil if it is not running
	clocks  Clocks                         // before the next move
}

// NewProgramPlayer makes a player of an external program that speaks the
// protocol of package engine/uci/client. The program is started by the
// first game and ended by Close, which [Play] calls. Whatever it does wrong
// loses that game, with the [client.Fault] as its reason, and the next game
// starts it afresh.
//
// Without a clock, limits must bound the search.
func NewProgramPlayer(name string, command client.Command, lim client.Limits) Player {
	return &programPlayer{name: name, command: command, limits: lim}
}

func (p *programPlayer) Name() string { return p.name }

// NewGame starts the program or makes it forget the game before.
func (p *programPlayer) NewGame(ctx context.Context) (err error) {
	p.clocks = Clocks{}
	if p.program != nil {
		if p.program.NewGame(ctx) == nil {
			return nil
		}
		p.drop() // it broke down between the games: that is worth another try
	}
	if p.program, err = client.Start(ctx, oware.Descriptor(), p.command); err != nil {
		return err
	}
	return p.program.NewGame(ctx)
}

func (p *programPlayer) SetClock(c Clocks) { p.clocks = c }

func (p *programPlayer) Move(ctx context.Context, g *oware.Game) (Choice, error) {
	limits := p.limits
	if p.clocks != (Clocks{}) {
		limits.Clock = &client.Clock{Left: p.clocks.Left, Inc: p.clocks.Inc}
	}
	a, err := p.program.Search(ctx, &g.Line, limits)
	if err != nil {
		p.drop()
		return Choice{}, err
	}
	return Choice{Move: a.Move, Score: a.Score, Depth: a.Depth, Nodes: a.Nodes, Time: a.Time}, nil
}

// Close ends the program.
func (p *programPlayer) Close() error {
	if p.program != nil {
		p.drop()
	}
	return nil
}

func (p *programPlayer) drop() {
	p.program.Close()
	p.program = nil
}
