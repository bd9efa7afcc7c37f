package features

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"kroo/games"
)

// Model is a function fitted to the columns of a set, and its origin.
type Model[P games.Position[P]] struct {
	Game        string // games.Info.Name; "" is oware
	Rules       string // of the positions it was fitted to
	Set         Columns[P]
	Weights     []float64 // points for the side to move, one a column
	Provenance  Provenance
	Calibration *Calibration // nil if nobody has measured it

	Named *Weights // of an antisymmetric set: the same by name, with what the fit has shown; else nil
}

// CheckComplete refuses weights that lack some of the features of their set, as those do that a
// selection of features has left.
func (m *Model[P]) CheckComplete() error {
	for column := range m.Weights {
		if name := m.Set.ColumnName(column); !slices.Contains(m.Named.Features, name) {
			return fmt.Errorf("weights of %d features, without %s: expected all %d of set %s; fit them without a selection", len(m.Named.Features), name, m.Set.Len(), m.Set)
		}
	}
	return nil
}

// StdErr are the standard errors of the weights, one a column; 0 where they are not known.
func (m *Model[P]) StdErr() []float64 {
	set, ok := m.Set.(*Set[P])
	if !ok || m.Named == nil {
		return make([]float64, len(m.Weights))
	}
	return m.Named.bySet(set.Info, m.Named.StdErr)
}

// CheckRules returns an error unless the model was fitted under these rules.
func (m *Model[P]) CheckRules(rules string) error { return checkRules(m.Rules, rules) }

func checkRules(fitted, rules string) error {
	if fitted != rules {
		return fmt.Errorf("weights were fitted under %s rules: expected %s", fitted, rules)
	}
	return nil
}

// Exact is the fitted function of a position, in points for the side to move: the slow
// twin of evaluators.
func (m *Model[P]) Exact(p P) (sum float64) {
	if s, ok := m.Set.(*Set[P]); ok {
		return s.dot(m.Weights, p)
	}
	ones, vals := m.Set.AppendRow(nil, nil, p)
	for _, i := range ones {
		sum += m.Weights[i]
	}
	for _, v := range vals {
		sum += m.Weights[v.Index] * float64(v.Value)
	}
	return sum
}

// Part is what one column of a model, or one entry of an evaluator's tables, adds to the value
// of a position.
type Part struct {
	Column int     `json:"column"`
	Name   string  `json:"name"` // as Columns.ColumnName has it
	Value  float64 `json:"value"`
	Points float64 `json:"points"` // weight times value, for the side to move

	Family string    `json:"-"`
	Shares []float64 `json:"-"` // what each place of the board has of Points; nil is none of them
}

// placedSet is a set whose columns are about places of the board, such as houses.
type placedSet[P any] interface {
	// Places are those of a position, the side to move's first; nil for none.
	Places(p P) []Place
	// Share is what each of the places has of a column's value; nil is not one of them.
	Share(column int, places []Place) []float64
}

// Parts takes the value of a position apart: it is their sum. They are in the order of the
// columns, with those that weigh nothing. Explanations, pages and measurements all use them.
func (m *Model[P]) Parts(p P) (all []Part) {
	ones, vals := m.Set.AppendRow(nil, nil, p)
	for _, i := range ones {
		vals = append(vals, Entry{i, 1})
	}
	slices.SortStableFunc(vals, func(a, b Entry) int { return cmp.Compare(a.Index, b.Index) })
	placed, _ := m.Set.(placedSet[P])
	var places []Place
	if placed != nil {
		places = placed.Places(p)
	}
	families := m.Set.Families()
	for _, v := range vals {
		i, value := int(v.Index), float64(v.Value)
		for i >= families[0].To {
			families = families[1:]
		}
		part := Part{Column: i, Name: m.Set.ColumnName(i), Value: value, Points: value * m.Weights[i], Family: families[0].Name}
		if places != nil {
			part.Shares = placed.Share(i, places)
			for k := range part.Shares {
				part.Shares[k] *= m.Weights[i]
			}
		}
		all = append(all, part)
	}
	return all
}

