package engine

import (
	"fmt"
	"slices"

	"kroo/book"
	"kroo/endgame"
	"kroo/games"
	"kroo/games/oware"
)

// Oware is oware's kit.
func Oware() Kit[oware.Position] {
	return Kit[oware.Position]{
		Game:       oware.Descriptor(),
		Evaluation: owareEvaluation,
		Tables: func(path, rules string) (Tables[oware.Position], error) {
			t, err := OpenTable(path, rules)
			if t == nil {
				return nil, err
			}
			return t, err
		},
		Book: func(path, rules string) (Book[oware.Position], error) {
			b, err := openBook(path, rules)
			if err != nil {
				return nil, err
			}
			return OwareBook{b}, nil
		},
		Chances: chances,
	}
}

// OpenTable opens an endgame table: a file, or the one for the rules in a
// folder; "" is the program's own, nil where it has none.
func OpenTable(path, rules string) (*endgame.Table, error) {
	if path == NoTables {
		return nil, nil
	}
	r, err := oware.ParseRules(rules)
	if err != nil {
		return nil, err
	}
	return endgame.Find(path, r)
}

// OpenBook maps a book for play under the rules. A book that says it is for
// other rules is refused; one that says nothing is taken as it is.
func OpenBook(path string, rules oware.Rules) (*book.Book, error) {
	return openBook(path, rules.String())
}

// openBook is OpenBook by the name of the rules, "" for any.
func openBook(path, rules string) (*book.Book, error) {
	b, err := book.Open(path)
	if err != nil {
		return nil, err
	}
	if r := b.Header().Get(book.FieldRules); r != "" && rules != "" && r != rules {
		b.Close()
		return nil, fmt.Errorf("%s: a book for %s: expected %s", path, r, rules)
	}
	return b, nil
}

// OwareBook plays from a book file.
type OwareBook struct{ *book.Book }

// Move is as [Book] says.
func (b OwareBook) Move(p oware.Position, history []oware.Position) (games.Move, bool) {
	if slices.Contains(history, p) {
		return 0, false
	}
	e, found := b.Lookup(p.BookKey())
	if !found {
		return 0, false
	}
	m, score := e.Best()
	return m, score != book.Illegal && p.IsLegal(m)
}

// Choices is as [Book] says.
func (b OwareBook) Choices(p oware.Position, margin int) (list []BookMove) {
	e, found := b.Lookup(p.BookKey())
	if !found {
		return nil
	}
	for _, m := range e.Choices(margin) {
		list = append(list, BookMove{m, int(e.Scores[m])})
	}
	return list
}

// Rules is as [Book] says.
func (b OwareBook) Rules() string { return b.Header().Get(book.FieldRules) }
