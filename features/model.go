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
	Game        string // games.Info.Name; "" means oware
	Rules       string // of the positions it was fitted to
	Set         ColumnSet[P]
	Weights     []float64 // points for the side to move, one per column
	Provenance  Provenance
	Calibration *Calibration // nil if unknown

	Named *Weights // for an antisymmetric set, the same by name, with statistics of the fit; else nil
}

// CheckComplete refuses weights that lack features of their set, as after a selection of features.
func (m *Model[P]) CheckComplete() error {
	for column := range m.Weights {
		if name := m.Set.ColumnName(column); !slices.Contains(m.Named.Features, name) {
			return fmt.Errorf("weights of %d features, without %s: expected all %d of set %s; fit them without a selection",
				len(m.Named.Features), name, m.Set.Len(), m.Set)
		}
	}
	return nil
}

// CheckRules returns an error unless the model was fitted under these rules.
func (m *Model[P]) CheckRules(rules string) error { return checkRules(m.Rules, rules) }

func checkRules(fitted, rules string) error {
	if fitted != rules {
		return fmt.Errorf("weights were fitted under %s rules: expected %s", fitted, rules)
	}
	return nil
}

// Exact returns the fitted function of a position, in points for the side to move: the slow
// reference for evaluators.
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

// Part is the contribution of one column of a model, or of one entry of an evaluator's tables, to
// the value of a position.
type Part struct {
	Column int     `json:"column"`
	Name   string  `json:"name"` // from Columns.ColumnName
	Value  float64 `json:"value"`
	Points float64 `json:"points"` // weight times value, for the side to move

	Family string    `json:"-"`
	Shares []float64 `json:"-"` // each board place's share of Points; nil if no place has one
}

// placedSet is a set whose columns concern places of the board, such as houses.
type placedSet[P any] interface {
	// Places returns the position's places, the side to move's first; it may be empty.
	Places(p P) []Place
	// Share returns each place's share of a column's value; nil if no place has one.
	Share(column int, places []Place) []float64
}

