// Package engine assembles what plays a game: an evaluation, endgame tables, an opening book and the
// limits of a search.
//
// [Oware], [Othello], [Chess] and [TicTacToe] return the kits of the games ([Kit]): what an engine
// can play with, and how to open it. [Open] makes an [Engine] from names and files as given on a
// command line. [Engine.NewSearcher] makes a searcher for one goroutine;
// all searchers share the tables and the book. A [Config] sets the limits and the size of the hash
// table.
//
// A [Player] chooses moves in a game: from the book, or else by a search, the best move or one near
// it, according to a [BookPolicy], a [Level] and [Vary].
//
// [Bench] searches a fixed list of positions. Its node count, the [Signature], distinguishes
// versions of the search.
//
// Caveats: an evaluation and a book are for the rules they were made under; any others are refused.
// Close the engine only when no searcher is running.
//
// The search itself is in kroo/engine/search.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"kroo/engine/search"
	"kroo/features"
	"kroo/games"
)

// Engine is an evaluation, endgame tables and a book under one rule set, opened once and shared by
// any number of searchers.
type Engine[P search.Position[P]] struct {
	Kit    Kit[P]
	Rules  string
	Spec   Spec // it was opened with
	Eval   Evaluation[P]
	Tables Tables[P] // may be nil
	Book   Book[P]   // may be nil

	program *program[P] // another program that plays and searches instead; may be nil
}