// Hash identifies what matters for play, the rules, the definition of the features and the
// weights, in 16 hexadecimal digits.
func (m *Model[P]) Hash() string {
	if m.Named != nil {
		return m.Named.Hash()
	}
	return hashOf(m.Rules, m.Set.Hash(), m.Weights)
}

// Compiles reports whether an engine's tables can hold the model's families.
func (m *Model[P]) Compiles() bool {
	return !slices.ContainsFunc(m.Set.Families(), func(f Family) bool { return !f.Compiles })
}

// Check refuses weights that are not one for each column of the set, are no numbers, or
// exceed [MaxWeight].
func (m *Model[P]) Check() error {
	if m.Set == nil {
		return errors.New("it has no feature set")
	}
	if len(m.Weights) != m.Set.Len() {
		return fmt.Errorf("%d weights: expected %d, one for each column of %s", len(m.Weights), m.Set.Len(), m.Set)
	}
	for i, w := range m.Weights {
		if !(math.Abs(w) <= MaxWeight) {
			return fmt.Errorf("weight of column %d (%s) is %g: expected at most %g points either way", i, m.Set.ColumnName(i), w, float64(MaxWeight))
		}
	}
	return nil
}

// Header describes the model in a packed file.
func (m *Model[P]) Header() Header {
	return Header{
		Game: m.Game, Rules: m.Rules, Set: m.Set.String(), SetHash: m.Set.Hash(), Columns: m.Set.Len(),
		Weights: m.Hash(), Provenance: m.Provenance, Calibration: m.Calibration,
	}
}

// Save writes the model to a file, whole or not at all: the weights of an antisymmetric set by
// name in JSON, others packed. Equal models give equal bytes.
func (m *Model[P]) Save(path string) error {
	if err := m.Check(); err != nil {
		return fmt.Errorf("cannot save %q: %w", path, err)
	}
	if m.Named != nil {
		return m.Named.Save(path)
	}
	return WritePacked(path, KindModel, m.Header(), [][]byte{floatsOf(m.Weights)})
}

// unpack reads the weights of a packed model of its set. The error says that it is another set
// than that of the file, or what is damaged.
func (m *Model[P]) unpack(f Packed) error {
	h, s := f.Header, m.Set
	if s.Hash() != h.SetHash || s.Len() != h.Columns {
		return fmt.Errorf("header: set %s has hash %.20q and %d columns: expected %s and %d, as this program has it; fit the weights again", s, h.SetHash, h.Columns, s.Hash(), s.Len())
	}
	if n := f.Sections(); n != 1 {
		return fmt.Errorf("%d sections: expected 1 in a model", n)
	}
	body, err := f.Unpack(0, 4*s.Len())
	if err != nil {
		return err
	}
	m.Weights = parseFloats(body)
	if err := m.Check(); err != nil {
		return err
	}
	if m.Hash() != h.Weights {
		return errors.New("header: the hash is not that of the weights: the file was not written by this program, fit the weights again")
	}
	return nil
}

// Direct evaluates by a model itself, column by column. It serves sets that no tables hold. It
// takes microseconds a position, for patterns a hundred times as long as tables.
type Direct[P games.Position[P]] struct {
	Model *Model[P]
	unit  float64 // hundredths of the game's unit to a point
}

// NewDirect makes the evaluator of a model for a game.
func NewDirect[P games.Position[P]](g *games.Game[P], m *Model[P]) Direct[P] {
	return Direct[P]{m, 100 / g.PointsPerUnit()}
}

// Evaluate is the value for the side to move in hundredths of the game's unit, rounded to the
// nearest, not clamped.
func (d Direct[P]) Evaluate(p P) int { return int(math.Round(d.Model.Exact(p) * d.unit)) }
