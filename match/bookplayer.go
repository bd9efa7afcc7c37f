package match

import (
	"context"
	"io"

	"kroo/engine"
	"kroo/games/oware"
)

var _ Clocked = (*bookPlayer)(nil)

// bookPlayer plays from a book as long as it can.
type bookPlayer struct {
	Player
	book engine.Book[oware.Position]
}

// SetClock tells the player, if it wants to know.
func (p *bookPlayer) SetClock(clocks Clocks) {
	if c, ok := p.Player.(Clocked); ok {
		c.SetClock(clocks)
	}
}

// Close gives back what the player has taken.
func (p *bookPlayer) Close() error {
	if c, ok := p.Player.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Move answers from the book or asks the player.
func (p *bookPlayer) Move(ctx context.Context, g *oware.Game) (Choice, error) {
	if m, found := bookMove(p.book, g); found {
		return Choice{Move: m}, nil
	}
	return p.Player.Move(ctx, g)
}

// bookMove is the move of a book, which may be nil.
func bookMove(b engine.Book[oware.Position], g *oware.Game) (oware.Move, bool) {
	if b == nil {
		return 0, false
	}
	return b.Move(g.Position(), g.History())
}
