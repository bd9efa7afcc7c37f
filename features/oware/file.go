package oware

import (
	"fmt"

	"kroo/features/weightsfile"
)

func (m *Model) header() weightsfile.Header {
	return weightsfile.ModelHeader("", m.Rules, m.Set, m.Weights, m.Provenance, m.Calibration)
}

// Save writes the model to a file, whole or not at all. Equal models give equal
// bytes.
func (m *Model) Save(path string) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("cannot save %q: %w", path, err)
	}
	return weightsfile.Write(path, weightsfile.KindModel, m.header(), [][]byte{weightsfile.Floats(m.Weights)})
}

// save writes the compiled evaluator to a file, whole or not at all. Equal models give
// equal bytes.
func (c compilation) save(path string) error {
	return weightsfile.Write(path, weightsfile.KindCompiled, c.header, c.sections())
}

// LoadModel reads and checks a file of the kind model.
func LoadModel(path string) (*Model, error) { return weightsfile.Load(path, parseModel) }

// parseModel is [LoadModel] for a file's content; name stands for the file in
// errors.
func parseModel(data []byte, name string) (*Model, error) {
	f, err := open(data)
	if err != nil {
		return nil, weightsfile.InFile(name, err)
	}
	m, err := f.model()
	return m, weightsfile.InFile(name, err)
}

// parseEvaluator reads a weights file's content, of either kind: it compiles a model.
// name stands for the file in errors.
func parseEvaluator(data []byte, name string) (*Evaluator, error) {
	w, err := parsePatterns(data)
	if err == nil && w.Model != nil {
		w.Compiled, err = Compile(w.Model)
	}
	return w.Compiled, weightsfile.InFile(name, err)
}

// model reads the section of a model.
func (f opened) model() (*Model, error) {
	s, err := Parse(f.Header.Set)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	weights, err := f.Weights(s)
	if err != nil {
		return nil, err
	}
	return &Model{s, weights, f.Header.Rules, f.Header.Provenance, f.Header.Calibration}, nil
}
