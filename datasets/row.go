package datasets

import (
	"fmt"
	"slices"
	"strings"

	"kroo/games"
)

// Outcome is a game's result for the side to move at one of its positions.
type Outcome struct {
	Result Result
	Margin int32 // final difference in the game's units; 0 if the game did not end by the rules
}

// Result is a win, a draw or a loss.
type Result uint8

// The results. An unfinished game has none.
const (
	NoResult Result = iota
	Win
	Draw
	Loss
)

var resultNames = [...]string{"", "win", "draw", "loss"}

// String returns the name used in tables, "" for no result.
func (r Result) String() string { return resultNames[r] }

// For returns the outcome for a side, 0 or 1, if this is the one for side 0.
func (o Outcome) For(side int) Outcome {
	if side == 1 {
		o.Result, o.Margin = [...]Result{NoResult, Loss, Draw, Win}[o.Result], -o.Margin
	}
	return o
}

// OutcomeOf returns the outcome of a game that ended by the rules with a difference.
func OutcomeOf(diff int) Outcome {
	switch {
	case diff > 0:
		return Outcome{Win, int32(diff)}
	case diff < 0:
		return Outcome{Loss, int32(diff)}
	}
	return Outcome{Result: Draw}
}

// Bound is the kind of a score.
type Bound uint8

// The kinds of score.
const (
	Value   Bound = iota // the search's value
	AtLeast              // a proven win by at least that much
	AtMost               // a proven loss by at least that much
)

var boundNames = [...]string{"value", "at_least", "at_most"}

// String returns the name used in tables.
func (b Bound) String() string { return boundNames[b] }

// check refuses an impossible outcome.
func (o Outcome) check() error {
	if o.Result == NoResult && o.Margin != 0 {
		return fmt.Errorf("margin is %d without a result: expected 0", o.Margin)
	}
	return nil
}

// oneOf finds a name; what is its meaning, for the error.
func oneOf[T ~uint8](what, name string, names []string) (T, error) {
	i := slices.Index(names, name)
	if i < 0 {
		return 0, fmt.Errorf("%s is %.40q: expected %s", what, name, strings.TrimPrefix(games.OrList(names), ", "))
	}
	return T(i), nil
}

// GroupOf returns the group of rows that may depend on each other: those of a game, or, for rows
// without a game, those of a position, whichever side is to move. So a position with sides
// exchanged is in the same group. Splits of rows should not divide a group, and standard errors
// should allow for dependence within it. file distinguishes the games of several files.
func GroupOf[P games.Position[P]](g *games.Game[P], file uint32, p P, game int32) int64 {
	if game != 0 {
		return int64(file)<<32 | int64(game)
	}
	orbit := g.Orbit(p)
	if g.Pass != nil {
		orbit = min(orbit, g.Orbit(g.Pass(p)))
	}
	return ^orbit // negative, so that it differs from numbers of games
}
