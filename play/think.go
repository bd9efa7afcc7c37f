package play

import (
	"context"

	"kroo/engine"
	"kroo/engine/search"
)

// Thought is a move of the engine and why it is played.
type Thought struct {
	engine.Answer
	Name string // of the move
}

// Answer makes the engine's move at its level: the book's, where it has one, else what
// the search finds. When the context is done first, there is no move and the error is the
// context's.
func (g *Game[P]) Answer(ctx context.Context) (Thought, error) {
	if err := g.turn(1 - g.person); err != nil {
		return Thought{}, err
	}
	c, err := g.engine.Move(ctx, g.line, g.engine.Limits(), g.query())
	if err != nil {
		return Thought{}, err
	}
	return g.thought(c), g.line.Play(c.Move)
}

// Hint is what the engine would play for the person at its full strength, by the search,
// and by the book where that has a move.
type Hint struct {
	Search Thought
	Book   Thought
	InBook bool
}

// Hint looks for the best move of the person.
func (g *Game[P]) Hint(ctx context.Context) (h Hint, err error) {
	if err := g.turn(g.person); err != nil {
		return Hint{}, err
	}
	best := g.engine
	best.Level = engine.FullStrength
	var pick engine.BookPick
	if pick, h.InBook, _ = best.FromBook(g.line); h.InBook { // where the book is wrong, there is the search
		h.Book = g.thought(pick.Answer())
	}
	c, err := best.Think(ctx, g.line, best.Limits(), g.query())
	if err != nil {
		return Hint{}, err
	}
	h.Search = g.thought(c)
	return h, nil
}

// query has the search tell what it thinks.
func (g *Game[P]) query() (q search.Query) {
	if g.thinking != nil {
		q.Info = func(r search.Result) {
			g.thinking(g.thought(engine.AnswerOf(r, false)))
		}
	}
	return q
}

// thought is an answer in the position.
func (g *Game[P]) thought(a engine.Answer) Thought {
	return Thought{a, g.game.MoveName(g.line.Position(), a.Move)}
}
