package oware

import (
	"fmt"

	"kroo/features/weightsfile"
)

// Kind is what a weights file holds.
type Kind = weightsfile.Kind

// The kinds of weights files.
const (
	KindModel    = weightsfile.KindModel
	KindCompiled = weightsfile.KindCompiled
)

// Header is what a weights file says of its content, and an evaluator of its
// origin.
type Header = weightsfile.Header

func (m *Model) header() Header {
	return weightsfile.ModelHeader("", m.Rules, m.Set, m.Weights, m.Provenance)
}

// Save writes the model to a file, whole or not at all. Equal models give equal
// bytes.
func (m *Model) Save(path string) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("cannot save %q: %w", path, err)
	}
	return save(path, KindModel, m.header(), [][]byte{weightsfile.Floats(m.Weights)})
}

// Save writes the compiled evaluator to a file, whole or not at all. Equal
// evaluators give equal bytes.
func (e *Evaluator) Save(path string) error {
	return save(path, KindCompiled, e.header, e.sections())
}

func save(path string, kind Kind, h Header, sections [][]byte) error {
	if err := weightsfile.Write(path, kind, h, sections); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	return nil
}

// LoadModel reads and checks a file of the kind model.
func LoadModel(path string) (*Model, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return ParseModel(data, path)
}

// LoadEvaluator reads and checks a weights file of either kind; it compiles a
// model.
func LoadEvaluator(path string) (*Evaluator, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return ParseEvaluator(data, path)
}

func readFile(path string) ([]byte, error) {
	data, err := weightsfile.Read(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read weights: %w", err)
	}
	return data, nil
}

// ParseHeader is what a weights file, named in errors, says of itself. It
// checks the whole file's checksum, and nothing in the body.
func ParseHeader(data []byte, name string) (Kind, Header, error) {
	f, err := open(data)
	if err != nil {
		return 0, Header{}, inFile(name, err)
	}
	return f.Kind, f.Header, nil
}

// ParseModel is [LoadModel] for a file's content; name stands for the file in
// errors.
func ParseModel(data []byte, name string) (*Model, error) {
	f, err := open(data)
	if err != nil {
		return nil, inFile(name, err)
	}
	m, err := f.model()
	if err != nil {
		return nil, inFile(name, err)
	}
	return m, nil
}

// ParseEvaluator is [LoadEvaluator] for a file's content; name stands for the
// file in errors.
func ParseEvaluator(data []byte, name string) (*Evaluator, error) {
	f, err := open(data)
	if err != nil {
		return nil, inFile(name, err)
	}
	e := &Evaluator{header: f.Header}
	if f.Kind == KindCompiled {
		err = f.evaluator(e)
	} else if m, merr := f.model(); merr != nil {
		err = merr
	} else {
		e, err = Compile(m)
	}
	if err != nil {
		return nil, inFile(name, err)
	}
	return e, nil
}

func inFile(name string, err error) error {
	return fmt.Errorf("weights file %q: %w", name, err)
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
