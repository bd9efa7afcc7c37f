package engine

import (
	"errors"
	"strings"

	"kroo/engine/search"
)

// Engine is what plays and what labels: an evaluation, endgame tables and a
// book under one rule set, opened once and shared by any number of searchers.
type Engine[P search.Position[P]] struct {
	Kit    Kit[P]
	Rules  string
	Eval   Evaluation[P]
	Config Config     // of its searches
	Tables Tables[P]  // nil for none
	Book   Book[P]    // nil for none
	Policy BookPolicy // which of its moves are played
}

// New assembles an engine without a book: it checks that the evaluation is for
// the rules and opens the tables of the configuration. Close frees it.
func New[P search.Position[P]](k Kit[P], eval Evaluation[P], c Config, rules string) (*Engine[P], error) {
	if err := eval.CheckRules(rules); err != nil {
		return nil, err
	}
	t, err := k.openTables(c, rules)
	if err != nil {
		return nil, err
	}
	return &Engine[P]{Kit: k, Rules: rules, Eval: eval, Config: c, Tables: t}, nil
}

// Open is New for an evaluation and a book that a command line names. No path
// is no book, and so is [NoBook].
func Open[P search.Position[P]](k Kit[P], evaluation, book string, c Config, rules string) (*Engine[P], error) {
	eval, err := k.Evaluation(evaluation, rules)
	if err != nil {
		return nil, err
	}
	e, err := New(k, eval, c, rules)
	if err != nil {
		return nil, err
	}
	if e.Book, err = k.openBook(book, rules); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// OpenPlayer is Open for an engine that plays with people or under other programs: no path
// is the program's own book, where that serves the rules.
func OpenPlayer[P search.Position[P]](k Kit[P], evaluation, book string, c Config, rules string) (*Engine[P], error) {
	e, err := Open(k, evaluation, NoBook, c, rules)
	if err != nil {
		return nil, err
	}
	if e.Book, err = k.PlayingBook(book, rules); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Limits is how artifacts and journals record the searches: the configuration, with
// tables of a path by what they hold. Another program has settings of its own.
func (e *Engine[P]) Limits() string {
	if e.Eval.Program != nil {
		bounds := e.Config.bounds()
		if e.Tables != nil {
			bounds = append(bounds, "tables "+e.Tables.Name())
		}
		return strings.Join(bounds, ", ")
	}
	c := e.Config
	if e.Tables == nil { // whatever the configuration asks for: not all rules have any
		c.Tables = NoTables
		return c.String()
	}
	return c.describe(e.Tables.Name())
}

// knowledge is what the engine's searchers know of the game.
func (e *Engine[P]) knowledge() search.Knowledge[P] {
	k := e.Eval.Knowledge()
	if e.Tables != nil {
		k.Prober = e.Tables
	}
	return k
}

// Signature tells what searches apart from others, whose results may differ.
func (e *Engine[P]) Signature() string {
	if e.Eval.Program != nil {
		return e.Eval.Program.Signature()
	}
	return Signature()
}

// NewSearcher makes a searcher for one goroutine, with a hash table of its own.
func (e *Engine[P]) NewSearcher() Searcher[P] {
	if e.Eval.Program != nil {
		return checked[P]{e.Eval.Program.NewSearcher(), e.Err}
	}
	return checked[P]{Own(search.NewSearcher(e.knowledge(), e.options())), e.Err}
}

// CheckMemory refuses so many searchers whose hash tables do not fit into the memory that
// is free. Another program's are its own affair.
func (e *Engine[P]) CheckMemory(searchers int) error {
	if e.Eval.Program != nil {
		return nil
	}
	return e.Config.CheckMemory(searchers)
}

func (e *Engine[P]) options() search.Options {
	o := e.Config.Options()
	o.FullWidth = o.FullWidth || e.Kit.FullWidth
	return o
}

// Err tells whether the files that the engine plays with have been changed since it was
// opened. What it has found since then does not count.
func (e *Engine[P]) Err() error { return errors.Join(FileErr(e.Tables), FileErr(e.Book)) }

// FileErr is the error of tables or of a book whose file was changed while it was open;
// nil where there is no file.
func FileErr(opened any) error {
	if f, ok := opened.(interface{ Err() error }); ok {
		return f.Err()
	}
	return nil
}

// BookName tells in records what the engine plays from, "" for no book.
func (e *Engine[P]) BookName() string {
	if e.Book == nil {
		return ""
	}
	return strings.TrimSpace("book " + e.Book.Checksum() + " " + e.Policy.String())
}

// Close frees the tables and the book, and ends the processes of a program. No searcher
// may be at work.
func (e *Engine[P]) Close() error {
	var err error
	if e.Eval.Program != nil {
		e.Eval.Program.Close()
	}
	if e.Book != nil {
		err = e.Book.Close()
	}
	if e.Tables != nil {
		err = errors.Join(err, e.Tables.Close())
	}
	e.Book, e.Tables = nil, nil
	return err
}
