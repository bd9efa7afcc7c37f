package features

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"kroo/internal/atomicfile"
	"kroo/internal/strict"
)

// maxFile bounds what a weights file may make a reader allocate.
const maxFile = 1 << 20

// sealed is the content of a weights file: the weights and a checksum of them,
// so that a flipped digit does not pass for a weight. A file written by hand
// needs none.
type sealed struct {
	*Weights
	SHA256 string `json:"sha256,omitempty"` // of the same file without this field, as Save writes it
}

// ParseWeights reads the content of a weights file of any game and set; name represents
// the file in errors. It refuses unknown or repeated names, text after the end, wrong
// counts, numbers out of range, and a checksum that does not agree, if there is one.
// [Sets.Model] checks that the set is still what it was.
func ParseWeights(data []byte, name string) (*Weights, error) {
	w, err := parseWeights(data)
	return w, InFile(name, err)
}

func parseWeights(data []byte) (*Weights, error) {
	s, err := decode(data)
	if err == nil {
		err = s.Weights.Check()
	}
	if err == nil {
		err = s.check()
	}
	return s.Weights, err
}

// check compares the checksum.
func (s *sealed) check() error {
	if s.SHA256 == "" {
		return nil
	}
	sum, err := s.Weights.checksum()
	if err != nil {
		return err
	}
	if s.SHA256 != sum {
		return errors.New("it does not agree with its sha256: damaged, or changed by hand; if the change was meant, delete the sha256 field")
	}
	return nil
}

func (w *Weights) checksum() (string, error) {
	text, err := w.marshal()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Save writes the weights to a file, whole or not at all. Equal weights give
// equal bytes.
func (w *Weights) Save(path string) error {
	data, err := w.seal()
	if err != nil {
		return fmt.Errorf("cannot save weights to %s: %w", path, err)
	}
	return atomicfile.WriteBytes(path, data)
}

// Write writes what Save puts into a file.
func (w *Weights) Write(to io.Writer) error {
	data, err := w.seal()
	if err == nil {
		_, err = to.Write(data)
	}
	if err != nil {
		return fmt.Errorf("cannot write weights: %w", err)
	}
	return nil
}

func (w *Weights) seal() ([]byte, error) {
	sum, err := w.checksum()
	if err != nil {
		return nil, err
	}
	return indented(sealed{w, sum})
}

func decode(data []byte) (*sealed, error) {
	s := &sealed{Weights: new(Weights)}
	return s, strict.JSON(data, maxFile, s)
}
