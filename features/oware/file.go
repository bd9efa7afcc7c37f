package oware

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"kroo/games/oware"
	"kroo/internal/atomicfile"
)

// The parts of a weights file; the package comment describes it.
const (
	magic     = "kroowts\n"
	version   = 1
	maxFile   = 1 << 28
	maxHeader = 1 << 20
	fixedSize = len(magic) + 3*4 // before the header
)

// Kind is what a weights file holds.
type Kind uint32

// The kinds of weights files.
const (
	KindModel    Kind = 1 // a weight for each column
	KindCompiled Kind = 2 // the tables of an evaluator
)

// String is a word for messages.
func (k Kind) String() string {
	switch k {
	case KindModel:
		return "model"
	case KindCompiled:
		return "compiled"
	}
	return fmt.Sprintf("kind %d", uint32(k))
}

// Header is what a weights file says of its content, and an evaluator of its
// origin.
type Header struct {
	Set        string     `json:"set"`            // canonical spec
	SetHash    string     `json:"set_hash"`       // Set.Hash
	Columns    int        `json:"columns"`        // Set.Len
	Rules      string     `json:"rules"`          // oware.Rules.String
	Weights    string     `json:"weights"`        // Model.Hash
	Play       string     `json:"play,omitempty"` // Evaluator.Hash, of compiled files
	Provenance Provenance `json:"provenance"`
}

func (m *Model) header() Header {
	return Header{
		Set: m.Set.String(), SetHash: m.Set.Hash(), Columns: m.Set.Len(),
		Rules: m.Rules, Weights: m.Hash(), Provenance: m.Provenance,
	}
}

// Save writes the model to a file, whole or not at all. Equal models give equal
// bytes.
func (m *Model) Save(path string) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("features/oware: cannot save %q: %w", path, err)
	}
	return save(path, KindModel, m.header(), modelBody(m.Weights))
}

// Save writes the compiled evaluator to a file, whole or not at all. Equal
// evaluators give equal bytes.
func (e *Evaluator) Save(path string) error {
	return save(path, KindCompiled, e.header, e.body())
}

func save(path string, kind Kind, h Header, body []byte) error {
	data, err := seal(kind, h, body)
	if err == nil {
		err = atomicfile.WriteBytes(path, data)
	}
	if err != nil {
		return fmt.Errorf("features/oware: weights: %w", err)
	}
	return nil
}

// seal is the content of a file.
func seal(kind Kind, h Header, body []byte) ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if len(text) > maxHeader {
		return nil, fmt.Errorf("header of %d bytes: expected at most %d", len(text), maxHeader)
	}
	le := binary.LittleEndian
	b := []byte(magic)
	b = le.AppendUint32(b, version)
	b = le.AppendUint32(b, uint32(kind))
	b = le.AppendUint32(b, uint32(len(text)))
	b = append(b, text...)
	packed := pack(body)
	b = le.AppendUint64(b, uint64(len(packed)))
	b = append(b, packed...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

// pack compresses.
func pack(body []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(body)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // the level is valid, and a buffer takes everything
	}
	return b.Bytes()
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
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("features/oware: cannot read weights: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("features/oware: cannot read weights: %w", err)
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
	return f.kind, f.header, nil
}

// ParseModel is [LoadModel] for a file's content; name stands for the file in
// errors.
func ParseModel(data []byte, name string) (*Model, error) {
	f, err := open(data)
	if err != nil {
		return nil, inFile(name, err)
	}
	if f.kind != KindModel {
		return nil, inFile(name, fmt.Errorf("it is %s: expected a model; the weights of columns are not in it", f.kind))
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
	e := &Evaluator{header: f.header}
	if f.kind == KindCompiled {
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
	return fmt.Errorf("features/oware: weights file %q: %w", name, err)
}

// opened is a file whose checksum is right.
type opened struct {
	kind   Kind
	header Header
	packed []byte
}

// open reads everything but the body.
func open(data []byte) (opened, error) {
	le := binary.LittleEndian
	if len(data) < len(magic) || string(data[:len(magic)]) != magic {
		return opened{}, fmt.Errorf("byte 0: expected %q; this is no file of pattern weights", magic)
	}
	if len(data) > maxFile {
		return opened{}, fmt.Errorf("longer than %d bytes: expected fewer", maxFile)
	}
	if len(data) < fixedSize+8+sha256.Size {
		return opened{}, errors.New("the file ends in its header: copy it again")
	}
	if v := le.Uint32(data[8:]); v != version {
		return opened{}, fmt.Errorf("byte 8: format version %d: expected %d", v, version)
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if sha256.Sum256(body) != [sha256.Size]byte(sum) {
		return opened{}, errors.New("it does not agree with its SHA-256: damaged or cut short; copy it again")
	}
	f := opened{kind: Kind(le.Uint32(data[12:]))}
	if f.kind != KindModel && f.kind != KindCompiled {
		return opened{}, fmt.Errorf("byte 12: %s: expected 1 (model) or 2 (compiled)", f.kind)
	}
	n, rest := int64(le.Uint32(data[16:])), body[fixedSize:]
	if n > maxHeader || n > int64(len(rest)-8) {
		return opened{}, fmt.Errorf("byte 16: header of %d bytes: expected at most %d", n, min(maxHeader, len(rest)-8))
	}
	if err := json.Unmarshal(rest[:n], &f.header); err != nil {
		return opened{}, fmt.Errorf("header: %w", err)
	}
	if _, err := oware.ParseRules(f.header.Rules); err != nil {
		return opened{}, fmt.Errorf("header: rules: %w", err)
	}
	rest = rest[n:]
	if f.packed = rest[8:]; le.Uint64(rest) != uint64(len(f.packed)) {
		return opened{}, fmt.Errorf("body of %d bytes: its header says %d", len(f.packed), le.Uint64(rest))
	}
	return f, nil
}

// unpack reads a body that should have n bytes at most.
func (f opened) unpack(n int) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(f.packed))
	defer r.Close()
	body, err := io.ReadAll(io.LimitReader(r, int64(n)+1))
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	if len(body) > n {
		return nil, fmt.Errorf("body: expected at most %d bytes", n)
	}
	return body, nil
}

// model reads the body of a model.
func (f opened) model() (*Model, error) {
	s, err := Parse(f.header.Set)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if s.Hash() != f.header.SetHash || s.Len() != f.header.Columns {
		return nil, fmt.Errorf("header: set %s has hash %s and %d columns: this program's has %s and %d; fit the weights again",
			s, shorten(f.header.SetHash), f.header.Columns, s.Hash(), s.Len())
	}
	body, err := f.unpack(4 * s.Len())
	if err != nil {
		return nil, err
	}
	if len(body) != 4*s.Len() {
		return nil, fmt.Errorf("body of %d bytes: expected %d", len(body), 4*s.Len())
	}
	m := &Model{s, weightsOf(body), f.header.Rules, f.header.Provenance}
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.Hash() != f.header.Weights {
		return nil, fmt.Errorf("header: hash of the weights is %s: they have %s", shorten(f.header.Weights), m.Hash())
	}
	return m, nil
}
