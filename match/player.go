package match

import (
	"context"
	"errors"
	"fmt"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
)

// entrant is one of the two sides of a match: a name, and players as many as
// there are games at a time. [open] makes one of an [engine.Spec].
//
// An error of a player loses the game, unless the context is done. The referee measures the time of
// its moves again.
type entrant[P search.Position[P]] struct {
	// Name distinguishes entrants in records and in the log, so it should say
	// what the players play with (such as the hash of their weights).
	Name string
	// New makes a player that is independent of the others: one for each pair
	// in play, and another for one that panicked.
	New func() engine.Mover[P]
	// Limits says in records what the players are allowed ("nodes 20000"). It
	// binds nobody, but a log with other limits is refused.
	Limits string
	Clock  engine.TimeControl // instead of the match's: time odds
	Timed  bool               // its moves depend on time: the match is not reproducible
	Varies bool               // it does not play alike from the same opening

	engine *engine.Engine[P] // that it plays by; nil for others
}

// newEntrant is an entrant that plays by an engine, which it closes.
func newEntrant[P search.Position[P]](e *engine.Engine[P], control engine.TimeControl) entrant[P] {
	s := e.Spec
	found := entrant[P]{Name: e.Name(), New: e.NewMover, Clock: s.Clock, Limits: underClock(e.Limits(), control), engine: e}
	switch p := e.Program(); {
	case p != nil:
		if found.Timed = true; p.BookOff {
			found.Limits += ", " + client.BookOption + " false"
		}
		return found
	case s.Textbook != "":
		found.Varies = s.Ties == engine.TiesRandom || s.Textbook == search.TextbookUCT
		return found
	}
	found.Timed = !s.Search.Reproducible() || control.Base > 0
	found.Varies = s.Vary != nil || e.Book != nil && s.Policy.Margin > 0
	if e.Book != nil {
		found.Limits += ", " + e.BookName()
	}
	if s.Vary != nil {
		found.Limits += ", vary " + s.Vary.String()
	}
	return found
}

// program is the other program that plays, nil for none.
func (e entrant[P]) program() *engine.Program {
	if e.engine == nil {
		return nil
	}
	return e.engine.Program()
}

// blind reports whether the players do not learn what was captured: no opening may capture.
func (e entrant[P]) blind() bool {
	p := e.program()
	return p != nil && p.Protocol == client.CG
}

// err reports whether the files were changed that it plays with.
func (e entrant[P]) err() error {
	if e.engine == nil {
		return nil
	}
	return e.engine.Err()
}

// hash is how many bytes the hash table of a player takes.
func (e entrant[P]) hash() int64 {
	if e.engine == nil {
		return 0
	}
	return e.engine.HashBytes(1)
}

// Close gives back what the players play with. None may be at work.
func (e entrant[P]) Close() error {
	if e.engine == nil {
		return nil
	}
	return e.engine.Close()
}

// seat has a player and replaces it when it panics: it may be in any state.
type seat[P search.Position[P]] struct {
	make   func() engine.Mover[P]
	player engine.Mover[P]
}

// guard turns a panic of the player into an error.
func (s *seat[P]) guard(err *error) {
	if p := recover(); p != nil {
		s.close()
		*err = fmt.Errorf("panic: %v", p)
	}
}

// close gives the player up.
func (s *seat[P]) close() {
	defer func() { _ = recover() }() // what a broken player does now matters no more
	if p := s.player; p != nil {
		s.player = nil
		p.Close()
	}
}

// seated is the player, a new one if the last was given up.
func (s *seat[P]) seated() engine.Mover[P] {
	if s.player == nil {
		s.player = s.make()
	}
	return s.player
}

func (s *seat[P]) newGame(ctx context.Context, seed uint64) (err error) {
	defer s.guard(&err)
	return s.seated().NewGame(ctx, seed)
}

func (s *seat[P]) move(ctx context.Context, l *games.Line[P], c client.Clock) (choice engine.Answer, err error) {
	defer s.guard(&err)
	return s.player.Move(ctx, l, c)
}

// play lets the player make one move on the board.
func (s *seat[P]) play(ctx context.Context, l *games.Line[P], c client.Clock) (engine.Answer, error) {
	p, plies := l.Position(), l.Plies()
	choice, err := s.move(ctx, l, c)
	if l.Position() != p || l.Plies() != plies {
		return choice, errors.New("the player changed the game it was given")
	}
	if err != nil {
		return choice, err
	}
	return choice, l.Play(choice.Move)
}

// timed is play against the clock of the side, if there is one. Choice.Time is
// the referee's measurement.
func (s *seat[P]) timed(ctx context.Context, k *clock, side int, l *games.Line[P]) (engine.Answer, error) {
	inner, cancel, limit, clocks := k.start(ctx, side)
	defer cancel()
	begin := k.now()
	choice, err := s.play(inner, l, clocks)
	choice.Time = k.now().Sub(begin)
	if limit > 0 && (choice.Time > limit || err != nil && inner.Err() != nil && ctx.Err() == nil) {
		return choice, errFlag
	}
	k.stop(side, choice.Time)
	return choice, err
}
