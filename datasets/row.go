package datasets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kroo/games"
)

// Outcome is how a game ended, for the side to move at a position of it.
type Outcome struct {
	Result Result
	Margin int32 // final difference in the game's units; 0 where the rules did not end the game
}

// Result is a win, a draw or a loss.
type Result uint8

// The results. A game that was not played to its end has none.
const (
	NoResult Result = iota
	Win
	Draw
	Loss
)

var resultNames = [...]string{"", "win", "draw", "loss"}

// String is the name that tables use, "" for none.
func (r Result) String() string { return resultNames[r] }

// Other is the outcome for the other side.
func (o Outcome) Other() Outcome {
	switch o.Result {
	case Win:
		o.Result = Loss
	case Loss:
		o.Result = Win
	}
	o.Margin = -o.Margin
	return o
}

// OutcomeOf is that of a difference which the rules ended a game with.
func OutcomeOf(diff int) Outcome {
	switch {
	case diff > 0:
		return Outcome{Win, int32(diff)}
	case diff < 0:
		return Outcome{Loss, int32(diff)}
	}
	return Outcome{Result: Draw}
}

// Bound says what a score is.
type Bound uint8

// The kinds of score.
const (
	Value   Bound = iota // the value that the search found
	AtLeast              // a proven win by at least that much
	AtMost               // a proven loss by at least that much
)

var boundNames = [...]string{"value", "at_least", "at_most"}

// String is the name that tables hold.
func (b Bound) String() string { return boundNames[b] }

// check refuses an outcome that cannot be.
func (o Outcome) check() error {
	if o.Result == NoResult && o.Margin != 0 {
		return fmt.Errorf("margin is %d without a result: expected 0", o.Margin)
	}
	return nil
}

// oneOf finds a name, and says what it is the name of if there is none.
func oneOf[T ~uint8](what, name string, names []string) (T, error) {
	i := slices.Index(names, name)
	if i < 0 {
		return 0, fmt.Errorf("%s is %.40q: expected %s", what, name, strings.TrimPrefix(games.OrList(names), ", "))
	}
	return T(i), nil
}

// scoresText is "F=-12 A=-30".
func scoresText(scores []MoveScore, name func(games.Move) string) string {
	words := make([]string, len(scores))
	for i, s := range scores {
		words[i] = name(s.Move) + "=" + strconv.Itoa(int(s.Score))
	}
	return strings.Join(words, " ")
}

func parseScores(text string, parse func(name string) (games.Move, error)) (scores []MoveScore, err error) {
	for _, word := range strings.Fields(text) {
		name, number, _ := strings.Cut(word, "=")
		m, err := parse(name)
		if err != nil {
			return nil, fmt.Errorf("scores: %w", err)
		}
		score, err := strconv.ParseInt(number, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("scores: %.40q is no score of a move: expected one as F=-12", word)
		}
		if err := checkScore(int32(score)); err != nil {
			return nil, err
		}
		scores = append(scores, MoveScore{m, int32(score)})
	}
	return scores, nil
}

func checkScore(score int32) error {
	if score < -maxScore || score > maxScore {
		return fmt.Errorf("score is %d: expected -%d to %d", score, maxScore, maxScore)
	}
	return nil
}

// GroupOf numbers the rows that may depend on each other: those of a game, or, of rows that are
// from none, those of a situation, whichever side is to move. So a row as the other side sees it is
// never a group of its own. No split of rows should divide a group, and standard errors allow for
// dependence within it. file tells the games of several files apart.
func GroupOf[P games.Position[P]](g *games.Game[P], file uint32, p P, game int32) int64 {
	if game != 0 {
		return int64(file)<<32 | int64(game)
	}
	orbit := g.Orbit(p)
	if g.Pass != nil {
		orbit = min(orbit, g.Orbit(g.Pass(p)))
	}
	return ^orbit // far from the numbers of games
}
