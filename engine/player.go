package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
)

// Player chooses the moves of an engine in a game: from its book, or else by a search, the best move
// or one near it. It is not safe for concurrent use.
//
// Each method needs only some fields: Limits and FromBook the Engine, Search the Searcher, Think and Move both.
// Random may be nil if nothing is drawn: without a book, Level and Vary.
type Player[P search.Position[P]] struct {
	Engine   *Engine[P]
	Searcher Searcher[P]
	Random   *rand.Rand // for the book, the level and Vary
	Level    Level      // the zero value uses the limits of the engine
	Vary     *Vary      // nil plays the best moves
}

// Limits returns the limits of a search for a move: the nodes of the level, or else those of the
// engine's Config.
func (p *Player[P]) Limits() search.Limits {
	if p.Level.Nodes > 0 {
		return search.Limits{Nodes: p.Level.Nodes}
	}
	return p.Engine.Spec.Search.Limits()
}

// Move chooses a move in a game that is not over: the book's if there is one to trust, or else that
// of [Player.Think].
func (p *Player[P]) Move(ctx context.Context, l *games.Line[P], lim search.Limits, q search.Query) (Answer, error) {
	if err := p.Engine.Err(); err != nil {
		return Answer{}, err
	}
	if pick, found, _ := p.FromBook(l); found { // on an error of the book, search
		return pick.Answer(), nil
	}
	return p.Think(ctx, l, lim, q)
}

// FromBook draws a move of the engine's book, as [BookPicker.Pick] does.
func (p *Player[P]) FromBook(l *games.Line[P]) (BookPick, bool, error) {
	e := p.Engine
	picker := BookPicker[P]{Book: e.Book, Tables: e.Tables, Policy: e.Spec.Policy, Level: p.Level, Random: p.Random}
	return picker.Pick(l)
}

// BookPicker draws moves of a book.
type BookPicker[P search.Position[P]] struct {
	Book   Book[P]   // nil without a book
	Tables Tables[P] // may be nil
	Policy BookPolicy
	Level  Level      // replaces Policy, unless it is the zero value
	Random *rand.Rand // may be nil if the policy has no margin
}

// Pick draws a move of the book in a game. The result is false if the book has no move that can be
// trusted: if the position is missing or its entry wrong (then err is set), if the position or one
// after a candidate has occurred in the game, or if the tables refute all candidates.
func (b BookPicker[P]) Pick(l *games.Line[P]) (BookPick, bool, error) {
	policy := b.Policy
	levelled := b.Level != (Level{})
	if b.Book == nil || levelled && !b.Level.Book {
		return BookPick{}, false, nil
	}
	if levelled {
		policy = b.Level.Policy
	}
	return pickMove(b.Book, b.Tables, policy, l.Position(), l.History(), b.Random)
}

// Think chooses a move by [Player.Search]. It returns an error if the context ends the search or a
// file was changed meanwhile.
func (p *Player[P]) Think(ctx context.Context, l *games.Line[P], lim search.Limits, q search.Query) (Answer, error) {
	if lim.Depth <= 0 && lim.Nodes <= 0 && lim.Time <= 0 {
		return Answer{}, errors.New("the player has no limit: give it a depth, nodes or time")
	}
	r, err := p.Search(ctx, l, lim, q)
	if err != nil {
		return Answer{}, err
	}
	if r.Terminal {
		return Answer{}, fmt.Errorf("the player was asked for a move in a finished game: %s",
			p.Engine.Kit.Game.Print(l.Position()))
	}
	return AnswerOf(r), nil
}

// Search searches for a move. Best, Score and PV of the result are those of the line to play: the
// best, or one near it that was drawn for the level or to vary. If there is a single legal move, it
// ends a timed search at once. Errors are those of the [Searcher].
func (p *Player[P]) Search(ctx context.Context, l *games.Line[P], lim search.Limits, q search.Query) (search.Result, error) {
	if p.Vary != nil {
		lim = p.Vary.limits(lim, p.Random)
	}
	if lim.Time > 0 && q.Ponder == nil && len(l.Position().AppendMoves(nil)) == 1 {
		lim.Depth = 1 // there is nothing to choose
	}
	within, isRandom := p.within(l.Plies())
	q.AllMoves = q.AllMoves || isRandom
	r, err := p.Searcher.Search(ctx, l.Position(), l.History(), lim, q)
	if isRandom {
		p.pickAtRandom(&r, within)
	}
	return r, err
}

