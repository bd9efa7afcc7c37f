package match

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// TimeControl is the time a player has for a game. The zero value is none.
type TimeControl struct {
	Base time.Duration // at the start
	Inc  time.Duration // added after each move
}

// longestControl bounds each part of a time control, against slips of the pen.
const longestControl = 24 * time.Hour

// UnmarshalText reads "BASE" or "BASE+INCREMENT" with units, such as
// "10s+100ms" or "1m".
func (tc *TimeControl) UnmarshalText(text []byte) (err error) {
	base, inc, both := strings.Cut(string(text), "+")
	if tc.Base, err = time.ParseDuration(base); err == nil && both {
		tc.Inc, err = time.ParseDuration(inc)
	}
	if err != nil || tc.Base <= 0 || tc.check() != nil {
		return fmt.Errorf("expected BASE+INCREMENT, such as 10s+100ms, above 0 and of at most %s each", longestControl)
	}
	return nil
}

// MarshalText writes what UnmarshalText reads, nothing without a clock.
func (tc TimeControl) MarshalText() ([]byte, error) { return []byte(tc.String()), nil }

// String is the text form, "" without a clock.
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
	if min(tc.Base, tc.Inc) < 0 || max(tc.Base, tc.Inc) > longestControl || tc.Base == 0 && tc.Inc > 0 {
		return fmt.Errorf("time control of %s, increment %s: expected a time to begin with, and each from 0 to %s", tc.Base, tc.Inc, longestControl)
	}
	return nil
}

// Clocks are the time that the players have left and what is added after each
// of their moves, by side; both 0 for a player without a clock.
type Clocks struct{ Left, Inc [2]time.Duration }

// errFlag is the forfeit of a player whose time is up.
var errFlag = errors.New("time")

// clock is the two clocks of a game, by side.
type clock struct {
	control [2]TimeControl
	margin  time.Duration // for both; a clock is never below zero at the next move
	left    [2]time.Duration
	now     func() time.Time
}

func newClock(control [2]TimeControl, margin time.Duration) *clock {
	return &clock{control, margin, [2]time.Duration{control[0].Base, control[1].Base}, time.Now}
}

// start starts the clock of a side, if it has one. The context is done when the flag
// falls, after limit.
func (k *clock) start(ctx context.Context, side int) (inner context.Context, cancel func(), limit time.Duration, c Clocks) {
	if k.control[side].Base == 0 {
		return ctx, func() {}, 0, c
	}
	limit = k.left[side] + k.margin
	inner, cancel = context.WithTimeout(ctx, limit)
	return inner, cancel, limit, Clocks{k.left, [2]time.Duration{k.control[0].Inc, k.control[1].Inc}}
}

// stop takes what a move of the side took off its clock.
func (k *clock) stop(side int, took time.Duration) {
	if k.control[side].Base > 0 {
		k.left[side] = max(0, k.left[side]-took) + k.control[side].Inc
	}
}
