package play

import (
	"context"
	"errors"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

// Errors of actions that are not possible now.
var (
	ErrOver          = errors.New("the game is over")
	errTurn          = errors.New("it is the other side's turn")
	errNothingToUndo = errors.New("no move of yours to take back")
)

// Move plays the person's move. Upper and lower case are interchangeable unless they name different
// moves. After an error the game is unchanged.
func (g *Game[P]) Move(name string) error {
	if err := g.turn(g.person); err != nil {
		return err
	}
	m, err := g.parse(strings.TrimSpace(name))
	if err != nil {
		return err
	}
	return g.line.Play(m)
}

// parse parses a move as written, or in another case.
func (g *Game[P]) parse(name string) (games.Move, error) {
	p := g.line.Position()
	m, asWritten := g.game.ParseMove(p, name)
	if asWritten == nil {
		return m, nil
	}
	for _, other := range []string{strings.ToUpper(name), strings.ToLower(name)} {
		if m, err := g.game.ParseMove(p, other); err == nil {
			return m, nil
		}
	}
	return 0, asWritten
}

// turn returns an error if it is not the side's turn.
func (g *Game[P]) turn(side int) error {
	switch s := g.State(); {
	case s.Over:
		return ErrOver
	case s.Turn != side:
		return errTurn
	}
	return nil
}

// Undo takes back the person's last move and the engine's reply, or only a resignation.
func (g *Game[P]) Undo() error {
	if g.resigned {
		g.resigned = false
		return nil
	}
	plies := 1
	if g.game.SideToMove(g.line.Position()) == g.person {
		plies = 2 // the engine has answered
	}
	if g.line.Plies() < plies {
		return errNothingToUndo
	}
	for range plies {
		g.line.Undo()
	}
	return nil
}

// Resign resigns for the person.
func (g *Game[P]) Resign() error {
	if g.State().Over {
		return ErrOver
	}
	g.resigned = true
	return nil
}

// Thought is a move of the engine with its search or book value.
type Thought struct {
	engine.Answer
	Name string // of the move
}

// Answer plays the engine's move at its level, from the book or by a search. If the context is done
// first, there is no move and Answer returns the context's error.
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

// Hint is what the engine would play for the person at full strength, by search and, if InBook, from
// the book.
type Hint struct {
	Search Thought
	Book   Thought
	InBook bool
}

// Hint returns the engine's suggestion for the person.
func (g *Game[P]) Hint(ctx context.Context) (h Hint, err error) {
	if err := g.turn(g.person); err != nil {
		return Hint{}, err
	}
	best := g.engine
	best.Level = engine.FullStrength
	var pick engine.BookPick
	if pick, h.InBook, _ = best.FromBook(g.line); h.InBook { // if the book fails, the search remains
		h.Book = g.thought(pick.Answer())
	}
	c, err := best.Think(ctx, g.line, best.Limits(), g.query())
	if err != nil {
		return Hint{}, err
	}
	h.Search = g.thought(c)
	return h, nil
}

// query returns a query that reports iterations to OnThinking's function.
func (g *Game[P]) query() (q search.Query) {
	if g.thinking != nil {
		q.Info = func(r search.Result) {
			g.thinking(g.thought(engine.AnswerOf(r)))
		}
	}
	return q
}

// thought returns an answer with the name of its move in the current position.
func (g *Game[P]) thought(a engine.Answer) Thought {
	return Thought{a, g.game.MoveName(g.line.Position(), a.Move)}
}
