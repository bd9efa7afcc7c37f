package datasets

import (
	"encoding/json"
	"slices"

	"kroo/games"
)

// Tables of version 1 (to November 2026) are oware's. They hold their meta as
// one JSON text, name their columns otherwise and lack those on the origin of a
// position. Readers take them as tables of version 2.

// version1Key is the metadata key of the JSON text.
const version1Key = "kroo"

// version1Game is the game of all tables of version 1.
const version1Game = "oware"

func version1Pairs(m Meta) ([]pair, error) {
	m.Game = ""
	text, err := json.Marshal(m)
	return []pair{{version1Key, string(text)}}, err
}

func version1Columns(m Meta) []column {
	cols := []column{{name: "key", typ: typeInt64}, {name: "board", typ: typeText}}
	add := func(name string, typ columnType) { cols = append(cols, column{name: name, typ: typ}) }
	if m.Kind != Features {
		add("seeds", typeUint8)
	}
	if m.Kind == Labels {
		add("score", typeInt32)
	}
	if m.Kind != Positions {
		add("label", typeFloat64)
		add("depth", typeInt32)
	}
	if m.Kind == Labels {
		add("nodes", typeInt64)
	}
	if m.Kind != Positions {
		add("exact", typeBool)
	}
	for _, f := range m.Features {
		add("own:"+f, typeUint8)
		add("opp:"+f, typeUint8)
	}
	return cols
}

// upgrade fills the columns of version 2 from n rows of version 1.
func upgrade[P games.Position[P]](g *games.Game[P], m Meta, to, from []column, n int) error {
	resetAll(to)
	old := map[string]*column{}
	for i := range from {
		old[from[i].name] = &from[i]
	}
	for i := range to {
		c := &to[i]
		if there, ok := old[c.name]; ok && c.typ == there.typ {
			c.ints, c.floats, c.bools, c.texts = there.ints, there.floats, there.bools, there.texts
			continue
		}
		switch c.name {
		case "phase":
			if err := upgradePhase(g, m, c, old, n); err != nil {
				return err
			}
		case "bound":
			c.texts = slices.Repeat([]string{Value.String()}, n)
		case "best":
			c.texts = make([]string, n)
		case "game", "ply":
			c.ints = make([]int64, n)
		}
	}
	counts := to[len(to)-2*len(m.Features):]
	for i := range counts {
		counts[i].ints = from[len(from)-len(counts)+i].ints
	}
	return nil
}

// upgradePhase takes the seeds in play from their column, or from the key.
func upgradePhase[P games.Position[P]](g *games.Game[P], m Meta, c *column, old map[string]*column, n int) error {
	if seeds, ok := old["seeds"]; ok {
		c.ints = seeds.ints
		return nil
	}
	for i := range n {
		p, err := positionOf(g, m.Rules, old["key"].ints[i], "")
		if err != nil {
			return err
		}
		putInt(c, int64(g.Phase(p)))
	}
	return nil
}
