package play

import (
	"cmp"
	"context"
	"fmt"

	"kroo/engine/search"
	"kroo/games"
)

// Thought is a move of the engine and why it is played.
type Thought struct {
	Move   games.Move
	Name   string // of the move
	Book   bool   // it is the book's; what follows is then 0
	Depth  int    // plies searched
	Score  int    // for the side to move, in hundredths of the game's unit
	Proven bool   // the sign of Score is certain
}

// Answer makes the engine's move: the book's, where it has one, else what the
// search finds. When the context is done first, there is no move and the error
// is the context's.
func (g *Game[P]) Answer(ctx context.Context) (Thought, error) {
	if err := g.turn(1 - g.person); err != nil {
		return Thought{}, err
	}
	t, err := g.think(ctx)
	if err == nil {
		err = g.line.Play(t.Move)
	}
	return t, err
}

// Hint tells what the engine would play for the person.
func (g *Game[P]) Hint(ctx context.Context) (Thought, error) {
	if err := g.turn(g.person); err != nil {
		return Thought{}, err
	}
	return g.think(ctx)
}

// think finds a move in the position.
func (g *Game[P]) think(ctx context.Context) (Thought, error) {
	p, history := g.line.Position(), g.line.History()
	if err := g.engine.Err(); err != nil {
		return Thought{}, fmt.Errorf("play: %w", err)
	}
	if pick, found := g.engine.BookMove(p, history, g.random); found {
		return Thought{Move: pick.Move, Name: g.game.MoveName(p, pick.Move), Book: true}, nil
	}
	r := g.searcher.Search(ctx, p, history, g.engine.Config.Limits(), search.Query{})
	if err := cmp.Or(ctx.Err(), g.engine.Err()); err != nil {
		return Thought{}, fmt.Errorf("play: %w", err)
	}
	return Thought{Move: r.Best, Name: g.game.MoveName(p, r.Best), Depth: r.Depth, Score: r.Score, Proven: r.Proven}, nil
}
