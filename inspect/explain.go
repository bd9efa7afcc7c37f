package inspect

import (
	"fmt"
	"io"
	"strings"

	patterns "kroo/features/oware"
	"kroo/games/oware"
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
	w, err := LoadWeights(weights, all)
	if err != nil {
		return nil, err
	}
	p, err := w.Board(rules, board)
	if err != nil {
		return nil, err
	}
	return w.Explain(p)
}

// Explain takes the value of a position apart. The weights must be for its rules, as
// Board sees to.
func (w *Weights) Explain(p oware.Position) (*Explanation, error) {
	if err := w.needOware(); err != nil {
		return nil, err
	}
	if w.Thesis == nil && w.Model == nil {
		return w.explain(p, w.Compiled.Explain(p)), nil
	}
	m, err := w.model()
	if err != nil {
		return nil, err
	}
	return w.explain(p, m.Explain(p)), nil
}

// Board reads a board under rules that the weights are for; "" is their own.
func (w *Weights) Board(rules, board string) (p oware.Position, err error) {
	if err := w.needOware(); err != nil {
		return p, err
	}
	var check func(oware.Rules) error
	var own string
	if w.Thesis == nil && w.Model == nil {
		check, own = w.Compiled.CheckRules, w.Compiled.Header().Rules
	} else {
		m, err := w.model()
		if err != nil {
			return p, err
		}
		check, own = m.CheckRules, m.Rules
	}
	if rules == "" {
		rules = own
	}
	r, err := oware.ParseRules(rules)
	if err == nil {
		err = check(r)
	}
	if err != nil {
		return p, err
	}
	return oware.ParseBoard(r, board)
}

func (w *Weights) explain(p oware.Position, e patterns.Explanation) *Explanation {
	x := &Explanation{
		Weights: w.Name, Position: p.String(), Points: e.Points, Families: e.Families, Board: e.Board,
		Columns: e.Contributions, diagram: p.Diagram(), CentiSeeds: rounded(e.Points * centiSeeds),
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
	return x
}

// most is how many contributions of columns the text lists.
const most = 25

// Text is the explanation for people.
func (x *Explanation) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s: %+.1f points for the side to move (%+d centi-seeds)\n\n", x.diagram, x.Weights, x.Points, x.CentiSeeds)
	b.WriteString(columns(func(w io.Writer) {
		fmt.Fprintln(w, "family\tpoints")
		for _, f := range x.Families {
			fmt.Fprintf(w, "%s\t%+.1f\n", f.Name, f.Points)
		}
		fmt.Fprintln(w, "\nhouse\tseeds\tpoints")
		for _, h := range x.Houses {
			fmt.Fprintf(w, "%s\t%d\t%+.1f\n", h.House, h.Seeds, h.Points)
		}
		fmt.Fprintf(w, "the board\t\t%+.1f\n", x.Board)
		fmt.Fprintln(w, "\ncolumn\tpoints\tvalue")
		for i, c := range x.Columns {
			if i == most {
				fmt.Fprintf(w, "%d more\n", len(x.Columns)-most)
				break
			}
			fmt.Fprintf(w, "%s\t%+.1f\t%g\n", c.Name, c.Points, c.Value)
		}
	}))
	b.WriteString("\nA B C are the side to move's houses in the names of columns, a b c the other side's.\n")
	return b.String()
}
