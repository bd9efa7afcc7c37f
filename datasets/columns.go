package datasets

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"kroo/games"
)

// definition is a column of our tables, with all that those who read, write and list tables know
// of it.
type definition[P games.Position[P]] struct {
	column
	kinds []string          // of the tables that may have it; nil is all
	has   func(*Meta) *bool // whether a table of these kinds has it; nil if each does
	// derived is what follows from the position: it is made anew of tables of other programs.
	derived bool
	missing string // what stands for no value in tables of other programs; "" is 0, false or no text
	access[P]
}

// access is how a row holds a column.
type access[P games.Position[P]] struct {
	put  func(c *column, r *Row[P]) error        // appends the row's value
	take func(r *Row[P], c *column, i int) error // sets it to the i-th
}

// ofKind reports whether tables of a kind can have the column.
func (d *definition[P]) ofKind(kind string) bool {
	return d.kinds == nil || slices.Contains(d.kinds, kind)
}

// in reports whether a table has the column.
func (d *definition[P]) in(m *Meta) bool { return d.ofKind(m.Kind) && (d.has == nil || *d.has(m)) }

// Limits of values, so that no sum of squares of them overflows.
const (
	maxLabel  = games.MaxPoints
	maxScore  = 20_000 // a proven result in 0 plies
	maxMargin = 1000   // larger than any difference of a game of ours
	maxWeight = 1e9
	maxValue  = 1e9
)

// maxText is longer than any board, and maxScores than the scores of the 218 moves
// that a position of chess can have. Without a limit, rows that share one long text in
// a hostile file would become far larger in memory than the file.
const (
	maxText   = 256
	maxScores = 4096
)

// GroupColumn is the name of that of tables with Meta.Grouped.
const GroupColumn = "group"

const weightColumn = "weight"

var (
	unbounded   = column{low: math.Inf(-1), high: math.Inf(1)}
	notNegative = column{high: math.Inf(1)}
)

// within are values from low to high; of text, of at most high bytes.
func within(low, high float64) column { return column{low: low, high: high} }

// is completes a column.
func (c column) is(name string, typ columnType, about string) column {
	c.name, c.typ, c.about = name, typ, about
	return c
}

// unlisted keeps a column out of summaries and filters.
func (c column) unlisted() column {
	c.quiet = true
	return c
}

// allDefinitions are the columns of our tables in their order, those that this one does not have as
// well; but of features and of columns that another program has computed, its own.
func allDefinitions[P games.Position[P]](g *games.Game[P], m *Meta) []definition[P] {
	labels, labelled := []string{Labels}, []string{Labels, Features}
	text := within(0, maxText)
	all := []definition[P]{
		{column: unbounded.is("key", typeInt64, "number of the position; 0 where the game numbers none").unlisted(), derived: true, access: keyAccess(g, m)},
		{column: text.is("board", typeText, g.BoardText).unlisted(), derived: true, access: boardAccess(g, m)},
		{column: within(0, math.MaxUint8).is("phase", typeUint8, g.PhaseName), derived: true, access: phaseAccess(g)},
		{column: notNegative.is("game", typeInt32, "number of the game that the position is from; 0 for none"),
			access: whole(func(r *Row[P]) *int32 { return &r.Game })},
		{column: notNegative.is("ply", typeInt32, "moves played before the position in its game"),
			access: whole(func(r *Row[P]) *int32 { return &r.Ply })},
		{column: text.is("result", typeText, "of the game, for the side to move: win, draw, loss, empty for none"),
			has: func(m *Meta) *bool { return &m.Results },
			access: texts(func(r *Row[P]) string { return r.Result.String() }, func(r *Row[P], text string) (err error) {
				r.Result, err = oneOf[Result]("result", text, resultNames[:])
				return err
			})},
		{column: within(-maxMargin, maxMargin).is("margin", typeInt32, g.Unit+"s that the side to move is ahead at the end of the game; 0 where the rules did not end it"),
			has: func(m *Meta) *bool { return &m.Results }, access: whole(func(r *Row[P]) *int32 { return &r.Margin })},
		{column: unbounded.is(GroupColumn, typeInt64, "rows of one game, or of one situation, have the same: no split should divide them"),
			kinds: labelled, has: func(m *Meta) *bool { return &m.Grouped }, access: whole(func(r *Row[P]) *int64 { return &r.Group })},
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
		{column: text.is("bound", typeText, "what the score is: value, at_least or at_most"),
			kinds: labels, missing: Value.String(),
			access: texts(func(r *Row[P]) string { return r.Bound.String() }, func(r *Row[P], text string) (err error) {
				r.Bound, err = oneOf[Bound]("bound", text, boundNames[:])
				return err
			})},
		{column: text.is("best", typeText, "best move; empty for none"), kinds: labels, access: bestAccess(g)},
		{column: within(0, maxScores).is("scores", typeText, "score of each legal move, best first: F=-12 A=-30").unlisted(),
			kinds: labels, has: func(m *Meta) *bool { return &m.AllMoves }, access: scoresAccess(g)},
		{column: within(0, maxWeight).is(weightColumn, typeFloat64, "rows that the row counts for, 0 or more"),
			kinds: labelled, has: func(m *Meta) *bool { return &m.Weighted }, access: reals(func(r *Row[P]) *float64 { return &r.Weight })},
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
		all = append(all, definition[P]{column: within(-maxValue, maxValue).is(name, typeFloat64, "computed by another program: for the side to move, less the same for the other side"),
			kinds: []string{Features}, access: reals(func(r *Row[P]) *float64 { return &r.Values[i] })})
	}
	return all
}

