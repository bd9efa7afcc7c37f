package features

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"kroo/games"
)

// Patterns are a game's pattern sets: how to parse them, and where to find and keep weights of
// their columns. Game, DefaultSet and Parse are required.
type Patterns[P games.Position[P]] struct {
	Game       *games.Game[P]
	DefaultSet string // spec of the default set
	// Parse parses the spec of a set for rules.
	Parse func(rules, spec string) (Columns[P], error)

	// Families lists the families that specs can name, each numbered from column 0 and without
	// stages. MaxStages is the maximum number of stages of a family ([Number]).
	Families  func(rules string) []Family
	MaxStages int

	// Find reads weights for a set by name, of a file or of the program's own. Nil if names are
	// always files of models.
	Find func(name, rules string, set Columns[P]) (*Model[P], error)
	// Keep writes a fitted model to the file models, and to out what an engine plays with, if
	// possible. Nil if the engine plays with the model: out is the model then.
	Keep func(m *Model[P], out, models string) (Kept, error)

	// Compile makes tables of a model, also of an antisymmetric set; Unpack reads tables from a
	// file of at most Sections sections. Nil in games without tables.
	Compile  func(m *Model[P]) (Tables[P], error)
	Unpack   func(f Packed) (Tables[P], error)
	Sections uint32
}

// Tables are an evaluator compiled from a model, of which it is a cache.
type Tables[P any] interface {
	// Evaluate returns the value for the side to move in hundredths of the game's unit.
	Evaluate(p P) int
	// Parts breaks down the value as [Model.Parts] does.
	Parts(p P) []Part
	Header() Header
	// Hash identifies everything that affects play.
	Hash() string
	// Rounding is the maximum difference between Evaluate and the model.
	Rounding() float64
	// Export writes the tables in a format of [Opened.Export].
	Export(to io.Writer, format string) error
}

// Kept lists the files of a fit that were written.
type Kept struct {
	Model    string  `json:"model,omitempty"`    // file
	Hash     string  `json:"hash,omitempty"`     // of the model
	Compiled string  `json:"compiled,omitempty"` // file; "" if tables cannot represent the set
	Play     string  `json:"play,omitempty"`     // hash of the tables
	Rounding float64 `json:"rounding,omitempty"` // maximum difference between the two, centi-seeds
	WhyNot   string  `json:"why_not,omitempty"`  // why it is not compiled
}

// Extensions of the two files of a pattern fit.
const (
	CompiledSuffix = ".weights" // what an engine plays with
	modelSuffix    = ".model"   // the weights of all columns
)

// ModelPath returns the name of the model of compiled weights.
func ModelPath(out string) string { return strings.TrimSuffix(out, CompiledSuffix) + modelSuffix }

// NewModel makes a model from a set, its rules and a weight per column. It keeps the slice and
// rounds the weights to the files' precision.
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

// Load reads weights for a set, by Find if set, else from the file of a model.
func (ps Patterns[P]) Load(name, rules string, set Columns[P]) (*Model[P], error) {
	if ps.Find != nil {
		return ps.Find(name, rules, set)
	}
	return ps.LoadModel(name)
}

// Store writes the files of a fitted model, by Keep if set, else the model alone.
func (ps Patterns[P]) Store(m *Model[P], out, models string) (Kept, error) {
	if ps.Keep != nil {
		return ps.Keep(m, out, models)
	}
	return Kept{Model: out, Compiled: out, Hash: m.Hash(), Play: m.Hash()}, m.Save(out)
}

// LoadModel reads and checks a file written by [Model.Save].
func (ps Patterns[P]) LoadModel(path string) (*Model[P], error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ps.ParseModel(data, path)
}

// ParseModel is LoadModel for a file's content; name is the file's in errors.
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
		return f, fmt.Errorf("header: weights for the game %.30q: expected weights for %s", game, ps.Game.Name)
	}
	if err := ps.Game.CheckRules(f.Header.Rules); err != nil {
		return f, fmt.Errorf("header: rules: %w", err)
	}
	return f, nil
}

func (ps Patterns[P]) model(f Packed) (*Model[P], error) {
	h := f.Header
	if f.Kind != KindModel {
		return nil, fmt.Errorf("it contains a %s evaluator: expected a model, which has a weight for each column", f.Kind)
	}
	s, err := ps.Parse(h.Rules, h.Set)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	m := &Model[P]{Game: h.Game, Rules: h.Rules, Set: s, Provenance: h.Provenance, Calibration: h.Calibration}
	return m, m.unpack(f)
}

// Numbered is a pattern set: some of a game's families, and the numbering of their columns. A set
// that embeds it lacks two methods of [Columns], ColumnName and AppendRow. F is the game's family.
type Numbered[F any] struct {
	Parts []NumberedPart[F]
	size  int
	name  string
	hash  string
}

// NumberedPart is a family in a set: its Size columns from From on, repeated for each stage.
type NumberedPart[F any] struct {
	Family
	Of   F
	Size int
}

// Number makes the set of a spec ([Number]) from all families in canonical order, both of columns
// in a row and of names in a spec; describe describes one, numbered from column 0 and without
// stages. digest writes a text that changes when the meaning of a column does.
func Number[F any](spec string, families []F, describe func(F) Family, maxStages int, digest func(io.Writer, *Numbered[F])) (*Numbered[F], error) {
	var names, words []string
	for _, f := range families {
		names = append(names, describe(f).Name)
	}
	asked, err := parseSpec(spec, names, maxStages)
	if err != nil {
		return nil, err
	}
	s := new(Numbered[F])
	for _, f := range families {
		t := NumberedPart[F]{Family: describe(f), Of: f}
		t.Size, t.From, t.Stages = t.To, s.size, asked[t.Name]
		if t.Stages == 0 {
			continue
		}
		s.size += t.Size * t.Stages
		t.To = s.size
		s.Parts, words = append(s.Parts, t), append(words, t.Spec())
	}
	s.name = strings.Join(words, "+")
	h := sha256.New()
	digest(h, s)
	s.hash = hex.EncodeToString(h.Sum(nil))[:16]
	return s, nil
}

// Spec returns the family's word in the spec: name or name/stages.
func (f Family) Spec() string {
	if f.Stages == 1 {
		return f.Name
	}
	return fmt.Sprintf("%s/%d", f.Name, f.Stages)
}

// String returns the canonical spec: families in column order.
func (s *Numbered[F]) String() string { return s.name }

// Hash implements [Columns].
func (s *Numbered[F]) Hash() string { return s.hash }

// Len returns the number of columns.
func (s *Numbered[F]) Len() int { return s.size }

// Families lists the families of the set in column order.
func (s *Numbered[F]) Families() (all []Family) {
	for _, t := range s.Parts {
		all = append(all, t.Family)
	}
	return all
}

// Find returns the family of a column, the column within it, and its stage. It panics if the set
// has no such column.
func (s *Numbered[F]) Find(column int) (t NumberedPart[F], local, stage int) {
	if column < 0 || column >= s.size {
		panic(fmt.Sprintf("features: column %d: set %s has %d", column, s.name, s.size))
	}
	t = s.Parts[slices.IndexFunc(s.Parts, func(t NumberedPart[F]) bool { return column < t.To })]
	column -= t.From
	return t, column % t.Size, column / t.Size
}