// Open opens the engine of a spec. Another program is started once and ended again, to detect errors
// now. Close frees the engine.
func Open[P search.Position[P]](ctx context.Context, k Kit[P], s Spec, rules string) (e *Engine[P], err error) {
	e = &Engine[P]{Kit: k, Rules: rules, Spec: s}
	weights := s.Weights
	if s.Program.Path != "" {
		weights = k.Plain // the program plays by its own; this one is used where Kroo needs one
	}
	if _, err := k.Game.Start(rules); err != nil {
		return nil, err
	}
	e.Eval, err = k.Serving(rules, weights)
	if err != nil {
		return nil, err
	}
	if s.Program.Path != "" {
		e.program, err = openProgram(ctx, k.Game, s, rules)
		if err != nil {
			return nil, err
		}
		e.Eval.Name, e.Eval.Known = ascii(e.program.Name), "" // records name the program instead
	}
	e.Tables, err = k.openTables(s.Search.Tables, rules)
	if err == nil {
		e.Book, err = k.openBook(s.Book, rules, s.OwnBook)
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Name returns the name of a player with this engine in records.
func (e *Engine[P]) Name() string {
	s, name := e.Spec, e.Eval.Name
	if e.program != nil {
		name = e.program.Name
	}
	if s.Book != "" && s.Book != NoBook {
		name += " + book"
	}
	if s.Vary != nil {
		name += ", varying"
	}
	return cmp.Or(s.Name, name)
}

// Program returns the other program that plays or searches, nil for the engine itself.
func (e *Engine[P]) Program() *Program {
	if e.program == nil {
		return nil
	}
	return &e.program.Program
}

// LimitsText describes the searches for artifacts and journals: the configuration, with the tables of a file
// by their contents instead of their path and the program's own as "default tables", or the settings of
// another program.
func (e *Engine[P]) LimitsText() string {
	c := e.Spec.Search
	switch {
	case e.program != nil:
		if e.Tables == nil {
			return c.bounds()
		}
		return joinNonEmpty(c.bounds(), "tables "+e.Tables.Name())
	case e.Tables == nil: // whatever the configuration: some rules have no tables
		c.Tables = NoTables
		return c.String()
	}
	return c.describe(e.Tables.Name())
}

// knowledge returns the evaluation and the tables for searchers.
func (e *Engine[P]) knowledge() search.Knowledge[P] {
	k := e.Eval.Knowledge()
	if e.Tables != nil {
		k.Prober = e.Tables
	}
	return k
}

// Signature identifies the search: searches with different signatures may differ in their results.
func (e *Engine[P]) Signature() string {
	if e.program != nil {
		return e.program.signature
	}
	return Signature()
}

// NewSearcher makes a searcher for one goroutine, with a hash table of its own.
func (e *Engine[P]) NewSearcher() Searcher[P] {
	if e.program != nil {
		return checked[P]{e.program.searcher(), e.Err}
	}
	return checked[P]{Own(search.NewSearcher(e.knowledge(), e.options())), e.Err}
}

// CheckMemory is [Config.CheckMemory]; other programs are not checked.
func (e *Engine[P]) CheckMemory(searchers int) error {
	if e.program != nil {
		return nil
	}
	return e.Spec.Search.CheckMemory(searchers)
}

// HashBytes returns the size of the hash tables of a number of searchers. It is 0 for other
// programs, whose memory is unknown.
func (e *Engine[P]) HashBytes(searchers int) int64 {
	if e.program != nil {
		return 0
	}
	return e.Spec.Search.hashBytes(searchers)
}

func (e *Engine[P]) options() search.Options {
	o := e.Spec.Search.Options()
	o.FullWidth = o.FullWidth || e.Kit.FullWidth
	return o
}

// Err returns an error if a file of the engine has changed: discard what was found since then.
func (e *Engine[P]) Err() error {
	if e.Tables == nil {
		return nil
	}
	return e.Tables.Err()
}

// BookName describes the book for records, "" without a book.
func (e *Engine[P]) BookName() string {
	if e.Book == nil {
		return ""
	}
	return strings.TrimSpace("book " + e.Book.Checksum() + " " + e.Spec.Policy.String())
}

// Close frees the tables and the book, and ends the processes of a program. No searcher may be
// running.
func (e *Engine[P]) Close() error {
	var err error
	if e.program != nil {
		e.program.close()
	}
	if e.Tables != nil {
		err = e.Tables.Close()
	}
	e.Book, e.Tables = nil, nil
	return err
}

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
	// Calibration returns the calibration of the program's own weights for the rules, or nil. The func is
	// nil for a game without such weights.
	Calibration func(rules string) *features.Calibration
	// Tables opens endgame tables: a file or folder, "" for the built-in ones. It returns nil if
	// there are none for the rules. The func is nil for a game without tables.
	Tables func(path, rules string) (Tables[P], error)
	// Book opens an opening book, a file or one of Books, where [DefaultName] is the one for the rules,
	// and refuses one for other rules; empty rules accept any. The func is nil for a game without books.
	Book func(path, rules string) (Book[P], error)
	// Books are the names of the built-in books.
	Books []string
}

// Tables are endgame tables as the search probes them.
type Tables[P any] interface {
	search.Prober[P]
	// Name identifies the tables in records by their contents.
	Name() string
	// Err returns an error if their file has changed since it was opened.
	Err() error
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

// openTables opens tables, which may be nil.
func (k Kit[P]) openTables(path, rules string) (Tables[P], error) {
	switch {
	case path == NoTables || k.Tables == nil && path == "":
		return nil, nil
	case k.Tables == nil:
		return nil, fmt.Errorf("%s has no endgame tables: expected none", k.Game.Name)
	}
	return k.Tables(path, rules)
}

// openBook opens a book; it returns nil for NoBook and, unless own is set, for "": then that is the
// built-in book, if it serves the rules.
func (k Kit[P]) openBook(path, rules string, own bool) (Book[P], error) {
	switch {
	case path == "" && own && k.Book != nil:
		if b, err := k.Book(DefaultName, rules); err == nil {
			return b, nil
		}
		return nil, nil
	case path == "" || path == NoBook:
		return nil, nil
	case k.Book == nil:
		return nil, fmt.Errorf("%s has no opening books: expected none", k.Game.Name)
	}
	return k.Book(path, rules)
}
