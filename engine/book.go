package engine

import (
	"fmt"
	"slices"

	"kroo/book"
	"kroo/games/oware"
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