// definitions are the columns of a table, whose meta has been checked.
func definitions[P games.Position[P]](g *games.Game[P], m *Meta) []definition[P] {
	return slices.DeleteFunc(allDefinitions(g, m), func(d definition[P]) bool { return !d.in(m) })
}

// columnsFor are the columns of a table of a game, whose meta has been checked.
func columnsFor(m Meta, g games.Info) (cols []column) {
	for _, d := range definitions(&games.Game[noPosition]{Info: g}, &m) {
		cols = append(cols, d.column)
	}
	return cols
}

// noGame is where the names of columns are all that counts.
var noGame = &games.Game[noPosition]{}

// noPosition stands for the positions of a game where only its columns are asked for.
type noPosition struct{}

func (noPosition) AppendMoves(dst []games.Move) []games.Move { return dst }
func (p noPosition) Play(games.Move) noPosition              { return p }
func (noPosition) Terminal() (diff int, over bool)           { return 0, true }
func (noPosition) Repetition(int) (diff int, over bool)      { return 0, true }
func (noPosition) Progress() int                             { return 0 }
func (noPosition) DrawClock() int                            { return 0 }
func (noPosition) PlyLimit() (plies, diff int)               { return 0, 0 }

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

func truths[P games.Position[P]](of func(*Row[P]) *bool) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error { c.bools = append(c.bools, *of(r)); return nil },
		func(r *Row[P], c *column, i int) error { *of(r) = c.bools[i]; return nil },
	}
}

func texts[P games.Position[P]](of func(*Row[P]) string, read func(r *Row[P], text string) error) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error { return c.add(of(r)) },
		func(r *Row[P], c *column, i int) error { return read(r, c.texts[i]) },
	}
}

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

// boardAccess reads the position of other games, and compares that of a key.
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
			if phase := c.ints[i]; phase != int64(g.Phase(r.Position)) {
				return fmt.Errorf("phase is %d, the board's is %d", phase, g.Phase(r.Position))
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
				return fmt.Errorf("best: %w", err)
			}
		}
		return nil
	})
}

func scoresAccess[P games.Position[P]](g *games.Game[P]) access[P] {
	return texts(func(r *Row[P]) string {
		return scoresText(r.Scores, func(m games.Move) string { return g.MoveName(r.Position, m) })
	}, func(r *Row[P], text string) (err error) {
		r.Scores, err = parseScores(text, func(name string) (games.Move, error) { return g.ParseMove(r.Position, name) })
		return err
	})
}

