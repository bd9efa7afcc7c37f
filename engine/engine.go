package engine

import (
	"context"
	"errors"
	"strings"

	"kroo/engine/search"
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
	if s.Program.Path != "" {
		s.Weights = k.Plain
	}
	if e.Eval, err = k.Serving(rules, s.Weights); err != nil {
		return nil, err
	}
	if s.Program.Path != "" {
		if e.program, err = openProgram(ctx, k.Game, s, rules); err != nil {
			return nil, err
		}
		e.Eval.Name, e.Eval.Known = ascii(e.program.Name), ""
	}
	if e.Tables, err = k.openTables(s.Search, rules); err == nil {
		open := k.openBook
		if s.OwnBook {
			open = k.playingBook
		}
		e.Book, err = open(s.Book, rules)
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Name returns the name of a player with this engine in records.
func (e *Engine[P]) Name() string {
	s, name := e.Spec, e.Eval.Name
	switch {
	case s.Name != "":
		return s.Name
	case e.program != nil:
		return e.program.Name
	}
	if s.Book != "" && s.Book != NoBook {
		name += " + book"
	}
	if s.Vary != nil {
		name += ", varying"
	}
	return name
}

// Program returns the other program that plays or searches, nil for the engine itself.
func (e *Engine[P]) Program() *Program {
	if e.program == nil {
		return nil
	}
	return &e.program.Program
}

// Limits describes the searches for artifacts and journals: the configuration, with tables by their
// contents instead of their path, or the settings of another program.
func (e *Engine[P]) Limits() string {
	c := e.Spec.Search
	switch {
	case e.program != nil:
		bounds := c.bounds()
		if e.Tables != nil {
			bounds = append(bounds, "tables "+e.Tables.Name())
		}
		return strings.Join(bounds, ", ")
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

// CheckMemory returns an error if the hash tables of a number of searchers do not fit into free
// memory.
func (e *Engine[P]) CheckMemory(searchers int) error {
	if e.HashBytes(1) == 0 {
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

// Err returns an error if a file that the engine uses was changed since it was opened. Discard what
// it has found since then.
func (e *Engine[P]) Err() error { return FileErr(e.Tables) }

// FileErr returns an error if the file of tables was changed while open; nil if there is no file.
func FileErr(opened any) error {
	if f, ok := opened.(interface{ Err() error }); ok {
		return f.Err()
	}
	return nil
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
