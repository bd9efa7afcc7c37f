package engine

import (
	"fmt"
	"slices"

	"kroo/book"
	"kroo/endgame"
	"kroo/features"
	evaluations "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
)

// CapturesName is the name of the evaluation by captured seeds alone.
const CapturesName = "captures"

// Oware is oware's kit.
func Oware() Kit[oware.Position] {
	return Kit[oware.Position]{
		Game:       oware.Descriptor(),
		Evaluation: func(name, _ string) (Evaluation[oware.Position], error) { return LoadEvaluation(name) },
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

// Captures evaluates oware by the difference of captured seeds alone.
func Captures() Evaluation[oware.Position] {
	return Evaluation[oware.Position]{Evaluator: evaluations.Captures{}, Name: CapturesName}
}

// LoadEvaluation builds the evaluation that a command line names: captures, or
// the path of a weights file.
func LoadEvaluation(name string) (Evaluation[oware.Position], error) {
	if name == CapturesName || name == "" {
		return Captures(), nil
	}
	w, err := features.LoadWeights(name)
	if err != nil {
		return Evaluation[oware.Position]{}, err
	}
	e, err := Fitted(w)
	e.File = name
	return e, err
}

// Fitted is the evaluation of fitted weights.
func Fitted(w *features.Weights) (Evaluation[oware.Position], error) {
	e, err := features.NewEvaluator(w)
	if err != nil {
		return Evaluation[oware.Position]{}, err
	}
	return Evaluation[oware.Position]{Evaluator: e, Name: "weights " + w.Hash(), Rules: w.Rules}, nil
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
