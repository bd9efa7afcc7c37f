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
	"sync"

	"github.com/klauspost/compress/zstd"

	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// PackedMagic begins every packed file.
const PackedMagic = "kroowts\n"

// maxPacked is the maximum size of a file in bytes.
const maxPacked = 1 << 28

const (
	packedVersion = 2
	maxHeader     = 1 << 20
	fixedSize     = len(PackedMagic) + 3*4 // before the header
)

// Kind is the kind of content of a file.
type Kind uint32

// The kinds of files.
const (
	KindModel    Kind = 1 // a weight per column
	KindCompiled Kind = 2 // the tables of an evaluator
)

// String returns a word for messages.
func (k Kind) String() string {
	switch k {
	case KindModel:
		return "model"
	case KindCompiled:
		return "compiled"
	}
	return fmt.Sprintf("kind %d", uint32(k))
}

// Header describes a file's content, and an evaluator's origin.
type Header struct {
	Game       string     `json:"game,omitempty"` // games.Info.Name; "" means oware
	Set        string     `json:"set"`            // canonical spec
	SetHash    string     `json:"set_hash"`       // of the set's definition
	Columns    int        `json:"columns"`        // of the set
	Rules      string     `json:"rules"`          // of the positions that the weights were fitted to
	ModelHash  string     `json:"weights"`        // see [Model.Hash]
	TablesHash string     `json:"play,omitempty"` // of what an engine plays with, in compiled files
	Provenance Provenance `json:"provenance"`
	// Calibration converts scores to chances; nil if unknown. It is not part of any hash, since it
	// does not affect play.
	Calibration *Calibration `json:"calibration,omitempty"`
}

// SealPacked returns the content of a file.
func SealPacked(kind Kind, h Header, sections [][]byte) ([]byte, error) {
	encoder := newFrameEncoder()
	packed := make([][]byte, len(sections))
	for i, section := range sections {
		packed[i] = encoder.EncodeAll(section, nil)
	}
	return seal(kind, h, packed)
}

// calibratedPacked returns the content of a file with another calibration, made by a command.
func calibratedPacked(data []byte, c *Calibration, made string) ([]byte, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	f, err := openPacked(data)
	if err != nil {
		return nil, err
	}
	f.Header.Calibration = c
	f.Header.Provenance.Made = made
	return seal(f.Kind, f.Header, f.packed)
}

// seal is SealPacked for compressed sections.
func seal(kind Kind, h Header, packed [][]byte) ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if len(text) > maxHeader {
		return nil, fmt.Errorf("header of %d bytes: expected at most %d", len(text), maxHeader)
	}
	le := binary.LittleEndian
	b := []byte(PackedMagic)
	b = le.AppendUint32(b, packedVersion)
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

// WritePacked writes a file atomically. Equal contents give equal bytes.
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

// ReadFile reads a weights file of any kind. It reads only enough of an oversized file for its
// parser to refuse it.
func ReadFile(path string) ([]byte, error) {
	data, err := vfs.ReadStart(path, maxPacked+1)
	if err != nil {
		return nil, fmt.Errorf("cannot read weights: %w", err)
	}
	return data, nil
}

// InFile adds the name of the weights file to an error; nil stays nil.
func InFile(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("weights file %s: %w", name, err)
}

// IsPacked reports whether a file's content is in this format.
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

// Packed is the content of a file with a correct checksum.
type Packed struct {
	Kind   Kind
	Header Header

	packed [][]byte // the sections, compressed
}

// Sections returns the number of sections.
func (f Packed) Sections() int { return len(f.packed) }

// openPacked checks a file and reads its header. The sections are read by the Unpack methods.
func openPacked(data []byte) (Packed, error) {
	le := binary.LittleEndian
	if !IsPacked(data) {
		return Packed{}, fmt.Errorf("byte 0: expected %q; this is not a file of pattern weights", PackedMagic)
	}
	if len(data) > maxPacked {
		return Packed{}, fmt.Errorf("longer than %d bytes: expected fewer", maxPacked)
	}
	if len(data) < fixedSize+4+sha256.Size {
		return Packed{}, errors.New("the file ends in its header: copy it again")
	}
	if v := le.Uint32(data[8:]); v != packedVersion {
		return Packed{}, fmt.Errorf("byte 8: format version %d: expected %d; another version of this program wrote it",
			v, packedVersion)
	}
	body := data[:len(data)-sha256.Size]
	sum := data[len(body):]
	if sha256.Sum256(body) != [sha256.Size]byte(sum) {
		return Packed{}, errors.New("it does not match its SHA-256: damaged or cut short; copy it again")
	}
	f := Packed{Kind: Kind(le.Uint32(data[12:]))}
	if f.Kind != KindModel && f.Kind != KindCompiled {
		return Packed{}, fmt.Errorf("byte 12: %s: expected 1 (model) or 2 (compiled)", f.Kind)
	}
	n := int64(le.Uint32(data[16:]))
	rest := body[fixedSize:]
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
	f.packed, err = split(rest[n:])
	return f, err
}

// split finds the sections.
func split(b []byte) (sections [][]byte, err error) {
	le := binary.LittleEndian
	n := le.Uint32(b)
	if n < 1 {
		return nil, errors.New("0 sections: expected at least 1")
	}
	b = b[4:]
	for i := range n {
		if len(b) < 8 || le.Uint64(b) > uint64(len(b)-8) {
			return nil, fmt.Errorf("section %d: the file ends", i)
		}
		size := le.Uint64(b)
		sections = append(sections, b[8:8+size])
		b = b[8+size:]
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%d bytes after the last section: expected none", len(b))
	}
	return sections, nil
}

// floatsOf is the section of a model: all weights as float32, the lowest bytes first, then the next
// ones. Signs and exponents are similar and compress best together.
func floatsOf(w []float64) []byte {
	n := len(w)
	b := make([]byte, 4*n)
	for i, x := range w {
		v := math.Float32bits(float32(x))
		for k := range 4 {
			b[k*n+i] = byte(v >> (8 * k))
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

// window is the maximum distance that a frame of this program refers back. Frames of other writers may have
// larger windows: a reader needs no more memory for them, since it unpacks into a buffer of the section's size.
const window = 1 << 20

// newFrameEncoder returns an encoder, which needs 34 MiB of memory. The level gives small frames, which are
// also the fastest to unpack.
func newFrameEncoder() *zstd.Encoder {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(window),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false)) // the file has a checksum
	if err != nil {
		panic(err) // the options are valid
	}
	return w
}

// frameDecoder unpacks frames into buffers of the right size. All goroutines share it.
var frameDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // the options are valid
	}
	return d
})

// Unpack reads a section into b and returns its length. It refuses a section longer than b.
func (f Packed) Unpack(b []byte, section int) (n int, err error) {
	got, err := frameDecoder().DecodeAll(f.packed[section], b[:0:len(b)])
	if err != nil {
		return 0, fmt.Errorf("section %d: expected %d bytes: %w", section, len(b), err)
	}
	return len(got), nil
}

// UnpackAll is Unpack for a section of the length of b.
func (f Packed) UnpackAll(b []byte, section int) error {
	n, err := f.Unpack(b, section)
	if err == nil && n != len(b) {
		err = fmt.Errorf("section %d: expected %d bytes", section, len(b))
	}
	return err
}
