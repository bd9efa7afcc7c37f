package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
)

// errFlag is the forfeit of a player that has run out of time.
var errFlag = errors.New("time")

// clock is the two clocks of a game, by side.
type clock struct {
	control [2]engine.TimeControl
	margin  time.Duration // for both; a clock is set to at least 0 before the next move
	left    [2]time.Duration
	now     func() time.Time
}

func newClock(control [2]engine.TimeControl, margin time.Duration) *clock {
	return &clock{control, margin, [2]time.Duration{control[0].Base, control[1].Base}, time.Now}
}

// start starts the clock of a side, if it has one. The context ends when the flag falls, after
// limit.
func (k *clock) start(ctx context.Context, side int) (inner context.Context, cancel func(), limit time.Duration, c client.Clock) {
	if k.control[side].Base == 0 {
		return ctx, func() {}, 0, c
	}
	limit = k.left[side] + k.margin
	inner, cancel = context.WithTimeout(ctx, limit)
	return inner, cancel, limit, client.Clock{Left: k.left, Inc: [2]time.Duration{k.control[0].Inc, k.control[1].Inc}}
}

// stop subtracts the time of a move from the side's clock.
func (k *clock) stop(side int, took time.Duration) {
	if k.control[side].Base > 0 {
		k.left[side] = max(0, k.left[side]-took) + k.control[side].Inc
	}
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
