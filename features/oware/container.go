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

	"kroo/games/oware"
)

// Magic is how a weights file begins.
const Magic = "kroowts\n"

// The parts of a weights file; the package comment describes it.
const (
	magic     = Magic
	version   = 1
	maxFile   = 1 << 28
	maxHeader = 1 << 20
	fixedSize = len(magic) + 3*4 // before the header
)

// seal is the content of a file.
func seal(kind Kind, h Header, sections [][]byte) ([]byte, error) {
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
	b = le.AppendUint32(b, uint32(len(sections)))
	for _, section := range sections {
		packed := pack(section)
		b = le.AppendUint64(b, uint64(len(packed)))
		b = append(b, packed...)
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

// pack compresses.
func pack(section []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(section)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // the level is valid, and a buffer takes everything
	}
	return b.Bytes()
}

// opened is a file whose checksum is right.
type opened struct {
	kind   Kind
	header Header
	packed [][]byte // the sections
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
	if len(data) < fixedSize+4+sha256.Size {
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
	if n > maxHeader || n > int64(len(rest)-4) {
		return opened{}, fmt.Errorf("byte 16: header of %d bytes: expected at most %d", n, min(maxHeader, len(rest)-4))
	}
	if err := json.Unmarshal(rest[:n], &f.header); err != nil {
		return opened{}, fmt.Errorf("header: %w", err)
	}
	if _, err := oware.ParseRules(f.header.Rules); err != nil {
		return opened{}, fmt.Errorf("header: rules: %w", err)
	}
	var err error
	f.packed, err = split(rest[n:])
	return f, err
}

// maxSections is one and the tables of all stages.
const maxSections = 1 + MaxStages*triplePairs

// split finds the sections.
func split(b []byte) (sections [][]byte, err error) {
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

// unpack reads a section of n bytes. A file that promises much and holds little
// allocates little: the buffer begins with what a table needs, and grows.
func (f opened) unpack(section, n int) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(f.packed[section]))
	defer r.Close()
	b := bytes.NewBuffer(make([]byte, 0, min(n, tableSize)+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(r, int64(n)+1)); err != nil {
		return nil, fmt.Errorf("section %d: %w", section, err)
	}
	if b.Len() != n {
		return nil, fmt.Errorf("section %d: expected %d bytes", section, n)
	}
	return b.Bytes(), nil
}
