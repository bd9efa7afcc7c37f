package engine

import (
	"fmt"
	"io"

	"kroo/engine/search"
	"kroo/features"
	"kroo/games"
)

// Kit is everything that a game registers with the program: its description, its feature sets, and
// functions that open what an engine plays with. [Oware], [TicTacToe], [Othello] and [Chess] are
// built in; [NewKit] makes the kit of another game from a description and feature sets.
type Kit[P search.Position[P]] struct {
	Game *games.Game[P]
	Sets features.Sets[P] // feature sets; may be empty

	// FullWidth searches every move to the same depth: for a game small enough to be searched to its
	// end.
	FullWidth bool

	// Names are the names of the built-in evaluations.
	Names []string
	// Plain is the simplest of Names, the baseline of comparisons; "" means the game's default.
	Plain string
	// Evaluation finds an evaluation by one of Names, or by the path of a weights file. The empty
	// name and [DefaultName] mean the game's default under the rules.
	Evaluation func(name, rules string) (Evaluation[P], error)
	// Tables opens endgame tables: a file or folder, "" for the built-in ones. It returns nil if
	// there are none for the rules. The func is nil for a game without tables.
	Tables func(path, rules string) (Tables[P], error)
	// Book opens an opening book, a file or [DefaultName] for the built-in one, and refuses one for
	// other rules; empty rules accept any. The func is nil for a game without books.
	Book func(path, rules string) (Book[P], error)
}

// Tables are endgame tables as the search probes them.
type Tables[P any] interface {
	search.Prober[P]
	// Name identifies the tables in records by their contents.
	Name() string
	io.Closer
}

// Book is an opening book. It is safe for concurrent use. [Player.FromBook] plays from it.
type Book[P any] interface {
	// Moves returns the moves of a position with their values, in the game's order, or none if the
	// position is not in the book. A damaged book may return illegal moves.
	Moves(p P) []BookMove
	// Rules returns the name of the rule set of the book, "" if unknown.
	Rules() string
	// Len returns the number of positions.
	Len() int
	// Checksum identifies the contents of the book.
	Checksum() string
}

// NoBook as the path of a book disables books.
const NoBook = "none"

// BookMove is a move of a book and its value for the side to move, in points.
type BookMove struct {
	Move   games.Move
	Points int
}

// Serving finds an evaluation like Evaluation, and refuses one for other rules.
func (k Kit[P]) Serving(rules, name string) (Evaluation[P], error) {
	e, err := k.Evaluation(name, rules)
	if err == nil {
		err = e.CheckRules(rules)
	}
	return e, err
}

// InPoints is [Kit.Serving]; it also returns the evaluation as a function in points.
func (k Kit[P]) InPoints(rules, name string) (e Evaluation[P], points func(P) float64, err error) {
	e, err = k.Serving(rules, name)
	hundredth := k.Game.PointsPerUnit() / 100
	return e, func(p P) float64 { return hundredth * float64(e.Evaluate(p)) }, err
}

// openTables opens the tables of a configuration, which may be nil.
func (k Kit[P]) openTables(c Config, rules string) (Tables[P], error) {
	if c.Tables == NoTables || k.Tables == nil && c.Tables == "" {
		return nil, nil
	}
	if k.Tables == nil {
		return nil, fmt.Errorf("%s has no endgame tables: expected none", k.Game.Name)
	}
	return k.Tables(c.Tables, rules)
}

// playingBook opens the book that an engine plays from: a file, [NoBook], or "" for the built-in one
// if it serves the rules. It returns nil without a book.
func (k Kit[P]) playingBook(path, rules string) (Book[P], error) {
	if path != "" || k.Book == nil {
		return k.openBook(path, rules)
	}
	b, err := k.Book(DefaultName, rules)
	if err != nil { // it is for other rules
		return nil, nil
	}
	return b, nil
}

// openBook opens a book; it returns nil for "" or NoBook.
func (k Kit[P]) openBook(path, rules string) (Book[P], error) {
	switch {
	case path == "" || path == NoBook:
		return nil, nil
	case k.Book == nil:
		return nil, fmt.Errorf("%s has no opening books: expected none", k.Game.Name)
	}
	return k.Book(path, rules)
}
