package match

import (
	"context"
	"errors"
	"fmt"
	"io"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
)

// player chooses moves. It serves one game at a time. One that is an io.Closer
// is closed when it is not needed any more.
type player[P search.Position[P]] interface {
	// NewGame makes the player forget the games before. Whatever the player
	// draws at random in the game follows from the seed. An error loses the
	// game, unless the context is done.
	NewGame(ctx context.Context, seed uint64) error
	// Move chooses a move in a game that is not over. It must leave the game
	// as it is. An error loses the game, unless the context is done. The referee
	// measures its time again. Who does not look at the clocks, which are zero for a
	// player without one, loses on time if that is too slow.
	Move(ctx context.Context, l *games.Line[P], c Clocks) (engine.Answer, error)
}

// entrant is one of the two sides of a match: a name, and players as many as
// there are games at a time. [open] makes one of a [PlayerConfig].
type entrant[P search.Position[P]] struct {
	// Name distinguishes entrants in records and in the log, so it should say
	// what the players play with (such as the hash of their weights).
	Name string
	// New makes a player that is independent of the others: one for each pair
	// in play, and another for one that panicked.
	New func() player[P]
	// Limits says in records what the players are allowed ("nodes 20000"). It
	// binds nobody, but a log with other limits is refused.
	Limits string
	Clock  TimeControl // instead of the match's: time odds
	Timed  bool        // its moves depend on time: the match is not reproducible
	Varies bool        // it does not play alike from the same opening
	Blind  bool        // it is not told what was captured: no opening may capture

	engine  *engine.Engine[P] // that it searches with; nil for others
	vary    *engine.Vary
	by      string        // evaluation of one that searches, for the log
	program *matchProgram // nil for a player inside
}

// matchProgram is another program that plays.
type matchProgram struct {
	client.Identity                 // of the command, for the log
	asked           client.Limits   // of each move
	options         []client.Spec   // that it has
	fixed           []client.Option // that it always has
}

// engineEntrant is an entrant that searches with an engine, which it closes.
func engineEntrant[P search.Position[P]](e *engine.Engine[P], vary *engine.Vary, clock TimeControl, name string) entrant[P] {
	return entrant[P]{Name: name, New: func() player[P] { return newEnginePlayer(e, vary) }, Clock: clock, engine: e, vary: vary, by: e.Eval.Name}
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
	return e.engine.Spec.Search.HashBytes(1)
}

// Close gives back what the players play with. None may be at work.
func (e entrant[P]) Close() error {
	if e.engine == nil {
		return nil
	}
	return e.engine.Close()
}

// seat holds a player and replaces it when it panics: it may be in any state.
type seat[P search.Position[P]] struct {
	make   func() player[P]
	player player[P]
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
	c, closes := s.player.(io.Closer)
	s.player = nil
	if closes {
		c.Close()
	}
}

// seated is the player, a new one if the last was given up.
func (s *seat[P]) seated() player[P] {
	if s.player == nil {
		s.player = s.make()
	}
	return s.player
}

func (s *seat[P]) newGame(ctx context.Context, seed uint64) (err error) {
	defer s.guard(&err)
	return s.seated().NewGame(ctx, seed)
}

func (s *seat[P]) move(ctx context.Context, l *games.Line[P], c Clocks) (choice engine.Answer, err error) {
	defer s.guard(&err)
	return s.player.Move(ctx, l, c)
}

// play lets the player make one move on the board.
func (s *seat[P]) play(ctx context.Context, l *games.Line[P], c Clocks) (engine.Answer, error) {
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
