package match

import (
	"context"
	"fmt"
	"io"

	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/games/oware"
)

// programPlayer plays by another program.
type programPlayer[P search.Position[P]] struct {
	command client.Command
	limits  client.Limits
	program *client.Client // nil if it is not running
	clocks  Clocks         // before the next move
}

// NewProgramPlayer makes a player of an external program that speaks the
// protocol of package engine/uci/client. The first game starts the program and
// Close, which [Play] calls, ends it. Whatever it does wrong loses that game,
// with the [client.Fault] as its reason, and the next game starts it afresh.
//
// Without a clock, limits must bound the search.
func NewProgramPlayer[P search.Position[P]](command client.Command, lim client.Limits) Player[P] {
	return &programPlayer[P]{command: command, limits: lim}
}

var _ io.Closer = (*programPlayer[oware.Position])(nil)

// NewGame starts the program or makes it forget the game before.
func (p *programPlayer[P]) NewGame(ctx context.Context, _ uint64) (err error) {
	p.clocks = Clocks{}
	if p.program != nil {
		if p.program.NewGame(ctx) == nil {
			return nil
		}
		p.drop() // it broke down between the games: that is worth another try
	}
	if p.program, err = client.Start(ctx, p.command); err != nil {
		return err
	}
	return p.program.NewGame(ctx)
}

// SetClock makes the player a [Clocked] one.
func (p *programPlayer[P]) SetClock(c Clocks) { p.clocks = c }

func (p *programPlayer[P]) Move(ctx context.Context, l *games.Line[P]) (Choice, error) {
	limits := p.limits
	if p.clocks != (Clocks{}) {
		limits.Clock = &client.Clock{Left: p.clocks.Left, Inc: p.clocks.Inc}
	}
	a, err := p.ask(ctx, l, limits)
	if err != nil {
		p.drop()
		return Choice{}, err
	}
	return Choice{Move: a.Move, Score: a.Score, Depth: a.Depth, Nodes: a.Nodes, Time: a.Time}, nil
}

// ask puts the game to the program. The client knows oware's notation only.
func (p *programPlayer[P]) ask(ctx context.Context, l *games.Line[P], limits client.Limits) (client.Answer, error) {
	line, ok := any(l).(*games.Line[oware.Position])
	if !ok {
		return client.Answer{}, fmt.Errorf("match: another program plays oware only")
	}
	return p.program.Search(ctx, &oware.Game{Line: *line}, limits)
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
