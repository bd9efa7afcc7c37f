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

// entrant is one of the two sides of a match: a name, and one player per game played at a time.
// [open] makes one of an [engine.Spec].
//
// An error of a player loses the game, unless the context is done. The referee measures the time of
// moves independently.
type entrant[P search.Position[P]] struct {
	// Name distinguishes entrants in records and in the log, so it should identify their weights and
	// settings (such as by a hash).
	Name string
	// New makes a player that is independent of the others: one for each pair in play, and a
	// replacement for one that panicked.
	New func() engine.Mover[P]
	// Limits describes the players' limits in records ("nodes 20000"). It has no effect on play, but
	// a log with other limits is refused.
	Limits string
	Clock  engine.TimeControl // instead of the match's: time odds
	Timed  bool               // moves depend on time: the match is not reproducible
	Varies bool               // plays differently from the same opening

	engine *engine.Engine[P] // nil if it is not played by an engine
}

// newEntrant returns an entrant that plays by an engine, and closes it.
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

// program returns the other program that plays; nil for the engine itself.
func (e entrant[P]) program() *engine.Program {
	if e.engine == nil {
		return nil
	}
	return e.engine.Program()
}

// blind reports whether the players are not informed of captures, so that no opening may capture.
func (e entrant[P]) blind() bool {
	p := e.program()
	return p != nil && p.Protocol == client.CG
}

// err returns an error if a file that it uses has been changed.
func (e entrant[P]) err() error {
	if e.engine == nil {
		return nil
	}
	return e.engine.Err()
}

// hash is the size of a player's hash table in bytes.
func (e entrant[P]) hash() int64 {
	if e.engine == nil {
		return 0
	}
	return e.engine.HashBytes(1)
}

// Close frees the files of the players. None may be running.
func (e entrant[P]) Close() error {
	if e.engine == nil {
		return nil
	}
	return e.engine.Close()
}

// seat is a player, replaced when it panics, since it may be in any state.
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

// close drops the player.
func (s *seat[P]) close() {
	defer func() { _ = recover() }() // ignore panics of a broken player
	if p := s.player; p != nil {
		s.player = nil
		p.Close()
	}
}

// seated returns the player, a new one if the last was dropped.
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

// play makes the player choose one move.
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

// timed is play against the clock of the side, if there is one. The answer's Time is the referee's
// measurement.
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
