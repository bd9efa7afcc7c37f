package match

import (
	"context"
	"errors"
	"time"

	"kroo/engine"
	"kroo/engine/uci/client"
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
