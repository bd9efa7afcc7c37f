package datasets

import (
	"cmp"
	"fmt"
	"slices"

	"kroo/games"
)

const (
	maxLabel = games.MaxPoints
	maxScore = 20_000 // a proven result in 0 plies
)

// PositionRow is a row of a positions table. Every row begins with what it
// says: which position it is and where it comes from.
type PositionRow[P games.Position[P]] struct {
	Position P
	Game     int32 // the game that the position is from, counted from 1; 0 for none
	Ply      int32 // moves played in that game before the position
	Outcome        // of that game; tables with Meta.Results only
	Group    int64 // what tables with Meta.Grouped store, 0 for that of [GroupOf]
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

// LabelRow is a labelled position: the outcome of its search.
type LabelRow[P games.Position[P]] struct {
	PositionRow[P]
	Score   int32   // of the search, hundredths of a unit for the side to move, within ±20000
	Bound   Bound   // what Score is
	Label   float64 // points for the side to move, within ±1000
	Depth   int32   // plies of the last finished iteration
	Nodes   int64   // positions visited
	Exact   bool    // the score is proven, not heuristic
	HasBest bool    // whether there is a best move: not for positions that an endgame table answers
	Best    games.Move
	Scores  []MoveScore // of every legal move, best first; tables with Meta.AllMoves only
	Weight  float64     // rows that it counts for, 0 or more; tables with Meta.Weighted only
}

// MoveScore is the score of a root move.
type MoveScore struct {
	Move  games.Move
	Score int32 // as LabelRow.Score
}

// FeatureRow is a labelled position with its features. Own and Opp hold one
// number for every feature of the table's set: what it counts on the side of
// the side to move, and on the other side. Values holds one number for each of
// Meta.Columns, which another program has computed: what something is worth for the
// side to move, less what it is for the other side.
type FeatureRow[P games.Position[P]] struct {
	PositionRow[P]
	Label    float64 // points for the side to move, within ±1000
	Depth    int32   // plies of the labelling search
	Exact    bool    // the label is proven
	Weight   float64 // as LabelRow.Weight
	Own, Opp []uint8
	Values   []float64
}

// Row is a row type of this package, of a game with positions of type P.
type Row[P games.Position[P], R any] interface {
	PositionRow[P] | LabelRow[P] | FeatureRow[P]

	// At is the row's position and origin.
	At() PositionRow[P]
	kind() string
	// check refuses what does not fit the meta, and what no column can hold.
	check(m *Meta) error
	// fields are those that follow the origin's.
	fields(g *games.Game[P], m Meta) []rowField[R]
	// put appends the row to the columns that follow those of its position.
	put(cols []column, g *games.Game[P]) error
	// take builds a row of what the position columns say and the i-th values of
	// the others.
	take(at PositionRow[P], cols []column, i int, g *games.Game[P]) (R, error)
}

func (PositionRow[P]) kind() string { return Positions }

// At is the row itself: of all types of rows, their position and origin.
func (r PositionRow[P]) At() PositionRow[P] { return r }

func (r PositionRow[P]) check(m *Meta) error {
	if !m.Grouped && r.Group != 0 {
		return fmt.Errorf("group is %d: the meta says that there are none", r.Group)
	}
	return r.Outcome.check(m)
}

// maxMargin is larger than any difference of a game of ours.
const maxMargin = 1000

func (o Outcome) check(m *Meta) error {
	if !m.Results && o != (Outcome{}) {
		return fmt.Errorf("result is %q and margin %d: the meta says that there are none", o.Result, o.Margin)
	}
	if o.Result == NoResult && o.Margin != 0 {
		return fmt.Errorf("margin is %d without a result: expected 0", o.Margin)
	}
	return nil
}

func (o Outcome) put(cols []column) {
	cols[0].texts = append(cols[0].texts, o.Result.String())
	putInt(&cols[1], int64(o.Margin))
}

func takeOutcome(cols []column, i int, m *Meta) (Outcome, error) {
	text := cols[0].texts[i]
	r := slices.Index(resultNames[:], text)
	if r < 0 {
		return Outcome{}, fmt.Errorf("result is %.40q: expected win, draw, loss or nothing", text)
	}
	o := Outcome{Result(r), int32(cols[1].ints[i])}
	return o, o.check(m)
}

func (PositionRow[P]) put([]column, *games.Game[P]) error { return nil }

func (PositionRow[P]) take(at PositionRow[P], _ []column, _ int, _ *games.Game[P]) (PositionRow[P], error) {
	return at, nil
}

func (LabelRow[P]) kind() string { return Labels }

func (r LabelRow[P]) check(m *Meta) error {
	if int(r.Bound) >= len(boundNames) {
		return fmt.Errorf("bound is %d: expected 0 to %d", r.Bound, len(boundNames)-1)
	}
	if !m.AllMoves && len(r.Scores) > 0 {
		return fmt.Errorf("scores of %d moves: the meta says none", len(r.Scores))
	}
	for _, s := range r.Scores {
		if err := checkScore(s.Score); err != nil {
			return err
		}
	}
	return cmp.Or(checkWeighted(r.Weight, m), r.PositionRow.check(m))
}

func checkScore(score int32) error {
	if score < -maxScore || score > maxScore {
		return fmt.Errorf("score is %d: expected -%d to %d", score, maxScore, maxScore)
	}
	return nil
}

// Weights and numbers of other programs beyond these sizes are refused, so that no sum of
// squares of them overflows.
const (
	maxWeight = 1e9
	maxValue  = 1e9
)

func checkWeighted(weight float64, m *Meta) error {
	if !m.Weighted && weight != 0 {
		return fmt.Errorf("weight is %v: the meta says that there are none", weight)
	}
	return nil
}

func (r LabelRow[P]) put(cols []column, g *games.Game[P]) error {
	putInt(&cols[0], int64(r.Score))
	cols[1].floats = append(cols[1].floats, r.Label)
	putInt(&cols[2], int64(r.Depth))
	cols[3].bools = append(cols[3].bools, r.Exact)
	putInt(&cols[4], r.Nodes)
	cols[5].texts = append(cols[5].texts, r.Bound.String())
	best := ""
	if r.HasBest {
		best = g.MoveName(r.Position, r.Best)
	}
	cols[6].texts = append(cols[6].texts, best)
	for i := 7; i < len(cols); i++ {
		if cols[i].name == weightColumn {
			cols[i].floats = append(cols[i].floats, r.Weight)
			continue
		}
		if err := addText(&cols[i], scoresText(r.Scores, func(m games.Move) string { return g.MoveName(r.Position, m) })); err != nil {
			return err
		}
	}
	return nil
}

func (LabelRow[P]) take(at PositionRow[P], cols []column, i int, g *games.Game[P]) (r LabelRow[P], err error) {
	r = LabelRow[P]{
		PositionRow: at,
		Score:       int32(cols[0].ints[i]),
		Label:       cols[1].floats[i],
		Depth:       int32(cols[2].ints[i]),
		Exact:       cols[3].bools[i],
		Nodes:       cols[4].ints[i],
	}
	if r.Bound, err = parseBound(cols[5].texts[i]); err != nil {
		return r, err
	}
	if best := cols[6].texts[i]; best != "" {
		r.HasBest = true
		if r.Best, err = g.ParseMove(at.Position, best); err != nil {
			return r, fmt.Errorf("best: %w", err)
		}
	}
	for _, c := range cols[7:] {
		if c.name == weightColumn {
			r.Weight = c.floats[i]
		} else if r.Scores, err = parseScores(c.texts[i], func(name string) (games.Move, error) { return g.ParseMove(at.Position, name) }); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (FeatureRow[P]) kind() string { return Features }

func (r FeatureRow[P]) check(m *Meta) error {
	if n := len(m.Features); len(r.Own) != n || len(r.Opp) != n {
		return fmt.Errorf("%d own and %d opponent's features: the meta names %d", len(r.Own), len(r.Opp), n)
	}
	if n := len(m.Columns); len(r.Values) != n {
		return fmt.Errorf("%d values of columns: the meta names %d", len(r.Values), n)
	}
	return cmp.Or(checkWeighted(r.Weight, m), r.PositionRow.check(m))
}

func (r FeatureRow[P]) put(cols []column, _ *games.Game[P]) error {
	cols[0].floats = append(cols[0].floats, r.Label)
	putInt(&cols[1], int64(r.Depth))
	cols[2].bools = append(cols[2].bools, r.Exact)
	counts, values := behindLabel(cols)
	if len(counts)+len(values) < len(cols)-3 {
		cols[3].floats = append(cols[3].floats, r.Weight)
	}
	for f := range r.Own {
		putInt(&counts[2*f], int64(r.Own[f]))
		putInt(&counts[2*f+1], int64(r.Opp[f]))
	}
	for v := range r.Values {
		values[v].floats = append(values[v].floats, r.Values[v])
	}
	return nil
}

func (FeatureRow[P]) take(at PositionRow[P], cols []column, i int, _ *games.Game[P]) (FeatureRow[P], error) {
	r := FeatureRow[P]{PositionRow: at, Label: cols[0].floats[i], Depth: int32(cols[1].ints[i]), Exact: cols[2].bools[i]}
	counts, values := behindLabel(cols)
	if len(counts)+len(values) < len(cols)-3 {
		r.Weight = cols[3].floats[i]
	}
	for _, c := range values {
		r.Values = append(r.Values, c.floats[i])
	}
	n := len(counts) / 2
	both := make([]uint8, 2*n)
	r.Own, r.Opp = both[:n:n], both[n:]
	for f := range n {
		r.Own[f] = uint8(counts[2*f].ints[i])
		r.Opp[f] = uint8(counts[2*f+1].ints[i])
	}
	return r, nil
}

// behindLabel finds the counts and the values among the columns of a feature row, which may
// have a weight before them.
func behindLabel(cols []column) (counts, values []column) {
	counts = cols[3:]
	if len(counts) > 0 && counts[0].name == weightColumn {
		counts = counts[1:]
	}
	n := 0
	for n < len(counts) && counts[n].typ == typeUint8 {
		n++
	}
	return counts[:n], counts[n:]
}

func putInt(c *column, v int64) { c.ints = append(c.ints, v) }
