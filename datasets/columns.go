package datasets

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"kroo/games"
)

// columnType is the type of a column as stored. All integers are int64 in memory, which keeps the
// code short.
type columnType string

const (
	typeInt64   columnType = "int64"
	typeInt32   columnType = "int32"
	typeUint8   columnType = "uint8"
	typeFloat64 columnType = "float64"
	typeBool    columnType = "bool"
	typeText    columnType = "text"
	typeCell    columnType = "cell" // of another program's file: any value as text, "" if it is missing
)

// The types of columns in `train inspect --json` and the pages of train serve. The storage type is
// in the manifest.
const (
	NumberField = "number"
	TruthField  = "truth"
	TextField   = "text"
)

// column is a run of values of one column; its type selects the slice in use.
type column struct {
	name  string
	typ   columnType
	about string // meaning of the values, with their unit
	// low and high bound numbers; high bounds the length of a text in bytes.
	low, high float64
	hidden    bool // left out of lists and filters
	ints      []int64
	floats    []float64
	bools     []bool
	texts     []string
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// len returns the number of values, which are in one of the slices.
func (c *column) len() int { return max(len(c.ints), len(c.floats), len(c.bools), len(c.texts)) }

func (c *column) reset() {
	c.ints, c.floats, c.bools, c.texts = c.ints[:0], c.floats[:0], c.bools[:0], c.texts[:0]
}

// appendNumbers appends the values as numbers, booleans as 0 or 1; a column of text appends
// nothing.
func (c *column) appendNumbers(dst []float64) []float64 {
	for _, v := range c.ints {
		dst = append(dst, float64(v))
	}
	for _, v := range c.bools {
		dst = append(dst, number(v))
	}
	return append(dst, c.floats...)
}

// keep drops all values except those of the given rows, in ascending order.
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

// appendRows appends values of another column of the same type.
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

// check returns an error for the first value out of range, and its row.
func (c *column) check() (row int, err error) {
	for i, v := range c.ints {
		if v := float64(v); v < c.low || v > c.high {
			return i, c.outOfRange(v)
		}
	}
	for i, v := range c.floats {
		if !(v >= c.low && v <= c.high) { // written so that NaN fails
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

// checkRanges refuses values out of range; first is the table's row number of the first value.
func checkRanges(cols []column, first int64) error {
	for i := range cols {
		if row, err := cols[i].check(); err != nil {
			return fmt.Errorf("row %d: %w", first+int64(row), err)
		}
	}
	return nil
}

// indexOf returns the number of a column, -1 if absent.
func indexOf(cols []column, name string) int {
	return slices.IndexFunc(cols, func(c column) bool { return c.name == name })
}

func resetAll(cols []column) {
	for i := range cols {
		cols[i].reset()
	}
}

// add appends a text.
func (c *column) add(v string) error {
	if float64(len(v)) > c.high {
		return fmt.Errorf("column %q has a text of %d bytes: at most %g", c.name, len(v), c.high)
	}
	c.texts = append(c.texts, v)
	return nil
}

// numbers reports whether users can ask for the values as numbers.
func (c *column) numbers() bool { return c.typ != typeText && !c.hidden }

// blank returns the column without its values.
func (c column) blank() column {
	c.ints, c.floats, c.bools, c.texts = nil, nil, nil, nil
	return c
}

// sameLength returns the number of rows, or an error if the wanted columns differ in length.
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

// definition describes a column of our tables for readers, writers and lists of columns.
type definition[P games.Position[P]] struct {
	column
	kinds []string       // of table that may have it; nil means all
	has   func(Has) bool // whether a table has it; nil means all
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

func whole[P games.Position[P], T uint8 | int32 | int64](of func(*Row[P]) *T) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error { c.ints = append(c.ints, int64(*of(r))); return nil },
		func(r *Row[P], c *column, i int) error { *of(r) = T(c.ints[i]); return nil },
	}
}

func reals[P games.Position[P]](of func(*Row[P]) *float64) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error { c.floats = append(c.floats, *of(r)); return nil },
		func(r *Row[P], c *column, i int) error { *of(r) = c.floats[i]; return nil },
	}
}

func texts[P games.Position[P]](of func(*Row[P]) string, read func(r *Row[P], text string) error) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error { return c.add(of(r)) },
		func(r *Row[P], c *column, i int) error { return read(r, c.texts[i]) },
	}
}

