package datasets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kroo/games"
)

// Row is a row of a table: a position, and what is known of it. What the table has no column for
// stays zero: see [Meta] and docs/formats.md.
type Row[P games.Position[P]] struct {
	Position P
	Game     int32 // the game that the position is from, counted from 1; 0 for none
	Ply      int32 // moves played in that game before the position
	Outcome        // of that game
	Group    int64 // 0 for that of [GroupOf]

	Score   int32   // of the search, hundredths of a unit for the side to move, within ±20000
	Bound   Bound   // what Score is
	Label   float64 // points for the side to move, within ±1000
	Depth   int32   // plies of the last finished iteration
	Nodes   int64   // positions visited
	Exact   bool    // the score is proven, not heuristic
	HasBest bool    // whether there is a best move: not for positions that an endgame table answers
	Best    games.Move
	Scores  []MoveScore // of every legal move, best first
	Weight  float64     // rows that it counts for, 0 or more

	// Own and Opp hold one number for every feature of the table's set: what it counts on the side
	// of the side to move, and on the other side. Values holds one for each of Meta.Columns, which
	// another program has computed: what something is worth for the side to move, less what it is
	// for the other side.
	Own, Opp []uint8
	Values   []float64
}

// MoveScore is the score of a root move.
type MoveScore struct {
	Move  games.Move
	Score int32 // as Row.Score
}

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
	AtLeast              // a proven win by at least so much
	AtMost               // a proven loss by at least so much
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
