package weights

import (
	"cmp"
	"fmt"
	"math"

	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
)

// Explanation takes the value of a position apart. All figures are points for
// the side to move.
type Explanation struct {
	Weights    string                  `json:"weights"`
	Position   string                  `json:"position"`
	Points     float64                 `json:"points"`
	CentiSeeds int                     `json:"centi_seeds"` // as the engine computes it, rounded
	Families   []patterns.FamilyPoints `json:"families"`
	Houses     []HousePoints           `json:"houses"` // the side to move's from its left, then the other side's
	Board      float64                 `json:"board"`  // what is no matter of single houses: stores, phase, counts
	Columns    []patterns.Contribution `json:"columns"`
	diagram    string
}

// HousePoints is what a house contributes; patterns are shared equally by
// their houses.
type HousePoints struct {
	House  string  `json:"house"` // as games write it: A…F South's, a…f North's
	Seeds  int     `json:"seeds"`
	Points float64 `json:"points"`
}

// Explain takes the value of a board of oware apart, by columns if the weights
// of columns are at hand, else by the entries of the engine's tables. Empty
// rules are those of the weights.
func Explain(weights, rules, board string, all Games) (*Explanation, error) {
	w, err := Load(weights, all)
	if err != nil {
		return nil, err
	}
	p, err := w.Board(rules, board)
	if err != nil {
		return nil, err
	}
	return w.Explain(p)
}

// explainer is what takes values apart: a model, or tables where there is none.
type explainer interface {
	CheckRules(oware.Rules) error
	Explain(oware.Position) patterns.Explanation
}

// explainer is that of the weights, and the rules that they are for.
func (w *Weights) explainer() (x explainer, rules string, err error) {
	if err := w.needOware(); err != nil {
		return nil, "", err
	}
	if w.Thesis == nil && w.Model == nil {
		return w.Compiled, w.Compiled.Header().Rules, nil
	}
	m, err := w.model()
	if err != nil {
		return nil, "", err
	}
	return m, m.Rules, nil
}

// Board reads a board under rules that the weights are for; "" is their own.
func (w *Weights) Board(rules, board string) (p oware.Position, err error) {
	x, own, err := w.explainer()
	if err != nil {
		return p, err
	}
	r, err := oware.ParseRules(cmp.Or(rules, own))
	if err == nil {
		err = x.CheckRules(r)
	}
	if err != nil {
		return p, err
	}
	return oware.Descriptor().Parse(r.String(), board)
}

// Explain takes the value of a position apart. The weights must be for its rules, as
// Board sees to.
func (w *Weights) Explain(p oware.Position) (*Explanation, error) {
	from, _, err := w.explainer()
	if err != nil {
		return nil, err
	}
	e := from.Explain(p)
	x := &Explanation{
		Weights: w.Name, Position: p.String(), Points: e.Points, Families: e.Families, Board: e.Board,
		Columns: e.Contributions, diagram: p.Diagram(), CentiSeeds: int(math.Round(e.Points * centiSeeds)),
	}
	if tables, err := w.Evaluator(); err == nil { // else no table holds the set
		x.CentiSeeds = tables.Evaluate(p)
	}
	for h, points := range e.Houses {
		side := p.ToMove()
		if h >= oware.Houses {
			side = 1 - side
		}
		x.Houses = append(x.Houses, HousePoints{oware.MoveName(oware.Move(h%oware.Houses), side), p.House(h), points})
	}
	return x, nil
}

// centiSeeds is what a point is worth in centi-seeds.
const centiSeeds = oware.CentiSeedsPerPoint

// most is how many contributions of columns the text lists.
const most = 25

// Doc is the explanation.
func (x *Explanation) Doc() *doc.Doc {
	worth := func(points float64) string { return fmt.Sprintf("%+.2f", points*centiSeeds/100) }
	houses := doc.TableOf([]string{"house", "holds", "worth"}, x.Houses, func(h HousePoints) []any { return []any{h.House, h.Seeds, worth(h.Points)} })
	houses.Add("the board", "", worth(x.Board))
	columns := doc.Section{
		Heading: "columns", Text: []string{"A B C are the side to move's houses in the names of columns, a b c the other side's."},
		Table: doc.TableOf([]string{"column", "worth", "value"}, x.Columns[:min(len(x.Columns), most)], func(c patterns.Contribution) []any {
			return []any{c.Name, worth(c.Points), c.Value}
		}),
	}
	if more := len(x.Columns) - most; more > 0 {
		columns.Note = fmt.Sprintf("%d more", more)
	}
	return &doc.Doc{
		Value: x, Title: fmt.Sprintf("%+.2f seeds for the side to move", float64(x.CentiSeeds)/100),
		Sections: []doc.Section{
			{Boards: []doc.Board{{Board: x.Position, Diagram: x.diagram}}},
			{Heading: "families", Table: doc.TableOf([]string{"family", "worth"}, x.Families, func(f patterns.FamilyPoints) []any { return []any{f.Name, worth(f.Points)} })},
			{Heading: "houses", Table: houses, Text: []string{"Patterns are shared equally by their houses."}},
			columns,
		},
	}
}
