package match

import (
	"context"
	"io"

	"kroo/book"
	"kroo/engine"
	"kroo/games/oware"
)

var _ Clocked = (*bookPlayer)(nil)

// bookPlayer plays from a book as long as it can.
type bookPlayer struct {
	Player
	book *book.Book
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
	if m, found := engine.BookMove(p.book, g); found {
		return Choice{Move: m}, nil
	}
	return p.Player.Move(ctx, g)
}
