package match

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kroo/games/oware"
)

// TimeControl is the time a player has for a game. The zero value is none.
type TimeControl struct {
	Base time.Duration // at the start
	Inc  time.Duration // added after each move
	// Margin is how far the referee lets a player overrun before the flag
	// falls: the price of measuring on a busy machine. It is not given as
	// thinking time, and a clock is never below zero at the next move.
	Margin time.Duration
}

// longestControl bounds each part of a time control, against slips of the pen.
const longestControl = 24 * time.Hour

// ParseTimeControl reads "BASE" or "BASE+INCREMENT" with units, such as
// "10s+100ms" or "1m". It has no margin.
func ParseTimeControl(text string) (TimeControl, error) {
	base, inc, both := strings.Cut(text, "+")
	var tc TimeControl
	var err error
	if tc.Base, err = time.ParseDuration(base); err == nil && both {
		tc.Inc, err = time.ParseDuration(inc)
	}
	if err != nil || tc.Base <= 0 || tc.check() != nil {
		return TimeControl{}, fmt.Errorf("match: time control %.40q: expected BASE+INCREMENT, such as 10s+100ms, above 0 and of at most %s each", text, longestControl)
	}
	return tc, nil
}

// String is as [ParseTimeControl] reads it, or "" without a clock; the margin
// is left out.
func (tc TimeControl) String() string {
	switch {
	case tc.Base == 0:
		return ""
	case tc.Inc == 0:
		return tc.Base.String()
	}
	return tc.Base.String() + "+" + tc.Inc.String()
}

func (tc TimeControl) check() error {
	for _, d := range []time.Duration{tc.Base, tc.Inc, tc.Margin} {
		if d < 0 || d > longestControl || tc.Base == 0 && d > 0 {
			return fmt.Errorf("match: time control of %s, increment %s, margin %s: expected a time to begin with, and each from 0 to %s", tc.Base, tc.Inc, tc.Margin, longestControl)
		}
	}
	return nil
}

// Clocked is a player who wants to know the clocks. Players who do not play as
// they always do, and lose on time if that is too slow.
type Clocked interface {
	// SetClock is called before each move of a player with a clock.
	SetClock(Clocks)
}

// Clocks are the time that the players have left and what is added after each
// of their moves, by side; both 0 for a player without a clock.
type Clocks struct{ Left, Inc [2]time.Duration }

// errFlag is the forfeit of a player whose time is up.
var errFlag = errors.New("time")

// clock is the two clocks of a game, by side.
type clock struct {
	control [2]TimeControl
	left    [2]time.Duration
	now     func() time.Time
}

func newClock(south, north TimeControl) *clock {
	return &clock{[2]TimeControl{south, north}, [2]time.Duration{south.Base, north.Base}, time.Now}
}

// ask lets the player make one move on the board, against the clock if there
// is one. Choice.Time is the referee's measurement.
func (k *clock) ask(ctx context.Context, s *seat, g *oware.Game) (Choice, error) {
	side := g.Position().ToMove()
	control := k.control[side]
	if control.Base == 0 {
		return k.timed(ctx, s, g)
	}
	if err := s.setClock(Clocks{k.left, [2]time.Duration{k.control[0].Inc, k.control[1].Inc}}); err != nil {
		return Choice{}, err
	}
	limit := k.left[side] + control.Margin
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	choice, err := k.timed(inner, s, g)
	if choice.Time > limit || err != nil && inner.Err() != nil && ctx.Err() == nil {
		return choice, errFlag
	}
	k.left[side] = max(0, k.left[side]-choice.Time) + control.Inc
	return choice, err
}

// timed measures a move.
func (k *clock) timed(ctx context.Context, s *seat, g *oware.Game) (Choice, error) {
	begin := k.now()
	choice, err := ask(ctx, s, g)
	choice.Time = k.now().Sub(begin)
	return choice, err
}

func (s *seat) setClock(c Clocks) (err error) {
	defer s.guard(&err)
	if p, ok := s.player.(Clocked); ok {
		p.SetClock(c)
	}
	return nil
}