// within returns how far below the best a move may be after a number of plies; isRandom is false where
// the best is played.
func (p *Player[P]) within(plies int) (margin int, isRandom bool) {
	if p.Vary != nil {
		return p.Vary.Within, plies < p.Vary.Plies
	}
	return p.Level.Noise, p.Level.Noise > 0
}

// pickAtRandom picks the line to play from a search for all moves: all lines within the margin are equally
// likely. With a level, a proven win is always played.
func (p *Player[P]) pickAtRandom(r *search.Result, within int) {
	var list []search.Line
	for _, l := range r.Lines {
		if l.Exact && l.Score >= r.Score-within {
			list = append(list, l)
		}
	}
	if len(list) == 0 || r.Proven && p.Vary == nil { // empty if stopped before the first iteration was complete
		return
	}
	l := list[p.Random.IntN(len(list))]
	r.Best = l.Move
	r.Score = l.Score
	r.PV = l.PV
}

// Mover plays games, one at a time. [Engine.NewMover] makes one.
type Mover[P search.Position[P]] interface {
	// NewGame forgets earlier games. All random draws of the game follow from the seed.
	NewGame(ctx context.Context, seed uint64) error
	// Move chooses a move in a game that is not over; it does not change l. The clock is nil for a
	// player without one.
	Move(ctx context.Context, l *games.Line[P], c *client.Clock) (Answer, error)
	// Close ends its processes.
	Close()
}

// NewMover makes a player for one game at a time, according to the spec of the engine.
//
// A player of the engine keeps its hash table during a game and clears it before the next. With
// limits of depth or nodes alone it is reproducible. Under a clock a move takes the time of
// [search.TimeBudget], unless its limits end the search before. Limits or a clock must bound the
// search, or every move is an error.
//
// Another program is started by the first game. Its faults are errors of the move, and the next game
// restarts it.
func (e *Engine[P]) NewMover() Mover[P] {
	if e.program != nil {
		return &programMover[P]{client.New(e.Kit.Game, e.program.command), e.program.Limits}
	}
	return &ownMover[P]{Player[P]{Engine: e, Searcher: e.NewSearcher(), Vary: e.Spec.Vary}}
}

// ownMover plays by the book and the search of the engine.
type ownMover[P search.Position[P]] struct{ Player[P] }

func (p *ownMover[P]) NewGame(_ context.Context, seed uint64) error {
	p.Searcher.Clear()
	p.Random = rand.New(rand.NewPCG(seed, 0))
	return nil
}

func (p *ownMover[P]) Move(ctx context.Context, l *games.Line[P], c *client.Clock) (Answer, error) {
	limits := p.Limits()
	if c != nil {
		side := p.Engine.Kit.Game.SideToMove(l.Position())
		limits = limits.UnderClock(c.Left[side], c.Inc[side], c.MovesToGo, search.DefaultOverhead)
	}
	return p.Player.Move(ctx, l, limits, search.Query{})
}

func (p *ownMover[P]) Close() { p.Searcher.Close() }

// programMover plays by another program.
type programMover[P search.Position[P]] struct {
	*client.Client[P]
	limits client.Limits
}

func (p *programMover[P]) NewGame(ctx context.Context, _ uint64) error {
	return p.Client.NewGame(ctx)
}

func (p *programMover[P]) Move(ctx context.Context, l *games.Line[P], c *client.Clock) (Answer, error) {
	limits := p.limits
	limits.Clock = c
	a, err := p.Search(ctx, l, limits, nil)
	return Answer{Move: a.Best, HasMove: true, Book: a.Book(), Score: a.Score, Depth: a.Depth, Nodes: a.Nodes,
		Time: a.Time}, err
}
