package oware

import (
	"cmp"
	"math"
	"slices"

	"kroo/games/oware"
)

// Explanation is the fitted function of a position, taken apart.
type Explanation struct {
	Points        float64         // Model.Exact
	Contributions []Contribution  // those that are not zero, largest first
	Families      []FamilyPoints  // in the order of their columns; they add up to Points
	Houses        [houses]float64 // A…F a…f; each contribution is shared equally by the houses it looks at
	Board         float64         // contributions of no house; Houses and Board add up to Points
}

// Contribution is what one column adds, in points for the player to move.
type Contribution struct {
	Column int     `json:"column"`
	Name   string  `json:"name"`             // Set.ColumnName
	Houses []int   `json:"houses,omitempty"` // Set.Houses
	Value  float64 `json:"value"`            // of the column
	Points float64 `json:"points"`           // weight times value
}

// FamilyPoints is what a family adds.
type FamilyPoints struct {
	Name   string  `json:"name"`
	Points float64 `json:"points"`
}

// Explain says where the points of a position come from.
func (m *Model) Explain(p oware.Position) Explanation {
	ones, vals := m.Set.row(p)
	for _, i := range ones {
		vals = append(vals, Entry{Index: i, Value: 1})
	}
	x := Explanation{Points: m.Exact(p)}
	families := m.Set.Families()
	for _, f := range families {
		x.Families = append(x.Families, FamilyPoints{Name: f.Name})
	}
	for _, v := range vals {
		c := m.contribution(v)
		k := slices.IndexFunc(families, func(f Family) bool { return c.Column < f.To })
		x.Families[k].Points += c.Points
		for _, h := range c.Houses {
			x.Houses[h] += c.Points / float64(len(c.Houses))
		}
		if len(c.Houses) == 0 {
			x.Board += c.Points
		}
		if c.Points != 0 {
			x.Contributions = append(x.Contributions, c)
		}
	}
	slices.SortFunc(x.Contributions, func(a, b Contribution) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Points), math.Abs(a.Points)), cmp.Compare(a.Column, b.Column))
	})
	return x
}

func (m *Model) contribution(v Entry) Contribution {
	i, value := int(v.Index), float64(v.Value)
	return Contribution{i, m.Set.ColumnName(i), m.Set.Houses(i), value, value * float64(m.Weights[i])}
}
