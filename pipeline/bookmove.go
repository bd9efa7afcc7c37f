package pipeline

import (
	"context"
	"fmt"
	"io"
	"slices"

	"kroo/book"
	"kroo/games/oware"
	"kroo/match"
)

// OpenBook maps a book for play under the rules. A book that says it is for
// other rules is refused; one that says nothing is taken as it is.
func OpenBook(path string, rules oware.Rules) (*book.Book, error) {
	b, err := book.Open(path)
	if err != nil {
		return nil, err
	}
	if r := b.Header().Get(book.FieldRules); r != "" && r != rules.String() {
		b.Close()
		return nil, fmt.Errorf("%s: a book for %s: expected %s", path, r, rules)
	}
	return b, nil
}

// BookMove is the book's best move in the game, if the position is in the
// book (which may be nil) and has not stood on the board before: the book does
// not know what a repetition is worth in this game.
func BookMove(b *book.Book, g *oware.Game) (oware.Move, bool) {
	if b == nil || slices.Contains(g.History(), g.Position()) {
		return 0, false
	}
	e, found := b.Lookup(g.Position().BookKey())
	if !found {
		return 0, false
	}
	m, score := e.Best()
	return m, score != book.Illegal && g.Position().IsLegal(m)
}

var _ match.Clocked = (*bookPlayer)(nil)

// bookPlayer plays from a book as long as it can.
type bookPlayer struct {
	match.Player
	book *book.Book
}

// SetClock tells the player, if it wants to know.
func (p *bookPlayer) SetClock(clocks match.Clocks) {
	if c, ok := p.Player.(match.Clocked); ok {
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
func (p *bookPlayer) Move(ctx context.Context, g *oware.Game) (match.Choice, error) {
	if m, found := BookMove(p.book, g); found {
		return match.Choice{Move: m}, nil
	}
	return p.Player.Move(ctx, g)
}
