package datasets

import (
	"cmp"
	"errors"
	"fmt"

	"kroo/games"
)

// Row is a row of a table: a position and its data. Fields without a column in the table are zero:
// see [Meta] and docs/formats.md.
type Row[P games.Position[P]] struct {
	Position P
	Game     int32 // number of the position's game, from 1; 0 if none
	Ply      int32 // moves played in that game before the position
	Outcome        // of that game
	Group    int64 // 0 for the default, [GroupOf]

	Score   int32   // of the search, hundredths of a unit for the side to move, within ±20000
	Bound   Bound   // kind of Score
	Label   float64 // points for the side to move, within ±1000
	Depth   int32   // plies of the last finished iteration
	Nodes   int64   // positions visited
	Exact   bool    // the score is proven, not heuristic
	HasBest bool    // whether Best is set; it is not if an endgame table answers the position
	Best    games.Move
	Weight  float64 // number of rows that this one counts for, 0 or more

	// Own and Opp contain each feature of the table's set: its value for the side to move and for
	// the other side. Values contains one number for each of Meta.Columns, computed by another
	// program: the side to move's value less the other side's.
	Own, Opp []uint8
	Values   []float64
}

// OptionalColumns lists which optional columns a table has.
type OptionalColumns struct {
	Weighted bool `json:"weighted,omitempty"` // labels and features: a weight of each row
	Results  bool `json:"results,omitempty"`  // the outcome of each row's game
	Grouped  bool `json:"grouped,omitempty"`  // labels and features: a group of each row
}

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
	return Outcome{[...]Result{Loss, Draw, Win}[cmp.Compare(diff, 0)+1], int32(diff)}
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

// rowColumn is a column of a table with the access to its value in a row.
type rowColumn[P games.Position[P]] struct {
	definition
	access[P]
}

// rowCodec converts between rows and columns.
type rowCodec[P games.Position[P]] struct {
	game *games.Game[P]
	meta *Meta
	defs []rowColumn[P]
	row  Row[P]
}

func newRowCodec[P games.Position[P]](g *games.Game[P], m *Meta) *rowCodec[P] {
	x := &rowCodec[P]{game: g, meta: m}
	accesses := accessOf(g, m)
	for _, d := range definitions(g.Info, m) {
		x.defs = append(x.defs, rowColumn[P]{d, accesses[d.name]})
	}
	return x
}

// put checks a row and appends it to the columns.
func (x *rowCodec[P]) put(cols []column, r Row[P]) error {
	x.row = r
	if err := x.check(); err != nil {
		return err
	}
	if x.meta.Grouped && r.Group == 0 {
		x.row.Group = GroupOf(x.game, r.Position, r.Game)
	}
	for k := range x.defs {
		if err := x.defs[k].put(&cols[k], &x.row); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a row that does not fit the meta or that no column can store.
func (x *rowCodec[P]) check() error {
	r, m := &x.row, x.meta
	if rules := x.game.RulesOf(r.Position); rules != m.Rules {
		return fmt.Errorf("the position is for the rules %s: expected %s", rules, m.Rules)
	}
	if n := len(m.Features); m.Kind == Features && (len(r.Own) != n || len(r.Opp) != n) {
		return fmt.Errorf("%d own and %d opponent's features: the meta names %d", len(r.Own), len(r.Opp), n)
	}
	if n := len(m.Columns); m.Kind == Features && len(r.Values) != n {
		return fmt.Errorf("%d values of columns: the meta names %d", len(r.Values), n)
	}
	if int(r.Bound) >= len(boundNames) || int(r.Result) >= len(resultNames) {
		return errors.New("an unknown bound or result")
	}
	return r.Outcome.check()
}

// take builds a row of the columns' i-th values, whose key, board and phase must agree on the
// position. The row is valid until the next call.
func (x *rowCodec[P]) take(cols []column, i int) (*Row[P], error) {
	x.reset()
	for k := range x.defs {
		if err := x.defs[k].take(&x.row, &cols[k], i); err != nil {
			return nil, err
		}
	}
	return &x.row, x.complete()
}

// reset empties the row.
func (x *rowCodec[P]) reset() {
	x.row = Row[P]{}
	if n := len(x.meta.Features); n > 0 {
		both := make([]uint8, 2*n)
		x.row.Own, x.row.Opp = both[:n:n], both[n:]
	}
	if n := len(x.meta.Columns); n > 0 {
		x.row.Values = make([]float64, n)
	}
}

// complete sets a group that is the default to 0, and checks the outcome.
func (x *rowCodec[P]) complete() error {
	r := &x.row
	if r.Game == 0 || r.Group == int64(r.Game) {
		r.Group = 0
	}
	return r.Outcome.check()
}
