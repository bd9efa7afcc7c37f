package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kroo/games"
)

// columnType is the type of a column as stored. In memory the integers are all
// int64, which keeps the code that walks columns short.
type columnType string

const (
	typeInt64   columnType = "int64"
	typeInt32   columnType = "int32"
	typeUint8   columnType = "uint8"
	typeFloat64 columnType = "float64"
	typeBool    columnType = "bool"
	typeText    columnType = "text"
)

// field is the type as [Fields] have it.
func (t columnType) field() string {
	switch t {
	case typeBool:
		return TruthField
	case typeText:
		return TextField
	}
	return NumberField
}

// column is a run of values of one column; its type says which slice is used.
type column struct {
	name  string
	typ   columnType
	about string // what the values are, with their unit
	// low and high bound the values of a column of numbers.
	low, high float64
	ints      []int64
	floats    []float64
	bools     []bool
	texts     []string
}

func (c *column) len() int {
	switch c.typ {
	case typeFloat64:
		return len(c.floats)
	case typeBool:
		return len(c.bools)
	case typeText:
		return len(c.texts)
	}
	return len(c.ints)
}

func (c *column) reset() {
	c.ints, c.floats, c.bools, c.texts = c.ints[:0], c.floats[:0], c.bools[:0], c.texts[:0]
}

// appendNumbers appends the values as numbers, truth as 0 or 1; a column of text has none.
func (c *column) appendNumbers(dst []float64) []float64 {
	for _, v := range c.ints {
		dst = append(dst, float64(v))
	}
	for _, v := range c.bools {
		dst = append(dst, number(v))
	}
	return append(dst, c.floats...)
}

// keep leaves the values of the given rows, which are in ascending order.
func (c *column) keep(rows []int32) {
	c.ints, c.floats, c.bools, c.texts = kept(c.ints, rows), kept(c.floats, rows), kept(c.bools, rows), kept(c.texts, rows)
}

func kept[T any](values []T, rows []int32) []T {
	if len(values) == 0 {
		return values
	}
	for i, row := range rows {
		values[i] = values[row]
	}
	return values[:len(rows)]
}

// appendRows appends values of another column of the type.
func (c *column) appendRows(of *column, from, to int) {
	c.ints, c.floats = appendSome(c.ints, of.ints, from, to), appendSome(c.floats, of.floats, from, to)
	c.bools, c.texts = appendSome(c.bools, of.bools, from, to), appendSome(c.texts, of.texts, from, to)
}

func appendSome[T any](dst, values []T, from, to int) []T {
	if len(values) == 0 {
		return dst
	}
	return append(dst, values[from:to]...)
}

// check refuses a value out of range, and returns the number of its row.
func (c *column) check() (row int, err error) {
	for i, v := range c.ints {
		if v := float64(v); v < c.low || v > c.high {
			return i, c.outOfRange(v)
		}
	}
	for i, v := range c.floats {
		if !(v >= c.low && v <= c.high) { // not the other way round: NaN
			return i, c.outOfRange(v)
		}
	}
	return 0, nil
}

func (c *column) outOfRange(v float64) error {
	if math.IsInf(c.high, 1) {
		return fmt.Errorf("%s is %.20g: expected no negative number", c.name, v)
	}
	return fmt.Errorf("%s is %.20g: expected %g to %g", c.name, v, c.low, c.high)
}

// checkRanges refuses values out of range; first is the number of the first row in its table.
func checkRanges(cols []column, first int64) error {
	for i := range cols {
		if row, err := cols[i].check(); err != nil {
			return fmt.Errorf("row %d: %w", first+int64(row), err)
		}
	}
	return nil
}

func resetAll(cols []column) {
	for i := range cols {
		cols[i].reset()
	}
}

// maxText is longer than any board, and maxScores than the scores of the 218 moves
// that a position of chess can have. Without a limit, rows that share one long text in
// a hostile file would become far larger in memory than the file.
const (
	maxText   = 256
	maxScores = 4096
)

// Names of the columns with the scores of all moves, and with the weights of rows.
const (
	scoresColumn = "scores"
	weightColumn = "weight"
)

