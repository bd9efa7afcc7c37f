package features

import (
	"fmt"

	"kroo/features/weightsfile"
	"kroo/games"
)

// Patterns are the pattern sets of a game: how they are read, and where weights of their
// columns are found and kept. Game, Usual and Parse have to be there.
type Patterns[P games.Position[P]] struct {
	Game  *games.Game[P]
	Usual string // the spec of the set that is taken when none is named
	// Parse reads the spec of a set for rules.
	Parse func(rules, spec string) (Columns[P], error)

	// Families lists the families that specs name, each numbered from column 0 and
	// without stages. MaxStages is how many stages a family can have ([ParseSpec]).
	Families  func(rules string) []Family
	MaxStages int

	// Find reads weights for a set from what a name stands for, a file or weights of the
	// program. It is nil if that is always a model.
	Find func(name, rules string, set Columns[P]) (*Model[P], error)
	// Keep writes a fitted model to the file of models, and to out what an engine plays
	// with, if it can be made. It is nil if the engine plays with the model: out holds it.
	Keep func(m *Model[P], out, models string) (Kept, error)
}

// Kept says which files of a fit have been written.
type Kept struct {
	Model    string  `json:"model"`              // file
	Hash     string  `json:"hash"`               // of the model
	Compiled string  `json:"compiled,omitempty"` // file; "" if no tables can hold the set
	Play     string  `json:"play,omitempty"`     // hash of the tables
	Rounding float64 `json:"rounding,omitempty"` // centi-seeds, between the two at most
	WhyNot   string  `json:"why_not,omitempty"`  // why it is not compiled
}

// Model is a function fitted to the columns of a pattern set, and its origin.
type Model[P games.Position[P]] struct {
	Game, Rules string
	Set         Columns[P]
	Weights     []float32 // points for the side to move, one a column
	Provenance  weightsfile.Provenance
	Calibration *weightsfile.Calibration // nil if nobody has measured it
}

// NewModel makes a model of a set for rules and a weight for each of its columns, which
// it keeps.
func (ps Patterns[P]) NewModel(rules string, s Columns[P], weights []float32, from weightsfile.Provenance) (*Model[P], error) {
	if err := weightsfile.CheckWeights(s, weights); err != nil {
		return nil, err
	}
	return &Model[P]{Game: ps.Game.Name, Rules: rules, Set: s, Weights: weights, Provenance: from}, nil
}

// Exact is the fitted function of a position, in points for the side to move: the slow
// twin of compiled evaluators.
func (m *Model[P]) Exact(p P) (sum float64) {
	ones, vals := m.Set.AppendRow(nil, nil, p)
	for _, i := range ones {
		sum += float64(m.Weights[i])
	}
	for _, v := range vals {
		sum += float64(m.Weights[v.Index]) * float64(v.Value)
	}
	return sum
}

// Hash identifies what matters for play in 16 hexadecimal digits.
func (m *Model[P]) Hash() string { return weightsfile.HashOf(m.Rules, m.Set.Hash(), m.Weights) }

// Save writes the model to a file, whole or not at all. Equal models give equal bytes.
func (m *Model[P]) Save(path string) error {
	h := weightsfile.ModelHeader(m.Game, m.Rules, m.Set, m.Weights, m.Provenance, m.Calibration)
	return weightsfile.Write(path, weightsfile.KindModel, h, [][]byte{weightsfile.Floats(m.Weights)})
}

// Load reads weights for a set, as Find does or else from the file of a model.
func (ps Patterns[P]) Load(name, rules string, set Columns[P]) (*Model[P], error) {
	if ps.Find != nil {
		return ps.Find(name, rules, set)
	}
	return weightsfile.Load(name, ps.ParseModel)
}

// Store writes the files of a fitted model, as Keep does or else one.
func (ps Patterns[P]) Store(m *Model[P], out, models string) (Kept, error) {
	if ps.Keep != nil {
		return ps.Keep(m, out, models)
	}
	return Kept{Model: out, Compiled: out, Hash: m.Hash(), Play: m.Hash()}, m.Save(out)
}

// ParseModel reads and checks what [Model.Save] has written; name stands for the file in
// errors.
func (ps Patterns[P]) ParseModel(data []byte, name string) (*Model[P], error) {
	m, err := ps.parseModel(data)
	return m, weightsfile.InFile(name, err)
}

func (ps Patterns[P]) parseModel(data []byte) (*Model[P], error) {
	f, err := weightsfile.Open(data, 1)
	if err != nil {
		return nil, err
	}
	h := f.Header
	if h.Game != ps.Game.Name {
		return nil, fmt.Errorf("header: weights for the game %.30q (none is oware): expected some for %s", h.Game, ps.Game.Name)
	}
	if err := ps.Game.CheckRules(h.Rules); err != nil {
		return nil, fmt.Errorf("header: rules: %w", err)
	}
	s, err := ps.Parse(h.Rules, h.Set)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	weights, err := f.Weights(s)
	if err != nil {
		return nil, err
	}
	return &Model[P]{h.Game, h.Rules, s, weights, h.Provenance, h.Calibration}, nil
}