// rowCodec turns rows of a table into columns, and back.
type rowCodec[P games.Position[P]] struct {
	game  *games.Game[P]
	meta  *Meta
	defs  []definition[P]
	never []definition[P] // columns that tables of the kind may have, and this one has not
	row   Row[P]
	spare column // for a value of never
}

func newRowCodec[P games.Position[P]](g *games.Game[P], m *Meta) *rowCodec[P] {
	all := &rowCodec[P]{game: g, meta: m}
	for _, d := range allDefinitions(g, m) {
		if d.in(m) {
			all.defs = append(all.defs, d)
		} else if d.ofKind(m.Kind) {
			all.never = append(all.never, d)
		}
	}
	all.spare.high = maxScores
	return all
}

// put checks a row and appends it to the columns.
func (x *rowCodec[P]) put(cols []column, r Row[P]) error {
	x.row = r
	if err := x.check(); err != nil {
		return err
	}
	if x.meta.Grouped && r.Group == 0 {
		x.row.Group = GroupOf(x.game, 0, r.Position, r.Game)
	}
	for k := range x.defs {
		if err := x.defs[k].put(&cols[k], &x.row); err != nil {
			return err
		}
	}
	return nil
}

// check refuses what does not fit the meta, and what no column can hold.
func (x *rowCodec[P]) check() error {
	r, m := &x.row, x.meta
	if rules := x.game.RulesOf(r.Position); rules != m.Rules {
		return fmt.Errorf("the position is one of the rules %s: expected %s", rules, m.Rules)
	}
	if n := len(m.Features); m.Kind == Features && (len(r.Own) != n || len(r.Opp) != n) {
		return fmt.Errorf("%d own and %d opponent's features: the meta names %d", len(r.Own), len(r.Opp), n)
	}
	if n := len(m.Columns); m.Kind == Features && len(r.Values) != n {
		return fmt.Errorf("%d values of columns: the meta names %d", len(r.Values), n)
	}
	if int(r.Bound) >= len(boundNames) || int(r.Result) >= len(resultNames) {
		return errors.New("a bound or a result is none of those that there are")
	}
	for _, s := range r.Scores {
		if err := checkScore(s.Score); err != nil {
			return err
		}
	}
	for k := range x.never {
		d := &x.never[k]
		x.spare.typ = d.typ
		x.spare.reset()
		if err := d.put(&x.spare, r); err != nil {
			return err
		}
		if !x.spare.isZero() {
			return fmt.Errorf("%s is %s: the meta says that there is none", d.name, cell(&x.spare, 0))
		}
	}
	return r.Outcome.check()
}

// take builds a row of the i-th values of the columns, whose position must be one that its key,
// board and phase agree on. It is valid until the next.
func (x *rowCodec[P]) take(cols []column, i int) (*Row[P], error) {
	x.blank()
	for k := range x.defs {
		if err := x.defs[k].take(&x.row, &cols[k], i); err != nil {
			return nil, err
		}
	}
	return &x.row, x.taken()
}

// blank begins a row.
func (x *rowCodec[P]) blank() {
	x.row = Row[P]{}
	if n := len(x.meta.Features); n > 0 {
		both := make([]uint8, 2*n)
		x.row.Own, x.row.Opp = both[:n:n], both[n:]
	}
	if n := len(x.meta.Columns); n > 0 {
		x.row.Values = make([]float64, n)
	}
}

// taken ends it.
func (x *rowCodec[P]) taken() error {
	if r := &x.row; r.Game == 0 || r.Group == int64(r.Game) {
		r.Group = 0
	}
	return x.row.Outcome.check()
}

// Number finds the column of a name, which holds numbers.
func Number[P games.Position[P]](g *games.Game[P], m Meta, name string) (func(Row[P]) float64, error) {
	for _, d := range definitions(g, &m) {
		if d.name == name && d.numbers() {
			var row Row[P]
			return func(r Row[P]) float64 {
				row = r
				d.column.reset()
				if d.put(&d.column, &row) != nil {
					return math.NaN()
				}
				return d.column.appendNumbers(nil)[0]
			}, nil
		}
	}
	return nil, noNumbers(name, columnsFor(m, g.Info))
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