// Parts breaks down the value of a position: the sum of the parts is the value. They are in column
// order. Of a [Set] they are all columns: one with equal numbers on both sides has no value, but its
// places do, so that a place with the same content always has the same share. Explanations, pages and
// measurements use them.
func (m *Model[P]) Parts(p P) (all []Part) {
	var vals []Entry
	if counts, ok := m.Set.(*Set[P]); ok {
		vals = counts.differences(p)
	} else {
		vals = sortedRow(m.Set, p)
	}
	placed, _ := m.Set.(placedSet[P])
	var places []Place
	if placed != nil {
		places = placed.Places(p)
	}
	families := m.Set.Families()
	for _, v := range vals {
		i := int(v.Index)
		value := float64(v.Value)
		for i >= families[0].To {
			families = families[1:]
		}
		part := Part{
			Column: i,
			Name:   m.Set.ColumnName(i),
			Value:  value,
			Points: value * m.Weights[i],
			Family: families[0].Name,
		}
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

// sortedRow returns the columns of a position that are not zero, in column order.
func sortedRow[P any](set ColumnSet[P], p P) []Entry {
	ones, vals := set.AppendRow(nil, nil, p)
	for _, i := range ones {
		vals = append(vals, Entry{i, 1})
	}
	slices.SortStableFunc(vals, func(a, b Entry) int { return cmp.Compare(a.Index, b.Index) })
	return vals
}

// Hash identifies everything that affects play (the rules, the feature definitions and the weights)
// in 16 hexadecimal digits.
func (m *Model[P]) Hash() string {
	if m.Named != nil {
		return m.Named.Hash()
	}
	return hashOf(m.Rules, m.Set.Hash(), m.Weights)
}

// Check returns an error unless there is one weight per column, a number not above [MaxWeight].
func (m *Model[P]) Check() error {
	if m.Set == nil {
		return errors.New("it has no feature set")
	}
	if len(m.Weights) != m.Set.Len() {
		return fmt.Errorf("%d weights: expected %d, one for each column of %s", len(m.Weights), m.Set.Len(), m.Set)
	}
	for i, w := range m.Weights {
		if !(math.Abs(w) <= MaxWeight) {
			return fmt.Errorf("weight of column %d (%s) is %g: expected at most %g points either way",
				i, m.Set.ColumnName(i), w, float64(MaxWeight))
		}
	}
	return nil
}

// Header describes the model in a packed file.
func (m *Model[P]) Header() Header {
	return Header{
		Game: m.Game, Rules: m.Rules, Set: m.Set.String(), SetHash: m.Set.Hash(), Columns: m.Set.Len(),
		ModelHash: m.Hash(), Provenance: m.Provenance, Calibration: m.Calibration,
	}
}

// Save writes the model to a file atomically: weights of an antisymmetric set by name as JSON,
// others packed. Equal models give equal bytes.
func (m *Model[P]) Save(path string) error {
	if err := m.Check(); err != nil {
		return fmt.Errorf("cannot save %q: %w", path, err)
	}
	if m.Named != nil {
		return m.Named.Save(path)
	}
	return WritePacked(path, KindModel, m.Header(), [][]byte{floatsOf(m.Weights)})
}

// NewModel makes a model of a pattern set from its rules and a weight per column. It keeps the slice
// and rounds the weights to the files' precision.
func (s Sets[P]) NewModel(rules string, set ColumnSet[P], weights []float64, from Provenance) (*Model[P], error) {
	m := &Model[P]{Rules: rules, Set: set, Weights: weights, Provenance: from}
	if s.Game.Name != defaultGame {
		m.Game = s.Game.Name
	}
	if err := s.Game.CheckRules(rules); err != nil {
		return nil, fmt.Errorf("model: rules: %w", err)
	}
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	for i, w := range weights {
		weights[i] = float64(float32(w))
	}
	return m, nil
}

// OpenPacked opens a packed file of the game.
func (s Sets[P]) OpenPacked(data []byte) (f Packed, err error) {
	f, err = openPacked(data)
	if err != nil {
		return f, err
	}
	if game := cmp.Or(f.Header.Game, defaultGame); game != s.Game.Name {
		return f, fmt.Errorf("header: weights for the game %.30q: expected weights for %s", game, s.Game.Name)
	}
	if err := s.Game.CheckRules(f.Header.Rules); err != nil {
		return f, fmt.Errorf("header: rules: %w", err)
	}
	if s.Patterns == nil {
		return f, fmt.Errorf("pattern weights: expected weights of features, since %s has no patterns", s.Game.Name)
	}
	return f, nil
}

// unpack reads a packed model. It returns an error if the set has changed or the file is damaged.
func (s Sets[P]) unpack(f Packed) (*Model[P], error) {
	h := f.Header
	set, err := s.Patterns.Parse(h.Set)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if set.Hash() != h.SetHash || set.Len() != h.Columns {
		return nil, fmt.Errorf("header: set %s has hash %.20q and %d columns: expected %s and %d, as this program "+
			"has it; fit the weights again",
			set, h.SetHash, h.Columns, set.Hash(), set.Len())
	}
	if n := f.Sections(); n != 1 {
		return nil, fmt.Errorf("%d sections: expected 1 in a model", n)
	}
	body := make([]byte, 4*set.Len())
	if err := f.UnpackAll(body, 0); err != nil {
		return nil, err
	}
	m := &Model[P]{
		Game:        h.Game,
		Rules:       h.Rules,
		Set:         set,
		Weights:     parseFloats(body),
		Provenance:  h.Provenance,
		Calibration: h.Calibration,
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	if m.Hash() != h.ModelHash {
		return nil, errors.New("header: the hash does not match the weights: the file was not written by this " +
			"program, fit the weights again")
	}
	return m, nil
}

// Direct evaluates by a model itself, feature by feature, in games without evaluators of their
// own. It takes microseconds per position.
type Direct[P games.Position[P]] struct {
	Model *Model[P]
	unit  float64 // hundredths of the game's unit per point
}

// NewDirect returns the evaluator of a model.
func NewDirect[P games.Position[P]](g *games.Game[P], m *Model[P]) Direct[P] {
	return Direct[P]{m, 100 / g.PointsPerUnit()}
}

// Evaluate returns the value for the side to move in hundredths of the game's unit, rounded to the
// nearest, not clamped.
func (d Direct[P]) Evaluate(p P) int { return int(math.Round(d.Model.Exact(p) * d.unit)) }
