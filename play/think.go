package play

import (
	"cmp"
	"context"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

// Thought is a move of the engine and why it is played.
type Thought struct {
	Move   games.Move
	Name   string // of the move
	Book   bool   // it is the book's; Points is then its value, and what follows 0
	Points int    // for the side to move
	Depth  int    // plies searched
	Score  int    // for the side to move, in hundredths of the game's unit
	Proven bool   // the sign of Score is certain
}

// Answer makes the engine's move at its level: the book's, where it has one, else what
// the search finds. When the context is done first, there is no move and the error is the
// context's.
func (g *Game[P]) Answer(ctx context.Context) (Thought, error) {
	if err := g.turn(1 - g.person); err != nil {
		return Thought{}, err
	}
	policy := g.engine.Policy
	if g.level != (Level{}) {
		policy = g.level.Policy
	}
	t, found, err := g.fromBook(policy)
	if err == nil && !found {
		t, err = g.think(ctx, g.level)
	}
	if err == nil {
		err = g.line.Play(t.Move)
	}
	return t, err
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
	if h.Book, h.InBook, err = g.fromBook(engine.BookPolicy{}); err != nil {
		return Hint{}, err
	}
	h.Search, err = g.think(ctx, Level{})
	return h, err
}

// fromBook draws a move of the engine's book, if it has one to trust here.
func (g *Game[P]) fromBook(policy engine.BookPolicy) (t Thought, found bool, err error) {
	if err := g.engine.Err(); err != nil {
		return t, false, err
	}
	if g.engine.Book == nil {
		return t, false, nil
	}
	p := g.line.Position()
	pick, found, err := engine.Pick(g.engine.Book, g.engine.Tables, policy, p, g.line.History(), g.random)
	if err != nil { // the book is wrong here: the search knows better
		return t, false, nil
	}
	return Thought{Move: pick.Move, Name: g.game.MoveName(p, pick.Move), Book: true, Points: pick.Points}, found, nil
}

// think searches for a move in the position.
func (g *Game[P]) think(ctx context.Context, level Level) (Thought, error) {
	p := g.line.Position()
	q := search.Query{AllMoves: level.Noise > 0}
	if g.thinking != nil {
		q.Info = func(r search.Result) { g.thinking(g.thought(p, r, search.Line{Move: r.Best, Score: r.Score})) }
	}
	r := g.searcher.Search(ctx, p, g.line.History(), level.Limits(g.engine.Config.Limits()), q)
	if err := cmp.Or(ctx.Err(), g.engine.Err()); err != nil {
		return Thought{}, err
	}
	return g.thought(p, r, level.Choose(r, g.random)), nil
}

// thought is a move of a search.
func (g *Game[P]) thought(p P, r search.Result, of search.Line) Thought {
	return Thought{Move: of.Move, Name: g.game.MoveName(p, of.Move), Depth: r.Depth, Score: of.Score, Proven: r.Proven}
}
