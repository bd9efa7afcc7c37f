package othello

import (
	"errors"
	"fmt"
	"math"

	"kroo/features/weightsfile"
	"kroo/games/othello"
)

// MaxWeight is the largest weight, in points, that a model may have.
const MaxWeight = 1e5

// Model is a function fitted to the columns of a set, and its origin.
type Model struct {
	Set        *PatternSet
	Weights    []float32 // points for the side to move, one a column
	Provenance weightsfile.Provenance
}

// NewModel makes a model of a set and a weight for each of its columns, which it keeps.
func NewModel(s *PatternSet, weights []float32, from weightsfile.Provenance) (*Model, error) {
	if len(weights) != s.Len() {
		return nil, fmt.Errorf("features/othello: %d weights: expected %d, one for each column of %s", len(weights), s.Len(), s)
	}
	for i, w := range weights {
		if !(math.Abs(float64(w)) <= MaxWeight) {
			return nil, fmt.Errorf("features/othello: weight of column %d (%s) is %g: expected at most %g points either way", i, s.ColumnName(i), w, float64(MaxWeight))
		}
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
// Package features/oware describes the format; the header names the game.
func (m *Model) Save(path string) error {
	h := weightsfile.Header{
		Game: othello.Descriptor().Name, Set: m.Set.String(), SetHash: m.Set.Hash(), Columns: m.Set.Len(),
		Rules: m.Set.Rules().String(), Weights: m.Hash(), Provenance: m.Provenance,
	}
	if err := weightsfile.Write(path, weightsfile.KindModel, h, [][]byte{weightsfile.Floats(m.Weights)}); err != nil {
		return fmt.Errorf("features/othello: weights: %w", err)
	}
	return nil
}

// LoadModel reads and checks a file that Save has written.
func LoadModel(path string) (*Model, error) {
	data, err := weightsfile.Read(path)
	if err != nil {
		return nil, fmt.Errorf("features/othello: cannot read weights: %w", err)
	}
	return ParseModel(data, path)
}

// ParseModel is [LoadModel] for a file's content; name stands for the file in errors.
func ParseModel(data []byte, name string) (*Model, error) {
	m, err := parseModel(data)
	if err != nil {
		return nil, fmt.Errorf("features/othello: weights file %q: %w", name, err)
	}
	return m, nil
}

func parseModel(data []byte) (*Model, error) {
	f, err := weightsfile.Open(data, 1)
	if err != nil {
		return nil, err
	}
	h := f.Header
	if h.Game != othello.Descriptor().Name || f.Kind != weightsfile.KindModel {
		return nil, fmt.Errorf("header: %s of the game %.30q: expected a model of othello", f.Kind, h.Game)
	}
	r, err := othello.ParseRules(h.Rules)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	s, err := ParsePatterns(r, h.Set)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if s.Hash() != h.SetHash || s.Len() != h.Columns {
		return nil, fmt.Errorf("header: set %s has hash %.20s and %d columns: this program's has %s and %d; fit the weights again", s, h.SetHash, h.Columns, s.Hash(), s.Len())
	}
	body, err := f.Unpack(0, 4*s.Len())
	if err != nil {
		return nil, err
	}
	m, err := NewModel(s, weightsfile.ParseFloats(body), h.Provenance)
	if err != nil {
		return nil, err
	}
	if m.Hash() != h.Weights {
		return nil, errors.New("header: the hash is not that of the weights")
	}
	return m, nil
}
