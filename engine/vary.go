package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"kroo/engine/search"
)

// Vary makes a player play differently in every game, so that a match can have more than one game
// from one position: for each move it draws the nodes and the time of the search from 0.5 to 1.5
// times its limits, and early in the game it draws one of the moves nearly as good as the best. The
// draws follow from the player's Random.
type Vary struct {
	Within int // centi-seeds that an early move may lose against the best, 0 or more
	Plies  int // number of early plies, opening included, 0 or more
}

// UnmarshalText reads "on", "WITHIN" or "WITHIN:PLIES", such as "40:12".
func (v *Vary) UnmarshalText(text []byte) error {
	*v = Vary{Within: 40, Plies: 12}
	if string(text) == "on" {
		return nil
	}
	within, plies, both := strings.Cut(string(text), ":")
	var err, errPlies error
	v.Within, err = strconv.Atoi(within)
	if both {
		v.Plies, errPlies = strconv.Atoi(plies)
	}
	if errors.Join(err, errPlies, v.Check()) != nil {
		return fmt.Errorf("expected on, WITHIN or WITHIN:PLIES, centi-seeds from 0 to %d and plies from 0, such as 40:12", search.MaxHeuristic)
	}
	return nil
}

// MarshalText writes the format of UnmarshalText.
func (v Vary) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Check returns an error for settings out of range.
func (v Vary) Check() error {
	if v.Within < 0 || v.Within > search.MaxHeuristic || v.Plies < 0 {
		return fmt.Errorf("moves within %d centi-seeds of the best for %d plies: expected 0 to %d, and 0 or more", v.Within, v.Plies, search.MaxHeuristic)
	}
	return nil
}

// String returns the text form.
func (v Vary) String() string { return fmt.Sprintf("%d:%d", v.Within, v.Plies) }

// limits draws the limits of one move around those of the player.
func (v *Vary) limits(l search.Limits, random *rand.Rand) search.Limits {
	factor := 0.5 + random.Float64()
	if l.Nodes > 0 {
		l.Nodes = max(1, int64(float64(l.Nodes)*factor))
	}
	switch {
	case l.Soft > 0: // under a clock, whose hard limit stays
		l.Soft = min(time.Duration(float64(l.Soft)*factor), l.Time)
	case l.Time > 0:
		l.Time = max(1, time.Duration(float64(l.Time)*factor))
	}
	return l
}
