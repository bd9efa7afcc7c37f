package oware

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kroo/features"
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
		vals = append(vals, features.Entry{Index: i, Value: 1})
	}
	x := Explanation{Points: m.Exact(p)}
	families := m.Set.Families()
	for _, f := range families {
		x.Families = append(x.Families, FamilyPoints{Name: f.Name})
	}
	for _, v := range vals {
		c := m.contribution(v)
		k := slices.IndexFunc(families, func(f features.Family) bool { return c.Column < f.To })
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
	x.sort()
	return x
}

func (m *Model) contribution(v features.Entry) Contribution {
	i, value := int(v.Index), float64(v.Value)
	return Contribution{i, m.Set.ColumnName(i), m.Set.houses(i), value, value * float64(m.Weights[i])}
}

// Explain says where the value of a position comes from as far as the tables
// tell: stores, each house by itself, and each pair of triples, whose patterns
// the houses share equally. Points differ from those of the model by rounding;
// columns are numbered as they come.
func (e *Evaluator) Explain(p oware.Position) Explanation {
	x := Explanation{Families: []FamilyPoints{{Name: "stores"}, {Name: "houses"}, {Name: "patterns"}}}
	add := func(family int, name string, at []int, points float64) {
		x.Points += points
		x.Families[family].Points += points
		for _, h := range at {
			x.Houses[h] += points / float64(len(at))
		}
		if len(at) == 0 {
			x.Board += points
		}
		if points != 0 {
			x.Contributions = append(x.Contributions, Contribution{len(x.Contributions), name, at, 1, points})
		}
	}
	own, other := p.Store(), p.OpponentStore()
	store := e.stores[own<<6|other]
	add(0, fmt.Sprintf("stores %d-%d", own, other), nil, unitPoints*float64(store.value))
	stage := e.stageAt(p)
	for h, n := range seedsOf(p) {
		add(1, fmt.Sprintf("house %c%d", houseNames[h], n), []int{h}, unitPoints*float64(e.house(stage, h, int(n))))
	}
	if t := e.patterns[stage]; t != nil {
		b := bucketsOf(p)
		for pair, six := range sixes() {
			var at []int
			for _, h := range six {
				at = append(at, int(h))
			}
			column := six.column(&b)
			add(2, six.label(column), at, t.points(pair, int(column)))
		}
	}
	x.sort()
	return x
}

// sort puts the largest contributions first.
func (x *Explanation) sort() {
	slices.SortFunc(x.Contributions, func(a, b Contribution) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Points), math.Abs(a.Points)), cmp.Compare(a.Column, b.Column))
	})
}
