package features

import (
	"cmp"
	"fmt"
	"io"
	"strings"

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

	// Find reads weights for a set from what a name represents, a file or weights of the
	// program. It is nil if that is always a model.
	Find func(name, rules string, set Columns[P]) (*Model[P], error)
	// Keep writes a fitted model to the file of models, and to out what an engine plays
	// with, if it can be made. It is nil if the engine plays with the model: out holds it.
	Keep func(m *Model[P], out, models string) (Kept, error)

	// Compile makes tables of a model, also of one of an antisymmetric set; Unpack reads tables
	// from a file of at most Sections sections. They are nil in games without tables.
	Compile  func(m *Model[P]) (Tables[P], error)
	Unpack   func(f Packed) (Tables[P], error)
	Sections uint32
}

// Tables are an evaluator compiled from a model, of which it is a cache.
type Tables[P any] interface {
	// Evaluate is the value for the side to move in hundredths of the game's unit.
	Evaluate(p P) int
	// Parts takes the value apart, as [Model.Parts] does.
	Parts(p P) []Part
	Header() Header
	// Hash identifies what matters for play.
	Hash() string
	// Rounding is the most by which Evaluate differs from the model.
	Rounding() float64
	// Export writes the tables in a format of [Opened.Export].
	Export(to io.Writer, format string) error
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

// Endings of the two files of a fit of patterns.
const (
	CompiledSuffix = ".weights" // what an engine plays with
	modelSuffix    = ".model"   // the weights of all columns
)

// ModelPath is the name of the model that belongs to compiled weights.
func ModelPath(out string) string { return strings.TrimSuffix(out, CompiledSuffix) + modelSuffix }

// NewModel makes a model of a set for rules and a weight for each of its columns, which
// it keeps and rounds to what files have of them.
func (ps Patterns[P]) NewModel(rules string, s Columns[P], weights []float64, from Provenance) (*Model[P], error) {
	m := &Model[P]{Rules: rules, Set: s, Weights: weights, Provenance: from}
	if ps.Game.Name != oldGame {
		m.Game = ps.Game.Name
	}
	if err := ps.Game.CheckRules(rules); err != nil {
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

// Load reads weights for a set, as Find does or else from the file of a model.
func (ps Patterns[P]) Load(name, rules string, set Columns[P]) (*Model[P], error) {
	if ps.Find != nil {
		return ps.Find(name, rules, set)
	}
	return ps.LoadModel(name)
}

// Store writes the files of a fitted model, as Keep does or else one.
func (ps Patterns[P]) Store(m *Model[P], out, models string) (Kept, error) {
	if ps.Keep != nil {
		return ps.Keep(m, out, models)
	}
	return Kept{Model: out, Compiled: out, Hash: m.Hash(), Play: m.Hash()}, m.Save(out)
}

// LoadModel reads and checks what [Model.Save] has written.
func (ps Patterns[P]) LoadModel(path string) (*Model[P], error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ps.ParseModel(data, path)
}

// ParseModel is LoadModel for a file's content; name represents the file in errors.
func (ps Patterns[P]) ParseModel(data []byte, name string) (*Model[P], error) {
	f, err := ps.OpenPacked(data)
	var m *Model[P]
	if err == nil {
		m, err = ps.model(f)
	}
	return m, InFile(name, err)
}

// OpenPacked opens a packed file of the game.
func (ps Patterns[P]) OpenPacked(data []byte) (f Packed, err error) {
	if f, err = openPacked(data, max(1, ps.Sections)); err != nil {
		return f, err
	}
	if game := cmp.Or(f.Header.Game, oldGame); game != ps.Game.Name {
		return f, fmt.Errorf("header: weights for the game %.30q: expected some for %s", game, ps.Game.Name)
	}
	if err := ps.Game.CheckRules(f.Header.Rules); err != nil {
		return f, fmt.Errorf("header: rules: %w", err)
	}
	return f, nil
}

func (ps Patterns[P]) model(f Packed) (*Model[P], error) {
	h := f.Header
	if f.Kind != KindModel {
		return nil, fmt.Errorf("it holds a %s evaluator: expected a model, which has a weight for each column", f.Kind)
	}
	s, err := ps.Parse(h.Rules, h.Set)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	m := &Model[P]{Game: h.Game, Rules: h.Rules, Set: s, Provenance: h.Provenance, Calibration: h.Calibration}
	return m, m.unpack(f)
}