// names is a column of a few texts.
func names[P games.Position[P], T ~uint8](what string, list []string, of func(*Row[P]) *T) access[P] {
	return texts(func(r *Row[P]) string { return list[*of(r)] }, func(r *Row[P], text string) error {
		i := slices.Index(list, text)
		if i < 0 {
			return fmt.Errorf("%s is %.40q: expected %s", what, text, strings.TrimPrefix(games.OrList(list), ", "))
		}
		*of(r) = T(i)
		return nil
	})
}

// ofKind reports whether tables of a kind can have the column.
func (d *definition[P]) ofKind(kind string) bool {
	return d.kinds == nil || slices.Contains(d.kinds, kind)
}

// in reports whether a table has the column.
func (d *definition[P]) in(m *Meta) bool { return d.ofKind(m.Kind) && (d.has == nil || d.has(m.Has)) }

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

// newColumn is a column of values from low to high; for text, high is the maximum length in bytes.
func newColumn(name string, typ columnType, low, high float64, about string) column {
	return column{name: name, typ: typ, low: low, high: high, about: about}
}

// unlisted leaves a column out of summaries and filters.
func (c column) unlisted() column {
	c.hidden = true
	return c
}

// allDefinitions lists all columns that our tables can have, in order, including those absent from
// this table. Features and columns of other programs are those of this table only.
func allDefinitions[P games.Position[P]](g *games.Game[P], m *Meta) []definition[P] {
	labels, labelled, features := []string{Labels}, []string{Labels, Features}, []string{Features}
	inf := math.Inf(1)
	all := []definition[P]{
		{column: newColumn("key", typeInt64, -inf, inf, "number of the position; 0 if the game does not number positions").unlisted(),
			derived: true, access: keyAccess(g, m)},
		{column: newColumn("board", typeText, 0, maxText, g.BoardText).unlisted(), derived: true, access: boardAccess(g, m)},
		{column: newColumn("phase", typeUint8, 0, math.MaxUint8, g.PhaseName), derived: true, access: phaseAccess(g)},
		{column: newColumn("game", typeInt32, 0, inf, "number of the position's game; 0 if none"),
			access: whole(func(r *Row[P]) *int32 { return &r.Game })},
		{column: newColumn("ply", typeInt32, 0, inf, "moves played before the position in its game"),
			access: whole(func(r *Row[P]) *int32 { return &r.Ply })},
		{column: newColumn("result", typeText, 0, maxText, "of the game, for the side to move: win, draw or loss; empty if unknown"),
			has: func(h Has) bool { return h.Results }, access: names("result", resultNames[:], func(r *Row[P]) *Result { return &r.Result })},
		{column: newColumn("margin", typeInt32, -maxMargin, maxMargin, g.Unit+"s by which the side to move is ahead at the end of the game; 0 if the rules did not end it"),
			has: func(h Has) bool { return h.Results }, access: whole(func(r *Row[P]) *int32 { return &r.Margin })},
		{column: newColumn(GroupColumn, typeInt64, -inf, inf, "the same for rows of one game or one position: no split should divide them"),
			kinds: labelled, has: func(h Has) bool { return h.Grouped }, access: whole(func(r *Row[P]) *int64 { return &r.Group })},
		{column: newColumn("score", typeInt32, -maxScore, maxScore, "hundredths of a unit for the side to move; beyond 10000 a proven win or loss"),
			kinds: labels, access: whole(func(r *Row[P]) *int32 { return &r.Score })},
		{column: newColumn("label", typeFloat64, -maxLabel, maxLabel, "points for the side to move, -1000 to 1000"),
			kinds: labelled, access: reals(func(r *Row[P]) *float64 { return &r.Label })},
		{column: newColumn("depth", typeInt32, 0, inf, "plies of the search"),
			kinds: labelled, access: whole(func(r *Row[P]) *int32 { return &r.Depth })},
		{column: newColumn("exact", typeBool, 0, 1, "the score is proven"), kinds: labelled, access: access[P]{
			func(c *column, r *Row[P]) error { c.bools = append(c.bools, r.Exact); return nil },
			func(r *Row[P], c *column, i int) error { r.Exact = c.bools[i]; return nil }}},
		{column: newColumn("nodes", typeInt64, 0, inf, "positions visited by the search"),
			kinds: labels, access: whole(func(r *Row[P]) *int64 { return &r.Nodes })},
		{column: newColumn("bound", typeText, 0, maxText, "kind of score: value, at_least or at_most"),
			kinds: labels, missing: Value.String(), access: names("bound", boundNames[:], func(r *Row[P]) *Bound { return &r.Bound })},
		{column: newColumn("best", typeText, 0, maxText, "best move; empty if unknown"), kinds: labels, access: bestAccess(g)},
		{column: newColumn("scores", typeText, 0, maxScores, "score of each legal move, best first: F=-12 A=-30").unlisted(),
			kinds: labels, has: func(h Has) bool { return h.AllMoves }, access: texts(func(*Row[P]) string { return "" }, func(*Row[P], string) error { return nil })},
		{column: newColumn(weightColumn, typeFloat64, 0, maxWeight, "weight of the row: number of rows that it counts for"),
			kinds: labelled, has: func(h Has) bool { return h.Weighted }, access: reals(func(r *Row[P]) *float64 { return &r.Weight })},
	}
	for i, f := range m.Features {
		all = append(all,
			definition[P]{column: newColumn("own_"+ColumnName(f), typeUint8, 0, math.MaxUint8, f+" on the side of the side to move"),
				kinds: features, access: whole(func(r *Row[P]) *uint8 { return &r.Own[i] })},
			definition[P]{column: newColumn("opp_"+ColumnName(f), typeUint8, 0, math.MaxUint8, f+" on the other side"),
				kinds: features, access: whole(func(r *Row[P]) *uint8 { return &r.Opp[i] })})
	}
	for i, name := range m.Columns {
		all = append(all, definition[P]{column: newColumn(name, typeFloat64, -maxValue, maxValue, "computed by another program: the side to move's minus the other side's"),
			kinds: features, access: reals(func(r *Row[P]) *float64 { return &r.Values[i] })})
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
	return otherThanWord.ReplaceAllString(comparisons.Replace(strings.ToLower(feature)), "_")
}

var (
	comparisons   = strings.NewReplacer("<", "lt_", ">", "gt_")
	otherThanWord = regexp.MustCompile(`[^a-z0-9_]`)
)

// keyAccess reads the position of a game that numbers its positions.
func keyAccess[P games.Position[P]](g *games.Game[P], m *Meta) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error {
			key, numbered := g.Key(r.Position)
			if !numbered && g.FromKey != nil {
				return fmt.Errorf("%.80q has no number", g.Print(r.Position))
			}
			c.ints = append(c.ints, key)
			return nil
		},
		func(r *Row[P], c *column, i int) (err error) {
			if g.FromKey != nil {
				r.Position, err = g.FromKey(m.Rules, c.ints[i])
			}
			return err
		},
	}
}

