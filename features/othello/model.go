package othello

import (
	"fmt"

	"kroo/features/weightsfile"
	"kroo/games/othello"
)

// Model is a function fitted to the columns of a set, and its origin.
type Model struct {
	Set        *PatternSet
	Weights    []float32 // points for the side to move, one a column
	Provenance weightsfile.Provenance
}

// NewModel makes a model of a set and a weight for each of its columns, which it keeps.
func NewModel(s *PatternSet, weights []float32, from weightsfile.Provenance) (*Model, error) {
	if err := weightsfile.CheckWeights(s, weights); err != nil {
		return nil, err
	}
	return &Model{s, weights, from}, nil
}

// Exact is the fitted function of a position: points for the side to move. It is the
// slow twin of [Patterns.Evaluate].
func (m *Model) Exact(p othello.Position) (sum float64) {
	ones, _ := m.Set.AppendRow(nil, nil, p)
	for _, i := range ones {
		sum += float64(m.Weights[i])
	}
	return sum
}

// Hash identifies what matters for play in 16 hexadecimal digits.
func (m *Model) Hash() string {
	return weightsfile.HashOf(m.Set.Rules().String(), m.Set.Hash(), m.Weights)
}

// Save writes the model to a file, whole or not at all. Equal models give equal bytes.
func (m *Model) Save(path string) error {
	h := weightsfile.ModelHeader(othello.Descriptor().Name, m.Set.Rules().String(), m.Set, m.Weights, m.Provenance)
	return weightsfile.Write(path, weightsfile.KindModel, h, [][]byte{weightsfile.Floats(m.Weights)})
}

// LoadModel reads and checks a file that Save has written.
func LoadModel(path string) (*Model, error) { return weightsfile.Load(path, ParseModel) }

// ParseModel is [LoadModel] for a file's content; name stands for the file in errors.
func ParseModel(data []byte, name string) (*Model, error) {
	m, err := parseModel(data)
	return m, weightsfile.InFile(name, err)
}

func parseModel(data []byte) (*Model, error) {
	f, err := weightsfile.Open(data, 1)
	if err != nil {
		return nil, err
	}
	h := f.Header
	if h.Game != othello.Descriptor().Name {
		return nil, fmt.Errorf("header: weights for the game %.30q (none is oware): expected some for othello", h.Game)
	}
	r, err := othello.ParseRules(h.Rules)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	s, err := ParsePatterns(r, h.Set)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	weights, err := f.Weights(s)
	if err != nil {
		return nil, err
	}
	return &Model{s, weights, h.Provenance}, nil
}
