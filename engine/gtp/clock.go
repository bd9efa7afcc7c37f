package gtp

import (
	"fmt"
	"strconv"
	"time"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/othello"
)

// ofMove is what a move takes without a limit.
const ofMove = time.Second

// clock is the time of a game as the protocol has it: of a main time, then of periods, each
// for a number of moves. The zero value has no limit.
type clock struct {
	main, period time.Duration
	moves        int // of a period
	sides        [2]struct {
		runs  bool
		left  time.Duration
		moves int // that left is for, 0 for the rest of the main time
	}
}

// set takes the arguments of time_settings: the main time and a period in seconds, and the
// moves of a period. A period for no moves stands for no limit.
func (c *clock) set(words []string) (err error) {
	var next clock
	if next.main, err = parseSeconds(words[0]); err != nil {
		return err
	}
	if next.period, err = parseSeconds(words[1]); err != nil {
		return err
	}
	if next.moves, err = parseCount(words[2]); err != nil {
		return err
	}
	if next.period > 0 && next.moves == 0 {
		next = clock{}
	}
	*c = next
	c.restart()
	return nil
}

// restart gives both sides all their time.
func (c *clock) restart() {
	for side := range c.sides {
		at := &c.sides[side]
		at.runs, at.left, at.moves = c.main > 0 || c.period > 0, c.main, 0
		if c.main == 0 {
			at.left, at.moves = c.period, c.moves
		}
	}
}

// tell takes the arguments of time_left.
func (c *clock) tell(words []string) error {
	side, err := parseColour(words[0])
	if err != nil {
		return err
	}
	left, err := parseSeconds(words[1])
	if err != nil {
		return err
	}
	moves, err := parseCount(words[2])
	if err != nil {
		return err
	}
	at := &c.sides[side]
	at.runs, at.left, at.moves = true, left, moves
	return nil
}

// limits are those of a side's move whose own limits are given.
func (c *clock) limits(own search.Limits, side othello.Side) search.Limits {
	at := c.sides[side]
	if at.runs {
		return own.UnderClock(at.left, 0, at.moves, search.DefaultOverhead)
	}
	if own == (search.Limits{}) {
		own.Time = ofMove
	}
	return own
}

// spend takes the time of a move off a side's clock, until the client tells better.
func (c *clock) spend(side othello.Side, took time.Duration) {
	at := &c.sides[side]
	at.left = max(at.left-took, 0)
	switch {
	case at.moves > 1:
		at.moves--
	case at.moves == 1 || at.left == 0:
		at.left, at.moves = c.period, c.moves
	}
}

// most bounds seconds and moves of a clock: eleven days.
const most = 1e6

func parseSeconds(text string) (time.Duration, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= most) {
		return 0, fmt.Errorf("syntax error: time %s, expected 0 to %g seconds", games.Quote(text), most)
	}
	return time.Duration(v * float64(time.Second)), nil
}

func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("syntax error: moves %s, expected 0 to %g", games.Quote(text), most)
	}
	return n, nil
}
