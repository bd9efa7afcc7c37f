package oware

import (
	"fmt"

	"kroo/features/weightsfile"
)

func (m *Model) header() weightsfile.Header {
	return weightsfile.ModelHeader("", m.Rules, m.Set, m.Weights, m.Provenance)
}

// Save writes the model to a file, whole or not at all. Equal models give equal
// bytes.
func (m *Model) Save(path string) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("cannot save %q: %w", path, err)
	}
	return weightsfile.Write(path, weightsfile.KindModel, m.header(), [][]byte{weightsfile.Floats(m.Weights)})
}

// Save writes the compiled evaluator to a file, whole or not at all. Equal
// evaluators give equal bytes.
func (e *Evaluator) Save(path string) error {
	return weightsfile.Write(path, weightsfile.KindCompiled, e.header, e.sections())
}

// LoadModel reads and checks a file of the kind model.
func LoadModel(path string) (*Model, error) { return weightsfile.Load(path, ParseModel) }

// LoadEvaluator reads and checks a weights file of either kind; it compiles a
// model.
func LoadEvaluator(path string) (*Evaluator, error) { return weightsfile.Load(path, ParseEvaluator) }

// ParseHeader is what a weights file says of itself. It checks the checksum of the whole
// file, and nothing in the body. name stands for the file in errors.
func ParseHeader(data []byte, name string) (weightsfile.Kind, weightsfile.Header, error) {
	f, err := open(data)
	return f.Kind, f.Header, weightsfile.InFile(name, err)
}

// ParseModel is [LoadModel] for a file's content; name stands for the file in
// errors.
func ParseModel(data []byte, name string) (*Model, error) {
	f, err := open(data)
	if err != nil {
		return nil, weightsfile.InFile(name, err)
	}
	m, err := f.model()
	return m, weightsfile.InFile(name, err)
}

// ParseEvaluator is [LoadEvaluator] for a file's content; name stands for the
// file in errors.
func ParseEvaluator(data []byte, name string) (*Evaluator, error) {
	e, err := parseEvaluator(data)
	return e, weightsfile.InFile(name, err)
}

func parseEvaluator(data []byte) (*Evaluator, error) {
	f, err := open(data)
	if err != nil {
		return nil, err
	}
	if f.Kind == weightsfile.KindCompiled {
		return f.evaluator()
	}
	m, err := f.model()
	if err != nil {
		return nil, err
	}
	return Compile(m)
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
	return &Model{s, weights, f.Header.Rules, f.Header.Provenance}, nil
}
