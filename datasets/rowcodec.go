package datasets

import (
	"errors"
	"fmt"
	"math"

	"kroo/games"
)

// noGame serves where only column names are needed.
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

// boardAccess reads the position of other games, and compares the board with that of a key.
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

// rowCodec converts between rows and columns.
type rowCodec[P games.Position[P]] struct {
	game  *games.Game[P]
	meta  *Meta
	defs  []definition[P]
	never []definition[P] // columns that tables of the kind can have and this one does not
	row   Row[P]
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
	for k := range x.never {
		d := &x.never[k]
		d.reset()
		if err := d.put(&d.column, r); err != nil {
			return err
		}
		if text := cell(&d.column, 0); text != "0" && text != "false" && text != "" {
			return fmt.Errorf("%s is %s: the meta has no such column", d.name, text)
		}
	}
	return r.Outcome.check()
}

// take builds a row of the columns' i-th values, whose key, board and phase must agree on the
// position. The row is valid until the next call.
func (x *rowCodec[P]) take(cols []column, i int) (*Row[P], error) {
	x.blank()
	for k := range x.defs {
		if err := x.defs[k].take(&x.row, &cols[k], i); err != nil {
			return nil, err
		}
	}
	return &x.row, x.taken()
}

// blank resets the row.
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

// taken completes and checks the row.
func (x *rowCodec[P]) taken() error {
	if r := &x.row; r.Game == 0 || r.Group == int64(r.Game) {
		r.Group = 0
	}
	return x.row.Outcome.check()
}

// Number returns a function that reads a column of numbers by name.
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
