package datasets

import (
	"fmt"
	"slices"

	"kroo/games"
	"kroo/internal/wording"
)

// access reads and writes a row's value of a column.
type access[P games.Position[P]] struct {
	put  func(c *column, r *Row[P]) error        // appends the row's value
	take func(r *Row[P], c *column, i int) error // sets the row's value to the i-th
}

func intColumn[P games.Position[P], T uint8 | int32 | int64](of func(*Row[P]) *T) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error {
			c.ints = append(c.ints, int64(*of(r)))
			return nil
		},
		func(r *Row[P], c *column, i int) error {
			*of(r) = T(c.ints[i])
			return nil
		},
	}
}

func floatColumn[P games.Position[P]](of func(*Row[P]) *float64) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error {
			c.floats = append(c.floats, *of(r))
			return nil
		},
		func(r *Row[P], c *column, i int) error {
			*of(r) = c.floats[i]
			return nil
		},
	}
}

func boolColumn[P games.Position[P]](of func(*Row[P]) *bool) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error {
			c.bools = append(c.bools, *of(r))
			return nil
		},
		func(r *Row[P], c *column, i int) error {
			*of(r) = c.bools[i]
			return nil
		},
	}
}

func textColumn[P games.Position[P]](of func(*Row[P]) string, read func(r *Row[P], text string) error) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error { return c.addText(of(r)) },
		func(r *Row[P], c *column, i int) error { return read(r, c.texts[i]) },
	}
}

// nameColumn is a column of a few texts.
func nameColumn[P games.Position[P], T ~uint8](what string, list []string, of func(*Row[P]) *T) access[P] {
	return textColumn(func(r *Row[P]) string { return list[*of(r)] }, func(r *Row[P], text string) error {
		i := slices.Index(list, text)
		if i < 0 {
			return fmt.Errorf("%s is %.40q: %s", what, text, wording.Expect(text, slices.DeleteFunc(slices.Clone(list), func(name string) bool { return name == "" })))
		}
		*of(r) = T(i)
		return nil
	})
}

// accessOf returns the access to each column that a table can have, by name.
func accessOf[P games.Position[P]](g *games.Game[P], m *Meta) map[string]access[P] {
	all := map[string]access[P]{
		"key":        keyAccess(g, m),
		"board":      boardAccess(g, m),
		"phase":      phaseAccess(g),
		"game":       intColumn(func(r *Row[P]) *int32 { return &r.Game }),
		"ply":        intColumn(func(r *Row[P]) *int32 { return &r.Ply }),
		"result":     nameColumn("result", resultNames[:], func(r *Row[P]) *Result { return &r.Result }),
		"margin":     intColumn(func(r *Row[P]) *int32 { return &r.Margin }),
		GroupColumn:  intColumn(func(r *Row[P]) *int64 { return &r.Group }),
		"score":      intColumn(func(r *Row[P]) *int32 { return &r.Score }),
		"label":      floatColumn(func(r *Row[P]) *float64 { return &r.Label }),
		"depth":      intColumn(func(r *Row[P]) *int32 { return &r.Depth }),
		"exact":      boolColumn(func(r *Row[P]) *bool { return &r.Exact }),
		"nodes":      intColumn(func(r *Row[P]) *int64 { return &r.Nodes }),
		"bound":      nameColumn("bound", boundNames[:], func(r *Row[P]) *Bound { return &r.Bound }),
		"best":       bestAccess(g),
		weightColumn: floatColumn(func(r *Row[P]) *float64 { return &r.Weight }),
	}
	for i, name := range m.Columns {
		all[name] = floatColumn(func(r *Row[P]) *float64 { return &r.Values[i] })
	}
	for i, f := range m.Features {
		all["own_"+ColumnName(f)] = intColumn(func(r *Row[P]) *uint8 { return &r.Own[i] })
		all["opp_"+ColumnName(f)] = intColumn(func(r *Row[P]) *uint8 { return &r.Opp[i] })
	}
	return all
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

// boardAccess reads the position of other games, and compares the board with the key's.
func boardAccess[P games.Position[P]](g *games.Game[P], m *Meta) access[P] {
	return textColumn(func(r *Row[P]) string { return g.Print(r.Position) }, func(r *Row[P], board string) (err error) {
		if g.FromKey == nil {
			r.Position, err = g.Parse(m.Rules, board)
		}
		if err != nil || board == "" {
			return err
		}
		text := g.Print(r.Position)
		if text != board {
			return fmt.Errorf("board is %.80q, the key's is %q", board, text)
		}
		return nil
	})
}

func phaseAccess[P games.Position[P]](g *games.Game[P]) access[P] {
	return access[P]{
		func(c *column, r *Row[P]) error {
			c.ints = append(c.ints, int64(g.Phase(r.Position)))
			return nil
		},
		func(r *Row[P], c *column, i int) error {
			phase := g.Phase(r.Position)
			if c.ints[i] != int64(phase) {
				return fmt.Errorf("phase is %d, the board's is %d", c.ints[i], phase)
			}
			return nil
		},
	}
}

func bestAccess[P games.Position[P]](g *games.Game[P]) access[P] {
	return textColumn(func(r *Row[P]) string {
		if !r.HasBest {
			return ""
		}
		return g.MoveName(r.Position, r.Best)
	}, func(r *Row[P], best string) (err error) {
		r.HasBest = best != ""
		if r.HasBest {
			r.Best, err = g.ParseMove(r.Position, best)
			if err != nil {
				err = fmt.Errorf("best: %w", err)
			}
		}
		return err
	})
}
