package datasets

import (
	"fmt"
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

// column is a run of values of one column; its type says which slice is used.
type column struct {
	name   string
	typ    columnType
	about  string // what the values are, with their unit
	ints   []int64
	floats []float64
	bools  []bool
	texts  []string
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

// sameLength returns the number of rows, or an error if the columns differ.
func sameLength(cols []column) (int, error) {
	n := cols[0].len()
	for i := range cols {
		if cols[i].len() != n {
			return 0, fmt.Errorf("column %q has %d rows where %q has %d", cols[i].name, cols[i].len(), cols[0].name, n)
		}
	}
	return n, nil
}

// positionColumns is how many columns of its positions a table begins with.
func (m Meta) positionColumns() int {
	if m.Results {
		return originColumns + len(resultColumns)
	}
	return originColumns
}

// originColumns is how many of them every table has.
const originColumns = 5

// columnsFor is the schema of a table of a game, whose meta has been checked.
func columnsFor(m Meta, g games.Info) []column {
	cols := []column{
		{name: "key", typ: typeInt64, about: "number of the position; 0 where the game numbers none"},
		{name: "board", typ: typeText, about: g.BoardText},
		{name: "phase", typ: typeUint8, about: g.PhaseName},
		{name: "game", typ: typeInt32, about: "number of the game that the position is from; 0 for none"},
		{name: "ply", typ: typeInt32, about: "moves played before the position in its game"},
	}
	add := func(name string, typ columnType, about string) {
		cols = append(cols, column{name: name, typ: typ, about: about})
	}
	if m.Results {
		add(resultColumns[0], typeText, "of the game, for the side to move: win, draw, loss, empty for none")
		add(resultColumns[1], typeInt32, g.Unit+"s that the side to move is ahead at the end of the game; 0 where the rules did not end it")
	}
	if m.Kind == Labels {
		add("score", typeInt32, "hundredths of a unit for the side to move; beyond 10000 a proven win or loss")
	}
	if m.Kind != Positions {
		add("label", typeFloat64, "points for the side to move, -1000 to 1000")
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
		add(weightColumn, typeFloat64, "rows that the row counts for, 0 or more")
	}
	for _, f := range m.Features {
		add("own_"+ColumnName(f), typeUint8, f+" on the side of the side to move")
		add("opp_"+ColumnName(f), typeUint8, f+" on the other side")
	}
	for _, name := range m.Columns {
		add(name, typeFloat64, "computed by another program: for the side to move, less the same for the other side")
	}
	return cols
}

// PredictionColumns are those that a dataset of predictions has behind its others: points for
// the side to move, the label less the prediction, and a number that rows which depend on each
// other share.
var PredictionColumns = []string{"prediction", "residual", "group"}

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
