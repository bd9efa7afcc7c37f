package features

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// PackedMagic is how a file begins.
const PackedMagic = "kroowts\n"

// maxPacked is the most bytes that a file has.
const maxPacked = 1 << 28

const (
	packedVersion = 2 // sections are Zstandard frames
	olderVersion  = 1 // DEFLATE streams

	maxHeader = 1 << 20
	fixedSize = len(PackedMagic) + 3*4 // before the header
)

// Kind is what a file holds.
type Kind uint32

// The kinds of files.
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

// Header is what a file says of its content, and an evaluator of its origin.
type Header struct {
	Game       string     `json:"game,omitempty"` // games.Info.Name; "" is oware
	Set        string     `json:"set"`            // canonical spec
	SetHash    string     `json:"set_hash"`       // of the set's definition
	Columns    int        `json:"columns"`        // of the set
	Rules      string     `json:"rules"`          // of the positions that the weights were fitted to
	Weights    string     `json:"weights"`        // hash of the model
	Play       string     `json:"play,omitempty"` // hash of the evaluator, of compiled files
	Provenance Provenance `json:"provenance"`
	// Calibration says what scores with the weights are worth; nil if it is not known. No hash
	// covers it: it changes no move.
	Calibration *Calibration `json:"calibration,omitempty"`
}

// SealPacked is the content of a file.
func SealPacked(kind Kind, h Header, sections [][]byte) ([]byte, error) {
	packed := make([][]byte, len(sections))
	for i, section := range sections {
		packed[i] = pack(section)
	}
	return seal(packedVersion, kind, h, packed)
}

// calibratedPacked is the content of a file with another calibration.
func calibratedPacked(data []byte, c *Calibration) ([]byte, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	f, err := openPacked(data, math.MaxUint32)
	if err != nil {
		return nil, err
	}
	f.Header.Calibration = c
	return seal(f.version, f.Kind, f.Header, f.packed)
}

// seal is SealPacked of sections that are packed as the version has it.
func seal(version uint32, kind Kind, h Header, packed [][]byte) ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if len(text) > maxHeader {
		return nil, fmt.Errorf("header of %d bytes: expected at most %d", len(text), maxHeader)
	}
	le := binary.LittleEndian
	b := []byte(PackedMagic)
	b = le.AppendUint32(b, version)
	b = le.AppendUint32(b, uint32(kind))
	b = le.AppendUint32(b, uint32(len(text)))
	b = append(b, text...)
	b = le.AppendUint32(b, uint32(len(packed)))
	for _, section := range packed {
		b = le.AppendUint64(b, uint64(len(section)))
		b = append(b, section...)
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

// WritePacked seals a file, whole or not at all. Equal contents give equal bytes.
func WritePacked(path string, kind Kind, h Header, sections [][]byte) error {
	data, err := SealPacked(kind, h, sections)
	if err == nil {
		err = atomicfile.WriteBytes(path, data)
	}
	if err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	return nil
}

// ReadFile is the content of a weights file of any kind. Of a file that is too long it reads
// just enough for its parser to refuse it.
func ReadFile(path string) ([]byte, error) {
	data, err := vfs.ReadStart(path, maxPacked+1)
	if err != nil {
		return nil, fmt.Errorf("cannot read weights: %w", err)
	}
	return data, nil
}

// InFile is an error with the name of the weights file that it is about; nil for nil.
func InFile(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("weights file %s: %w", name, err)
}

// IsPacked reports whether a file's content is of this format.
func IsPacked(data []byte) bool { return bytes.HasPrefix(data, []byte(PackedMagic)) }

// hashOf identifies the weights of a set under rules in 16 hexadecimal digits.
func hashOf(rules, setHash string, weights []float64) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", rules, setHash)
	b := make([]byte, 0, 4*len(weights))
	for _, w := range weights {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(w)))
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Packed is the content of a file whose checksum is right.
type Packed struct {
	Kind   Kind
	Header Header

	packed  [][]byte // the sections, compressed
	version uint32
}

// Sections is the number of sections.
func (f Packed) Sections() int { return len(f.packed) }

// openPacked checks the content of a file, and reads its header. It refuses more than
// maxSections sections. Weights and the methods that unpack read the sections.
func openPacked(data []byte, maxSections uint32) (Packed, error) {
	le := binary.LittleEndian
	if !IsPacked(data) {
		return Packed{}, fmt.Errorf("byte 0: expected %q; this is no file of pattern weights", PackedMagic)
	}
	if len(data) > maxPacked {
		return Packed{}, fmt.Errorf("longer than %d bytes: expected fewer", maxPacked)
	}
	if len(data) < fixedSize+4+sha256.Size {
		return Packed{}, errors.New("the file ends in its header: copy it again")
	}
	v := le.Uint32(data[8:])
	if v != packedVersion && v != olderVersion {
		return Packed{}, fmt.Errorf("byte 8: format version %d: expected %d or %d; a newer program wrote it", v, olderVersion, packedVersion)
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if sha256.Sum256(body) != [sha256.Size]byte(sum) {
		return Packed{}, errors.New("it does not agree with its SHA-256: damaged or cut short; copy it again")
	}
	f := Packed{version: v, Kind: Kind(le.Uint32(data[12:]))}
	if f.Kind != KindModel && f.Kind != KindCompiled {
		return Packed{}, fmt.Errorf("byte 12: %s: expected 1 (model) or 2 (compiled)", f.Kind)
	}
	n, rest := int64(le.Uint32(data[16:])), body[fixedSize:]
	if n > maxHeader || n > int64(len(rest)-4) {
		return Packed{}, fmt.Errorf("byte 16: header of %d bytes: expected at most %d", n, min(maxHeader, len(rest)-4))
	}
	if err := json.Unmarshal(rest[:n], &f.Header); err != nil {
		return Packed{}, fmt.Errorf("header: %w", err)
	}
	if err := f.Header.Calibration.Check(); err != nil {
		return Packed{}, fmt.Errorf("header: %w", err)
	}
	var err error
	f.packed, err = split(rest[n:], maxSections)
	return f, err
}

// split finds the sections.
func split(b []byte, maxSections uint32) (sections [][]byte, err error) {
	le := binary.LittleEndian
	n := le.Uint32(b)
	if n < 1 || n > maxSections {
		return nil, fmt.Errorf("%d sections: expected 1 to %d", n, maxSections)
	}
	b = b[4:]
	for i := range n {
		if len(b) < 8 || le.Uint64(b) > uint64(len(b)-8) {
			return nil, fmt.Errorf("section %d: the file ends", i)
		}
		size := le.Uint64(b)
		sections, b = append(sections, b[8:8+size]), b[8+size:]
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%d bytes after the last section: expected none", len(b))
	}
	return sections, nil
}

// floatsOf is the section of a model: of all weights, as float32, the lowest bytes, then the
// next ones. The bytes of signs and exponents are alike, and compress best side by side.
func floatsOf(w []float64) []byte {
	n := len(w)
	b := make([]byte, 4*n)
	for i, x := range w {
		for k, v := 0, math.Float32bits(float32(x)); k < 4; k, v = k+1, v>>8 {
			b[k*n+i] = byte(v)
		}
	}
	return b
}

// parseFloats is the inverse of floatsOf.
func parseFloats(b []byte) []float64 {
	n := len(b) / 4
	w := make([]float64, n)
	for i := range w {
		w[i] = float64(math.Float32frombits(uint32(b[i]) | uint32(b[n+i])<<8 | uint32(b[2*n+i])<<16 | uint32(b[3*n+i])<<24))
	}
	return w
}
