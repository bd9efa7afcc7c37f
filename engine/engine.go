package engine

import (
	"errors"

	"kroo/book"
	"kroo/endgame"
	"kroo/engine/search"
	"kroo/games/oware"
)

// Engine is what plays and what labels: an evaluation, endgame tables and a
// book under one rule set, opened once and shared by any number of searchers.
type Engine struct {
	Eval   Evaluation
	Config Config         // of its searches
	Table  *endgame.Table // nil for none
	Book   *book.Book     // nil for none
	Rules  oware.Rules
}

// New assembles an engine: it checks that the evaluation is for the rules and
// opens the tables of the configuration. The engine has no book. Close frees it.
func New(eval Evaluation, c Config, rules oware.Rules) (*Engine, error) {
	if err := eval.CheckRules(rules); err != nil {
		return nil, err
	}
	t, err := c.Table(rules)
	if err != nil {
		return nil, err
	}
	return &Engine{Eval: eval, Config: c, Table: t, Rules: rules}, nil
}

// Open is New for an evaluation and a book that a command line names. No path
// is no book.
func Open(evaluation, bookPath string, c Config, rules oware.Rules) (*Engine, error) {
	eval, err := LoadEvaluation(evaluation)
	if err != nil {
		return nil, err
	}
	e, err := New(eval, c, rules)
	if err != nil || bookPath == "" {
		return e, err
	}
	if e.Book, err = OpenBook(bookPath, rules); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// tabled evaluates and probes endgame tables: the search uses both.
type tabled struct {
	search.Evaluator[oware.Position]
	*endgame.Table
}

// Evaluator is the evaluation with the tables.
func (e *Engine) Evaluator() search.Evaluator[oware.Position] {
	if e.Table == nil {
		return e.Eval
	}
	return tabled{e.Eval, e.Table}
}

// NewSearcher makes a searcher for one goroutine, with a hash table of its own.
func (e *Engine) NewSearcher() *search.Searcher[oware.Position] {
	return search.NewSearcher(e.Evaluator(), e.Config.Options())
}

// BookMove is [BookMove] of the engine's book.
func (e *Engine) BookMove(g *oware.Game) (oware.Move, bool) { return BookMove(e.Book, g) }

// Close frees the tables and the book. No searcher may be at work.
func (e *Engine) Close() error {
	var err error
	if e.Book != nil {
		err = e.Book.Close()
	}
	if e.Table != nil {
		err = errors.Join(err, e.Table.Close())
	}
	e.Book, e.Table = nil, nil
	return err
}
