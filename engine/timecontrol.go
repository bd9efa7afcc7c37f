package engine

import (
	"fmt"
	"strings"
	"time"
)

// TimeControl is a player's time for a game. The zero value means no clock.
type TimeControl struct {
	Base time.Duration // at the start
	Inc  time.Duration // added after each move
}

// longestControl bounds each part of a time control, to catch typing errors.
const longestControl = 24 * time.Hour

// UnmarshalText reads "BASE" or "BASE+INCREMENT" with units, such as
// "10s+100ms" or "1m".
func (tc *TimeControl) UnmarshalText(text []byte) (err error) {
	base, inc, both := strings.Cut(string(text), "+")
	if tc.Base, err = time.ParseDuration(base); err == nil && both {
		tc.Inc, err = time.ParseDuration(inc)
	}
	if err != nil || tc.Base <= 0 || tc.Check() != nil {
		return fmt.Errorf("expected BASE+INCREMENT, such as 10s+100ms, above 0 and of at most %s each", longestControl)
	}
	return nil
}

// MarshalText writes the format of UnmarshalText, "" without a clock.
func (tc TimeControl) MarshalText() ([]byte, error) { return []byte(tc.String()), nil }

// String returns the text form, "" without a clock.
func (tc TimeControl) String() string {
	switch {
	case tc.Base == 0:
		return ""
	case tc.Inc == 0:
		return tc.Base.String()
	}
	return tc.Base.String() + "+" + tc.Inc.String()
}

// Check returns an error for times out of range.
func (tc TimeControl) Check() error {
	if min(tc.Base, tc.Inc) < 0 || max(tc.Base, tc.Inc) > longestControl || tc.Base == 0 && tc.Inc > 0 {
		return fmt.Errorf("time control of %s, increment %s: expected a time to start with, and each from 0 to %s", tc.Base, tc.Inc, longestControl)
	}
	return nil
}
