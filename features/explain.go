package features

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kroo/internal/doc"
)

// Explanation breaks down the value of a position. All numbers are points for the side to move.
type Explanation struct {
	Weights    string         `json:"weights"`
	Position   string         `json:"position"`
	Points     float64        `json:"points"`
	CentiSeeds int            `json:"centi_seeds"` // hundredths of the game's unit, as the engine computes it, rounded
	Families   []FamilyPoints `json:"families"`
	Houses     []HousePoints  `json:"houses,omitempty"` // the side to move's from its left, then the other side's; empty in games without houses
	Board      float64        `json:"board"`            // what does not depend on single houses: stores, phase, counts
	Columns    []Part         `json:"columns"`          // contributions, largest first

	diagram, unit string
	perUnit       float64
}

// FamilyPoints is a family's contribution.
type FamilyPoints struct {
	Name   string  `json:"name"`
	Points float64 `json:"points"`
}

// HousePoints is a house's contribution; houses of a pattern share its value equally.
type HousePoints struct {
	House  string  `json:"house"` // in the game's notation: A…F South's, a…f North's
	Seeds  int     `json:"seeds"`
	Points float64 `json:"points"`
}

// Board parses a board under rules that the weights must be for; "" means their own.
func (o *Opened[P]) Board(rules, board string) (p P, err error) {
	rules = cmp.Or(rules, o.Rules())
	if err := o.Game.CheckRules(rules); err != nil {
		return p, err
	}
	if err := checkRules(o.Rules(), rules); err != nil {
		return p, err
	}
	return o.Game.Parse(rules, board)
}

// Explain implements [Loaded].
func (o *Opened[P]) Explain(rules, board string) (*Explanation, error) {
	p, err := o.Board(rules, board)
	if err != nil {
		return nil, err
	}
	return o.ExplainPosition(p)
}

// ExplainPosition breaks down the value of a position, by columns if their weights are available,
// else by entries of the engine's tables. The position's rules must be those of the weights, as
// Board ensures.
func (o *Opened[P]) ExplainPosition(p P) (*Explanation, error) {
	x := &Explanation{Weights: o.Name, Position: o.Game.Print(p), diagram: o.Game.Diagram(p), unit: o.Game.Unit, perUnit: o.Game.PointsPerUnit()}
	tables, noTables := o.Evaluator()
	var parts []Part
	var placed any = tables
	if m, err := o.Function(); err == nil {
		placed, parts = m.Set, m.Parts(p)
		for _, f := range m.Set.Families() {
			x.Families = append(x.Families, FamilyPoints{Name: f.Name})
		}
	} else if noTables != nil {
		return nil, err
	} else {
		parts = tables.Parts(p)
	}
	var places []Place
	if s, ok := placed.(placedSet[P]); ok {
		places = s.Places(p)
	}
	x.add(parts, places)
	x.CentiSeeds = int(math.Round(x.Points / x.perUnit * 100))
	if noTables == nil {
		x.CentiSeeds = tables.Evaluate(p)
	}
	return x, nil
}

// add adds up parts.
func (x *Explanation) add(parts []Part, places []Place) {
	byPlace := make([]float64, len(places))
	for _, part := range parts {
		x.Points += part.Points
		k := slices.IndexFunc(x.Families, func(f FamilyPoints) bool { return f.Name == part.Family })
		if k < 0 {
			k, x.Families = len(x.Families), append(x.Families, FamilyPoints{Name: part.Family})
		}
		x.Families[k].Points += part.Points
		for i, share := range part.Shares {
			byPlace[i] += share
		}
		if part.Shares == nil {
			x.Board += part.Points
		}
		if part.Points != 0 {
			x.Columns = append(x.Columns, part)
		}
	}
	for i, place := range places {
		if place.Name == "" {
			x.Board += byPlace[i]
			continue
		}
		x.Houses = append(x.Houses, HousePoints{place.Name, place.Content, byPlace[i]})
	}
	slices.SortFunc(x.Columns, func(a, b Part) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Points), math.Abs(a.Points)), cmp.Compare(a.Column, b.Column))
	})
}

// maxListed is the number of column contributions that Doc lists.
const maxListed = 25

// Doc formats the explanation.
func (x *Explanation) Doc() *doc.Doc {
	worth := func(points float64) string { return fmt.Sprintf("%+.2f", points/x.perUnit) }
	d := &doc.Doc{
		Value: x, Title: fmt.Sprintf("%+.2f %ss for the side to move", float64(x.CentiSeeds)/100, x.unit),
		Sections: []doc.Section{
			{Boards: []doc.Board{{Board: x.Position, Diagram: x.diagram}}},
			{Heading: "families", Table: doc.TableOf([]string{"family", "worth"}, x.Families, func(f FamilyPoints) []any { return []any{f.Name, worth(f.Points)} })},
		},
	}
	columns := doc.Section{Heading: "columns", Table: doc.TableOf([]string{"column", "worth", "value"}, x.Columns[:min(len(x.Columns), maxListed)], func(c Part) []any {
		return []any{c.Name, worth(c.Points), c.Value}
	})}
	if more := len(x.Columns) - maxListed; more > 0 {
		columns.Note = fmt.Sprintf("%d more", more)
	}
	if x.Houses != nil {
		houses := doc.TableOf([]string{"house", "seeds", "worth"}, x.Houses, func(h HousePoints) []any { return []any{h.House, h.Seeds, worth(h.Points)} })
		houses.Add("the board", "", worth(x.Board))
		d.Add(doc.Section{Heading: "houses", Table: houses, Text: []string{"Patterns are shared equally by their houses."}})
		columns.Text = []string{"A B C are the side to move's houses in the names of columns, a b c the other side's."}
	}
	if len(columns.Table.Rows) > 0 {
		d.Add(columns)
	}
	return d
}
