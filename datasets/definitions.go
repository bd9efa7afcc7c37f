package datasets

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"kroo/games"
)

// definition describes a column of our tables for readers, writers and lists of columns.
type definition struct {
	column
	kinds []string                   // of table that may have it; nil means all
	has   func(OptionalColumns) bool // whether a table has it; nil means all
	// derived marks a column computed from the position; it is rebuilt when importing tables.
	derived bool
	missing string // replaces a missing value in tables of other programs; "" means 0, false or an empty text
}

// isIn reports whether a table has the column.
func (d *definition) isIn(m *Meta) bool {
	ofKind := d.kinds == nil || slices.Contains(d.kinds, m.Kind)
	return ofKind && (d.has == nil || d.has(m.OptionalColumns))
}

// Limits of values, so that no sum of their squares overflows.
const (
	maxLabel  = games.MaxPoints
	maxScore  = 20_000 // a proven result in 0 plies
	maxMargin = 1000   // larger than any margin of the games
	maxWeight = 1e9
	maxValue  = 1e9
)

// maxText exceeds the length of any board. Without a limit, rows sharing one long text in a hostile
// file would be far larger in memory than the file.
const maxText = 256

// GroupColumn is the name of the group column (Meta.Grouped).
const GroupColumn = "group"

const weightColumn = "weight"

// newColumn is a column of values from low to high; for text, high is the maximum length in bytes.
func newColumn(name string, typ columnType, low, high float64, about string) column {
	return column{name: name, typ: typ, low: low, high: high, about: about}
}

// hide leaves a column out of summaries and filters.
func (c column) hide() column {
	c.hidden = true
	return c
}

// allDefinitions lists all columns that our tables can have, in order, including those absent from
// this table. Features and columns of other programs are those of this table only.
func allDefinitions(g games.Info, m *Meta) []definition {
	all := slices.Concat(positionDefinitions(g), labelDefinitions())
	features := []string{Features}
	for _, f := range m.Features {
		name := ColumnName(f)
		own := newColumn("own_"+name, typeUint8, 0, math.MaxUint8, f+" on the side of the side to move")
		opp := newColumn("opp_"+name, typeUint8, 0, math.MaxUint8, f+" on the other side")
		all = append(all, definition{column: own, kinds: features}, definition{column: opp, kinds: features})
	}
	for _, name := range m.Columns {
		values := newColumn(name, typeFloat64, -maxValue, maxValue,
			"computed by another program: the side to move's minus the other side's")
		all = append(all, definition{column: values, kinds: features})
	}
	return all
}

// positionDefinitions lists the columns of positions and their games.
func positionDefinitions(g games.Info) []definition {
	inf := math.Inf(1)
	hasResults := func(o OptionalColumns) bool { return o.Results }
	key := newColumn("key", typeInt64, -inf, inf,
		"number of the position; 0 if the game does not number positions")
	board := newColumn("board", typeText, 0, maxText, g.BoardText)
	phase := newColumn("phase", typeUint8, 0, math.MaxUint8, g.PhaseName)
	game := newColumn("game", typeInt32, 0, inf, "number of the position's game; 0 if none")
	ply := newColumn("ply", typeInt32, 0, inf, "moves played before the position in its game")
	result := newColumn("result", typeText, 0, maxText,
		"of the game, for the side to move: win, draw or loss; empty if unknown")
	margin := newColumn("margin", typeInt32, -maxMargin, maxMargin,
		g.Unit+"s by which the side to move is ahead at the end of the game; 0 if the rules did not end it")
	return []definition{
		{column: key.hide(), derived: true},
		{column: board.hide(), derived: true},
		{column: phase, derived: true},
		{column: game},
		{column: ply},
		{column: result, has: hasResults},
		{column: margin, has: hasResults},
	}
}

// labelDefinitions lists the columns of labels, and of features with labels.
func labelDefinitions() []definition {
	inf := math.Inf(1)
	labels := []string{Labels}
	labelled := []string{Labels, Features}
	group := newColumn(GroupColumn, typeInt64, -inf, inf,
		"the same for rows of one game or one position: no split should divide them")
	score := newColumn("score", typeInt32, -maxScore, maxScore,
		"hundredths of a unit for the side to move; beyond 10000 a proven win or loss")
	label := newColumn("label", typeFloat64, -maxLabel, maxLabel, "points for the side to move, -1000 to 1000")
	depth := newColumn("depth", typeInt32, 0, inf, "plies of the search")
	exact := newColumn("exact", typeBool, 0, 1, "the score is proven")
	nodes := newColumn("nodes", typeInt64, 0, inf, "positions visited by the search")
	bound := newColumn("bound", typeText, 0, maxText, "kind of score: value, at_least or at_most")
	bound.choices = boundNames[:]
	best := newColumn("best", typeText, 0, maxText, "best move; empty if unknown")
	weight := newColumn(weightColumn, typeFloat64, 0, maxWeight,
		"weight of the row: number of rows that it counts for")
	return []definition{
		{column: group, kinds: labelled, has: func(o OptionalColumns) bool { return o.Grouped }},
		{column: score, kinds: labels},
		{column: label, kinds: labelled},
		{column: depth, kinds: labelled},
		{column: exact, kinds: labelled},
		{column: nodes, kinds: labels},
		{column: bound, kinds: labels, missing: Value.String()},
		{column: best, kinds: labels},
		{column: weight, kinds: labelled, has: func(o OptionalColumns) bool { return o.Weighted }},
	}
}

// definitions lists the columns of a table whose meta has been checked.
func definitions(g games.Info, m *Meta) []definition {
	return slices.DeleteFunc(allDefinitions(g, m), func(d definition) bool { return !d.isIn(m) })
}

// columnsFor returns the columns of a table whose meta has been checked.
func columnsFor(m Meta, g games.Info) (cols []column) {
	for _, d := range definitions(g, &m) {
		cols = append(cols, d.column)
	}
	return cols
}

// PredictionColumns are the last columns of a dataset of predictions: points for the side to move,
// and label minus prediction.
var PredictionColumns = []string{"prediction", "residual"}

// ColumnName returns a feature's name in a form that SQL accepts without quotes: <1 becomes lt_1.
func ColumnName(feature string) string {
	return otherThanWord.ReplaceAllString(comparisons.Replace(strings.ToLower(feature)), "_")
}

var (
	comparisons   = strings.NewReplacer("<", "lt_", ">", "gt_")
	otherThanWord = regexp.MustCompile(`[^a-z0-9_]`)
)
