package engine

import (
	"fmt"
	"io"

	"kroo/engine/search"
	"kroo/features"
	"kroo/games"
)

// Kit is a game as the program knows it: its description, its feature sets, and how to
// open what an engine plays with. It is all that a game registers: commands take it as it
// is. [Oware], [TicTacToe], [Othello] and [Chess] are the program's own; [NewKit] makes the
// kit of a game that has a description and feature sets.
type Kit[P search.Position[P]] struct {
	Game     *games.Game[P]
	Sets     features.Sets[P]     // antisymmetric feature sets; the zero value has none
	Patterns features.Patterns[P] // pattern features; the zero value has none

	// FullWidth searches every move to the same depth: for a game that is small
	// enough to be seen to its end.
	FullWidth bool

	// Names are those of the evaluations that the program has of its own.
	Names []string
	// Plain is the one of Names that knows the least, to compare others with; "" is the
	// game's default.
	Plain string
	// Evaluation finds an evaluation by one of Names, or by the path of a weights
	// file. The empty name and [DefaultName] are the game's default under the rules.
	Evaluation func(name, rules string) (Evaluation[P], error)
	// Tables opens endgame tables: a file or folder, "" for the program's own.
	// Nil tables say that there are none for the rules. The func is nil for a
	// game without tables.
	Tables func(path, rules string) (Tables[P], error)
	// Book opens an opening book, a file or [DefaultName] for the program's own,
	// and refuses one for other rules; the empty rules take any. The func is nil
	// for a game without books.
	Book func(path, rules string) (Book[P], error)
}

// Tables are endgame tables as the search probes them.
type Tables[P any] interface {
	search.Prober[P]
	// Name identifies the tables in records by their contents.
	Name() string
	io.Closer
}

// Book is an opening book. It is safe for concurrent use. [Pick] plays from it.
type Book[P any] interface {
	// Moves are the moves of a position with their values, in the game's order;
	// none if the book does not have the position. A damaged book may name moves
	// that are illegal.
	Moves(p P) []BookMove
	// Rules names the rule set that the book was made for, "" if it does not say.
	Rules() string
	// Len is the number of positions.
	Len() int
	// Checksum distinguishes books.
	Checksum() string
	io.Closer
}

// NoBook instead of a book's path plays without.
const NoBook = "none"

// BookMove is a move of a book and its value for the side to move, in points.
type BookMove struct {
	Move   games.Move
	Points int
}

// Serving finds an evaluation as Evaluation does, and refuses one for other rules.
func (k Kit[P]) Serving(rules, name string) (Evaluation[P], error) {
	e, err := k.Evaluation(name, rules)
	if err == nil {
		err = e.CheckRules(rules)
	}
	return e, err
}

// InPoints is [Kit.Serving], with the evaluation also as a function in points.
func (k Kit[P]) InPoints(rules, name string) (e Evaluation[P], points func(P) float64, err error) {
	e, err = k.Serving(rules, name)
	hundredth := k.Game.PointsPerUnit() / 100
	return e, func(p P) float64 { return hundredth * float64(e.Evaluate(p)) }, err
}

// openTables opens the tables of a configuration, nil for none.
func (k Kit[P]) openTables(c Config, rules string) (Tables[P], error) {
	if c.Tables == NoTables || k.Tables == nil && c.Tables == "" {
		return nil, nil
	}
	if k.Tables == nil {
		return nil, fmt.Errorf("%s has no endgame tables: expected none", k.Game.Name)
	}
	return k.Tables(c.Tables, rules)
}

// PlayingBook opens the book that an engine plays from: a file, [NoBook], or "" for the
// program's own where that serves the rules. Nil is no book.
func (k Kit[P]) PlayingBook(path, rules string) (Book[P], error) {
	if path != "" || k.Book == nil {
		return k.openBook(path, rules)
	}
	b, err := k.Book(DefaultName, rules)
	if err != nil { // it is for other rules
		return nil, nil
	}
	return b, nil
}

// openBook opens a book, nil for no path or NoBook.
func (k Kit[P]) openBook(path, rules string) (Book[P], error) {
	switch {
	case path == "" || path == NoBook:
		return nil, nil
	case k.Book == nil:
		return nil, fmt.Errorf("%s has no opening books: expected none", k.Game.Name)
	}
	return k.Book(path, rules)
}
