package datasets

import (
	"math"
	"slices"
	"strings"

	"kroo/games"
)

// Row is a row of a table: a position and its data. Fields without a column in the table are zero:
// see [Meta] and docs/formats.md.
type Row[P games.Position[P]] struct {
	Position P
	Game     int32 // number of the position's game, from 1; 0 if none
	Ply      int32 // moves played in that game before the position
	Outcome        // of that game
	Group    int64 // 0 for the group of [GroupOf]

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

// Has lists which optional columns a table has.
type Has struct {
	AllMoves bool `json:"all_moves,omitempty"` // labels of earlier versions: a column with the scores of all moves
	Weighted bool `json:"weighted,omitempty"`  // labels and features: a weight of each row
	Results  bool `json:"results,omitempty"`   // the outcome of each row's game
	Grouped  bool `json:"grouped,omitempty"`   // labels and features: a group of each row
}

// definition describes a column of our tables for readers, writers and lists of columns.
type definition[P games.Position[P]] struct {
	column
	kinds []string         // of table that may have it; nil means all
	has   func(*Has) *bool // the flag of tables that have it; nil means all
	// derived marks a column computed from the position; it is rebuilt when importing tables.
	derived bool
	missing string // replaces a missing value in tables of other programs; "" means 0, false or an empty text
	access[P]
}

// access reads and writes a row's value of a column.
type access[P games.Position[P]] struct {
	put  func(c *column, r *Row[P]) error        // appends the row's value
	take func(r *Row[P], c *column, i int) error // sets the row's value to the i-th
}

// ofKind reports whether tables of a kind can have the column.
func (d *definition[P]) ofKind(kind string) bool {
	return d.kinds == nil || slices.Contains(d.kinds, kind)
}

// in reports whether a table has the column.
func (d *definition[P]) in(m *Meta) bool { return d.ofKind(m.Kind) && (d.has == nil || *d.has(&m.Has)) }

// Limits of values, so that no sum of their squares overflows.
const (
	maxLabel  = games.MaxPoints
	maxScore  = 20_000 // a proven result in 0 plies
	maxMargin = 1000   // larger than any margin of the games
	maxWeight = 1e9
	maxValue  = 1e9
)

// maxText exceeds the length of any board, and maxScores that of the scores of 218 moves, the most
// in a chess position. Without a limit, rows sharing one long text in a hostile file would be far
// larger in memory than the file.
const (
	maxText   = 256
	maxScores = 4096
)

// GroupColumn is the name of the group column (Meta.Grouped).
const GroupColumn = "group"

const weightColumn = "weight"

var (
	unbounded   = column{low: math.Inf(-1), high: math.Inf(1)}
	notNegative = column{high: math.Inf(1)}
)

// within is a column of values from low to high; for text, high is the maximum length in bytes.
func within(low, high float64) column { return column{low: low, high: high} }

// is sets a column's name, type and description.
func (c column) is(name string, typ columnType, about string) column {
	c.name, c.typ, c.about = name, typ, about
	return c
}

// unlisted leaves a column out of summaries and filters.
func (c column) unlisted() column {
	c.hidden = true
	return c
}

// allDefinitions lists all columns that our tables can have, in order, including those absent from
// this table. Features and columns of other programs are those of this table only.
func allDefinitions[P games.Position[P]](g *games.Game[P], m *Meta) []definition[P] {
	labels, labelled := []string{Labels}, []string{Labels, Features}
	text := within(0, maxText)
	all := []definition[P]{
		{column: unbounded.is("key", typeInt64, "number of the position; 0 if the game does not number positions").unlisted(), derived: true, access: keyAccess(g, m)},
		{column: text.is("board", typeText, g.BoardText).unlisted(), derived: true, access: boardAccess(g, m)},
		{column: within(0, math.MaxUint8).is("phase", typeUint8, g.PhaseName), derived: true, access: phaseAccess(g)},
		{column: notNegative.is("game", typeInt32, "number of the position's game; 0 if none"),
			access: whole(func(r *Row[P]) *int32 { return &r.Game })},
		{column: notNegative.is("ply", typeInt32, "moves played before the position in its game"),
			access: whole(func(r *Row[P]) *int32 { return &r.Ply })},
		{column: text.is("result", typeText, "of the game, for the side to move: win, draw or loss; empty if unknown"),
			has: func(h *Has) *bool { return &h.Results },
			access: texts(func(r *Row[P]) string { return r.Result.String() }, func(r *Row[P], text string) (err error) {
				r.Result, err = oneOf[Result]("result", text, resultNames[:])
				return err
			})},
		{column: within(-maxMargin, maxMargin).is("margin", typeInt32, g.Unit+"s by which the side to move is ahead at the end of the game; 0 if the rules did not end it"),
			has: func(h *Has) *bool { return &h.Results }, access: whole(func(r *Row[P]) *int32 { return &r.Margin })},
		{column: unbounded.is(GroupColumn, typeInt64, "the same for rows of one game or one position: no split should divide them"),
			kinds: labelled, has: func(h *Has) *bool { return &h.Grouped }, access: whole(func(r *Row[P]) *int64 { return &r.Group })},
		{column: within(-maxScore, maxScore).is("score", typeInt32, "hundredths of a unit for the side to move; beyond 10000 a proven win or loss"),
			kinds: labels, access: whole(func(r *Row[P]) *int32 { return &r.Score })},
		{column: within(-maxLabel, maxLabel).is("label", typeFloat64, "points for the side to move, -1000 to 1000"),
			kinds: labelled, access: reals(func(r *Row[P]) *float64 { return &r.Label })},
		{column: notNegative.is("depth", typeInt32, "plies of the search"),
			kinds: labelled, access: whole(func(r *Row[P]) *int32 { return &r.Depth })},
		{column: within(0, 1).is("exact", typeBool, "the score is proven"),
			kinds: labelled, access: truths(func(r *Row[P]) *bool { return &r.Exact })},
		{column: notNegative.is("nodes", typeInt64, "positions visited by the search"),
			kinds: labels, access: whole(func(r *Row[P]) *int64 { return &r.Nodes })},
		{column: text.is("bound", typeText, "kind of score: value, at_least or at_most"),
			kinds: labels, missing: Value.String(),
			access: texts(func(r *Row[P]) string { return r.Bound.String() }, func(r *Row[P], text string) (err error) {
				r.Bound, err = oneOf[Bound]("bound", text, boundNames[:])
				return err
			})},
		{column: text.is("best", typeText, "best move; empty if unknown"), kinds: labels, access: bestAccess(g)},
		{column: within(0, maxScores).is("scores", typeText, "score of each legal move, best first: F=-12 A=-30").unlisted(),
			kinds: labels, has: func(h *Has) *bool { return &h.AllMoves }, access: texts(func(*Row[P]) string { return "" }, func(*Row[P], string) error { return nil })},
		{column: within(0, maxWeight).is(weightColumn, typeFloat64, "weight of the row: number of rows that it counts for"),
			kinds: labelled, has: func(h *Has) *bool { return &h.Weighted }, access: reals(func(r *Row[P]) *float64 { return &r.Weight })},
	}
	for i, f := range m.Features {
		counts := func(side, about string, of func(*Row[P]) []uint8) {
			all = append(all, definition[P]{column: within(0, math.MaxUint8).is(side+ColumnName(f), typeUint8, f+about),
				kinds: []string{Features}, access: whole(func(r *Row[P]) *uint8 { return &of(r)[i] })})
		}
		counts("own_", " on the side of the side to move", func(r *Row[P]) []uint8 { return r.Own })
		counts("opp_", " on the other side", func(r *Row[P]) []uint8 { return r.Opp })
	}
	for i, name := range m.Columns {
		all = append(all, definition[P]{column: within(-maxValue, maxValue).is(name, typeFloat64, "computed by another program: the side to move's minus the other side's"),
			kinds: []string{Features}, access: reals(func(r *Row[P]) *float64 { return &r.Values[i] })})
	}
	return all
}

// definitions lists the columns of a table whose meta has been checked.
func definitions[P games.Position[P]](g *games.Game[P], m *Meta) []definition[P] {
	return slices.DeleteFunc(allDefinitions(g, m), func(d definition[P]) bool { return !d.in(m) })
}

// columnsFor returns the columns of a table whose meta has been checked.
func columnsFor(m Meta, g games.Info) (cols []column) {
	for _, d := range definitions(&games.Game[noPosition]{Info: g}, &m) {
		cols = append(cols, d.column)
	}
	return cols
}

// PredictionColumns are the last columns of a dataset of predictions: points for the side to move,
// and label minus prediction.
var PredictionColumns = []string{"prediction", "residual"}

// ColumnName returns a feature's name in a form that SQL accepts without quotes: <1 becomes lt_1.
func ColumnName(feature string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(feature) {
		switch {
		case r == '<':
			b.WriteString("lt_")
		case r == '>':
			b.WriteString("gt_")
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}
