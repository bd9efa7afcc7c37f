package match

import (
	"context"
	"errors"
	"fmt"
	"io"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

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
