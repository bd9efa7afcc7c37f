package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"kroo/engine/search"
	"kroo/games"
)

// Player chooses the moves of an engine in a game: from its book, else by a search, the
// best move or one near it. It is for one goroutine at a time.
type Player[P search.Position[P]] struct {
	Engine   *Engine[P]
	Searcher Searcher[P]
	Random   *rand.Rand // of the book, the level and vary
	Level    Level      // the zero value plays within the limits of the engine
	Vary     *Vary      // nil for a player that makes its best moves
}

// Limits are those of a search for a move: the nodes of the level, else what the engine's
// Config says.
func (p *Player[P]) Limits() search.Limits {
	if p.Level.Nodes > 0 {
		return search.Limits{Nodes: p.Level.Nodes}
	}
	return p.Engine.Spec.Search.Limits()
}

// Move chooses a move in a game that is not over: the book's, where it has one to trust,
// else what [Player.Think] finds.
func (p *Player[P]) Move(ctx context.Context, l *games.Line[P], lim search.Limits, q search.Query) (Answer, error) {
	if err := p.Engine.Err(); err != nil {
		return Answer{}, err
	}
	if pick, found, _ := p.FromBook(l); found { // where the book is wrong, the search knows better
		return pick.Answer(), nil
	}
	return p.Think(ctx, l, lim, q)
}

// FromBook draws a move of the engine's book, if it has one to trust here ([Pick]).
func (p *Player[P]) FromBook(l *games.Line[P]) (BookPick, bool, error) {
	e, policy := p.Engine, p.Engine.Spec.Policy
	levelled := p.Level != (Level{})
	if e.Book == nil || levelled && !p.Level.Book {
		return BookPick{}, false, nil
	}
	if levelled {
		policy = p.Level.Policy
	}
	return Pick(e.Book, e.Tables, policy, l.Position(), l.History(), p.Random)
}

// Think chooses a move by [Player.Search]. A search that the context ends, or whose files
// have been changed meanwhile, is an error.
func (p *Player[P]) Think(ctx context.Context, l *games.Line[P], lim search.Limits, q search.Query) (Answer, error) {
	if lim.Depth <= 0 && lim.Nodes <= 0 && lim.Time <= 0 {
		return Answer{}, errors.New("the player has no limit: give it a depth, nodes or time")
	}
	r, chosen, err := p.Search(ctx, l, lim, q)
	if err != nil {
		return Answer{}, err
	}
	if r.Terminal {
		return Answer{}, fmt.Errorf("the player was asked for a move in a finished game: %s", p.Engine.Kit.Game.Print(l.Position()))
	}
	a := AnswerOf(r, false)
	a.Move, a.Score = chosen.Move, chosen.Score
	return a, nil
}

// Search searches for a move. Next to the result of the search it returns the line to
// play: the best, or one near it that was drawn for the level, or to vary. A single legal
// move ends a search by time at once. The error is that of the [Searcher].
func (p *Player[P]) Search(ctx context.Context, l *games.Line[P], lim search.Limits, q search.Query) (search.Result, search.Line, error) {
	if p.Vary != nil {
		lim = p.Vary.limits(lim, p.Random)
	}
	if lim.Time > 0 && q.Ponder == nil && len(l.Position().AppendMoves(nil)) == 1 {
		lim.Depth = 1 // there is nothing to choose
	}
	within, drawn := p.within(l.Plies())
	q.AllMoves = q.AllMoves || drawn
	r, err := p.Searcher.Search(ctx, l.Position(), l.History(), lim, q)
	if !drawn {
		return r, bestOfSearch(r), err
	}
	return r, p.near(r, within), err
}

// within is how far below the best a move may be after a given number of plies; drawn is false
// where the best is played.
func (p *Player[P]) within(plies int) (margin int, drawn bool) {
	if p.Vary != nil {
		return p.Vary.Within, plies < p.Vary.Plies
	}
	return p.Level.Noise, p.Level.Noise > 0
}

// near draws a line of a search for all moves: all that are so near the best are as
// likely. At a level a win that is proven is played.
func (p *Player[P]) near(r search.Result, within int) search.Line {
	var list []search.Line
	for _, l := range r.Lines {
		if l.Exact && l.Score >= r.Score-within {
			list = append(list, l)
		}
	}
	if len(list) == 0 || r.Proven && p.Vary == nil { // none if stopped before the first iteration was complete
		return bestOfSearch(r)
	}
	return list[p.Random.IntN(len(list))]
}

func bestOfSearch(r search.Result) search.Line {
	return search.Line{Move: r.Best, Score: r.Score, PV: r.PV}
}
