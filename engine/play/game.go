// Package play is a game between a person and the engine, without a user interface: a
// terminal or a browser displays a [State] and calls the methods of a [Game].
//
// [New] starts a game. On the person's turn, call [Game.Move], or [Game.Hint] for the
// engine's suggestion; on the engine's turn, call [Game.Answer]. [Game.Undo] and
// [Game.Resign] work at any time.
//
// A Game is not safe for concurrent use. It does not close its engine.
package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

// Resigned is the reason for the end of a game that the person resigned.
const Resigned games.Reason = "resignation"

// Game is a game between a person and the engine.
type Game[P search.Position[P]] struct {
	game     *games.Game[P]
	line     *games.Line[P]
	engine   engine.Player[P]
	person   int // index of the person's side
	resigned bool
	loaded   games.Record[P] // the loaded game, if any
	thinking func(Thought)   // called after every iteration of a search; may be nil
}

// New starts a game at a position. person is the index of the person's side in the game's Sides. The
// engine plays within the limits of its Config, and from its book by its Policy. Random choices
// differ from game to game.
func New[P search.Position[P]](e *engine.Engine[P], start P, person int) *Game[P] {
	return NewWith(e, e.NewSearcher(), start, person)
}

// NewWith is [New] with a searcher of the engine that other games use before and after: a hash table
// per game would take too much memory.
func NewWith[P search.Position[P]](e *engine.Engine[P], s engine.Searcher[P], start P, person int) *Game[P] {
	g := e.Kit.Game
	return &Game[P]{
		game: g, line: g.NewLine(start), person: person,
		engine: engine.Player[P]{Engine: e, Searcher: s, Random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))},
	}
}

// SetLevel sets the engine's strength.
func (g *Game[P]) SetLevel(l engine.Level) { g.engine.Level = l }

// OnThinking sets a function that is called after every iteration, in the goroutine of the search.
func (g *Game[P]) OnThinking(f func(Thought)) { g.thinking = f }

// Last is the last move.
type Last struct {
	Name string
	Side int // index of the side that moved
	Gain int // immediate gain in the game's units
}

// State is the state of a game for display.
type State[P any] struct {
	Position P
	Plies    int      // moves made
	Turn     int      // index of the side to move
	Person   int      // index of the person's side
	Last     Last     // Name is "" before the first move
	Legal    []string // names of the legal moves; nil if the game is over

	Over    bool
	Reason  games.Reason // of the end
	Result  string       // a result of package games, [games.Unknown] before the end
	Outcome string       // result in words, "South 25, North 23"
}

// PersonToMove reports whether it is the person's turn.
func (s State[P]) PersonToMove() bool { return !s.Over && s.Turn == s.Person }

// State returns the current state.
func (g *Game[P]) State() State[P] {
	p := g.line.Position()
	s := State[P]{
		Position: p, Plies: g.line.Plies(), Turn: g.game.SideToMove(p), Person: g.person,
		Result: games.Unknown, Last: g.last(),
	}
	switch _, reason, over := g.line.Over(); {
	case over:
		s.Over = true
		s.Reason = reason
		s.Result = g.line.Result()
		s.Outcome = g.line.Outcome()
	case g.resigned:
		winner := 1 - g.person
		s.Over = true
		s.Reason = Resigned
		s.Outcome = g.game.Sides[winner] + " wins"
		s.Result = [2]string{games.FirstWins, games.SecondWins}[winner]
	default:
		for _, m := range p.AppendMoves(nil) {
			s.Legal = append(s.Legal, g.game.MoveName(p, m))
		}
	}
	return s
}

// last returns the last move of the line.
func (g *Game[P]) last() Last {
	moves, history := g.line.Moves(), g.line.History()
	if len(moves) == 0 {
		return Last{}
	}
	m, before := moves[len(moves)-1], history[len(history)-1]
	l := Last{Name: g.game.MoveName(before, m), Side: g.game.SideToMove(before)}
	if g.game.Gain != nil {
		l.Gain = g.game.Gain(before, m)
	}
	return l
}

// Record returns the game so far as a record. players are the names of the sides, "" if unknown. Comments
// of loaded moves are kept.
func (g *Game[P]) Record(players [2]string) games.Record[P] {
	var tags []games.Tag
	for side, name := range players {
		if name != "" {
			tags = append(tags, games.Tag{Name: g.game.Sides[side], Value: name})
		}
	}
	rec := g.line.Record(tags...)
	rec.Result, rec.Comment = g.State().Result, g.loaded.Comment
	for i, m := range g.loaded.Moves {
		if i == len(rec.Moves) || rec.Moves[i].Move != m.Move {
			break
		}
		rec.Moves[i] = m
	}
	return rec
}

// Load replays a recorded game and continues from its end. The person keeps their side. After an error
// the game is unchanged.
func (g *Game[P]) Load(rec games.Record[P]) error {
	if rules := g.game.RulesOf(rec.Start); rules != g.engine.Engine.Rules {
		return fmt.Errorf("the game is under %s rules: expected %s", rules, g.engine.Engine.Rules)
	}
	l, err := g.game.Replay(rec)
	if err != nil {
		return err
	}
	g.start(l)
	g.loaded = rec
	g.loaded.Moves = slices.Clone(rec.Moves)
	return nil
}

// Restart starts a new game at a position.
func (g *Game[P]) Restart(at P) { g.start(g.game.NewLine(at)) }

func (g *Game[P]) start(l *games.Line[P]) {
	g.line = l
	g.resigned = false
	g.loaded = games.Record[P]{}
	g.engine.Searcher.Clear()
}

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
	name = strings.TrimSpace(name)
	var asWritten error
	for _, text := range []string{name, strings.ToUpper(name), strings.ToLower(name)} {
		m, err := g.game.ParseMove(g.line.Position(), text)
		if err == nil {
			return g.line.Play(m)
		}
		asWritten = cmp.Or(asWritten, err)
	}
	return asWritten
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
	pick, h.InBook, _ = best.FromBook(g.line)
	if h.InBook { // if the book fails, the search remains
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
