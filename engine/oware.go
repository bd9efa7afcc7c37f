package engine

import (
	"context"
	"errors"

	"kroo/book"
	"kroo/endgame"
	patterns "kroo/features/oware"
	"kroo/games/oware"
)

// Oware returns the kit of oware.
func Oware() Kit[oware.Position] {
	return Kit[oware.Position]{
		Game:       oware.Descriptor(),
		Sets:       patterns.Sets,
		Patterns:   patterns.PatternSets,
		Names:      owareEvaluations.names,
		Plain:      CapturesName,
		Evaluation: owareEvaluations.find,
		Tables: func(path, rules string) (Tables[oware.Position], error) {
			t, err := OpenTable(path, rules)
			if t == nil {
				return nil, err
			}
			return t, err
		},
		Book: openBook,
	}
}

// OpenTable opens an endgame table: a file, or the one for the rules in a folder; "" means the
// built-in one. It returns nil if there is none for the rules.
func OpenTable(path, rules string) (*endgame.Table, error) {
	if path == NoTables {
		return nil, nil
	}
	r, err := oware.ParseRules(rules)
	if err != nil || path == "" && !endgame.Serves(r) {
		return nil, err
	}
	return endgame.Find(path, r)
}

// TableFile resolves the path of oware's endgame tables: the path itself if a file, or the file for
// the rules in a folder.
func TableFile(path, rules string) string {
	r, err := oware.ParseRules(rules)
	if err != nil {
		return path
	}
	return endgame.File(path, r)
}

// OwareBook is a book file to play from.
type OwareBook struct{ *book.Book }

// Moves implements [Book].
func (b OwareBook) Moves(p oware.Position) (list []BookMove) {
	e, found := b.Lookup(p.BookKey())
	if !found {
		return nil
	}
	for m, s := range e.Scores {
		if s != book.Illegal {
			list = append(list, BookMove{oware.Move(m), int(s)})
		}
	}
	return list
}

// Rules implements [Book].
func (b OwareBook) Rules() string { return b.Header().Get(book.FieldRules) }

// openBook opens a sound book for the rules, "" for any.
func openBook(path, rules string) (Book[oware.Position], error) {
	b, r, err := book.FindNamed(path, rules)
	if err != nil {
		return nil, err
	}
	if err := b.CheckSound(context.Background(), r); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return OwareBook{b}, nil
}