// boardAccess reads the position of other games, and compares the board with the key's.
func boardAccess[P games.Position[P]](g *games.Game[P], m *Meta) access[P] {
	return texts(func(r *Row[P]) string { return g.Print(r.Position) }, func(r *Row[P], board string) (err error) {
		if g.FromKey == nil {
			r.Position, err = g.Parse(m.Rules, board)
		}
		if err != nil || board == "" {
			return err
		}
		if text := g.Print(r.Position); text != board {
			return fmt.Errorf("board is %.80q, the key's is %q", board, text)
		}
		return nil
	})
}

func phaseAccess[P games.Position[P]](g *games.Game[P]) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error { c.ints = append(c.ints, int64(g.Phase(r.Position))); return nil },
		func(r *Row[P], c *column, i int) error {
			if phase := g.Phase(r.Position); c.ints[i] != int64(phase) {
				return fmt.Errorf("phase is %d, the board's is %d", c.ints[i], phase)
			}
			return nil
		},
	}
}

func bestAccess[P games.Position[P]](g *games.Game[P]) access[P] {
	return texts(func(r *Row[P]) string {
		if !r.HasBest {
			return ""
		}
		return g.MoveName(r.Position, r.Best)
	}, func(r *Row[P], best string) (err error) {
		if r.HasBest = best != ""; r.HasBest {
			if r.Best, err = g.ParseMove(r.Position, best); err != nil {
				err = fmt.Errorf("best: %w", err)
			}
		}
		return err
	})
}

// noGame serves where only the names of columns are needed.
var noGame = &games.Game[noPosition]{}

// noPosition is the position type of noGame.
type noPosition struct{}

func (noPosition) AppendMoves(dst []games.Move) []games.Move { return dst }
func (p noPosition) Play(games.Move) noPosition              { return p }
func (noPosition) Terminal() (diff int, over bool)           { return 0, true }
func (noPosition) Repetition(int) (diff int, over bool)      { return 0, true }
func (noPosition) Progress() int                             { return 0 }
func (noPosition) DrawClock() int                            { return 0 }
func (noPosition) PlyLimit() (plies, diff int)               { return 0, 0 }