// addText appends a copy of a text.
func addText[T ~string | ~[]byte](c *column, v T) error {
	longest := maxText
	if c.name == scoresColumn {
		longest = maxScores
	}
	if len(v) > longest {
		return fmt.Errorf("column %q holds a text of %d bytes: at most %d", c.name, len(v), longest)
	}
	c.texts = append(c.texts, string([]byte(v)))
	return nil
}

// sameLength returns the number of rows, or an error if the wanted columns differ.
func sameLength(cols []column, wanted []int) (int, error) {
	first := &cols[wanted[0]]
	n := first.len()
	for _, i := range wanted {
		if cols[i].len() != n {
			return 0, fmt.Errorf("column %q has %d rows where %q has %d", cols[i].name, cols[i].len(), first.name, n)
		}
	}
	return n, nil
}

// positionColumns is how many columns of its positions a table begins with.
func (m Meta) positionColumns() int {
	n := originColumns
	if m.Results {
		n += len(resultColumns)
	}
	if m.Grouped {
		n++
	}
	return n
}

// originColumns is how many of them every table has.
const originColumns = 5

// numbersTo are the numbers from 0 to n-1: of all columns.
func numbersTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// columnsFor is the schema of a table of a game, whose meta has been checked.
func columnsFor(m Meta, g games.Info) []column {
	var cols []column
	within := func(name string, typ columnType, low, high float64, about string) {
		cols = append(cols, column{name: name, typ: typ, about: about, low: low, high: high})
	}
	add := func(name string, typ columnType, about string) { within(name, typ, 0, math.Inf(1), about) }
	within("key", typeInt64, math.Inf(-1), math.Inf(1), "number of the position; 0 where the game numbers none")
	add("board", typeText, g.BoardText)
	within("phase", typeUint8, 0, math.MaxUint8, g.PhaseName)
	add("game", typeInt32, "number of the game that the position is from; 0 for none")
	add("ply", typeInt32, "moves played before the position in its game")
	if m.Results {
		add(resultColumns[0], typeText, "of the game, for the side to move: win, draw, loss, empty for none")
		within(resultColumns[1], typeInt32, -maxMargin, maxMargin, g.Unit+"s that the side to move is ahead at the end of the game; 0 where the rules did not end it")
	}
	if m.Grouped {
		within(GroupColumn, typeInt64, math.Inf(-1), math.Inf(1), "rows of one game, or of one situation, have the same: no split should divide them")
	}
	if m.Kind == Labels {
		within("score", typeInt32, -maxScore, maxScore, "hundredths of a unit for the side to move; beyond 10000 a proven win or loss")
	}
	if m.Kind != Positions {
		within("label", typeFloat64, -maxLabel, maxLabel, "points for the side to move, -1000 to 1000")
		add("depth", typeInt32, "plies of the search")
		add("exact", typeBool, "the score is proven")
	}
	if m.Kind == Labels {
		add("nodes", typeInt64, "positions visited by the search")
		add("bound", typeText, "what the score is: value, at_least or at_most")
		add("best", typeText, "best move; empty for none")
	}
	if m.AllMoves {
		add(scoresColumn, typeText, "score of each legal move, best first: F=-12 A=-30")
	}
	if m.Weighted {
		within(weightColumn, typeFloat64, 0, maxWeight, "rows that the row counts for, 0 or more")
	}
	for _, f := range m.Features {
		within("own_"+ColumnName(f), typeUint8, 0, math.MaxUint8, f+" on the side of the side to move")
		within("opp_"+ColumnName(f), typeUint8, 0, math.MaxUint8, f+" on the other side")
	}
	for _, name := range m.Columns {
		within(name, typeFloat64, -maxValue, maxValue, "computed by another program: for the side to move, less the same for the other side")
	}
	return cols
}

// PredictionColumns are those that a dataset of predictions has behind its others: points for
// the side to move, and the label less the prediction.
var PredictionColumns = []string{"prediction", "residual"}

// oldPredictionColumns are those of versions that had the group among them.
var oldPredictionColumns = append(slices.Clone(PredictionColumns), GroupColumn)

// ColumnName is a feature's name as SQL takes it without quotes: <1 is lt_1.
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
