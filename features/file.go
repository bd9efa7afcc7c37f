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

// maxFile limits what a weights file can make a reader allocate.
const maxFile = 1 << 20

// sealed is the content of a weights file: the weights and a checksum, which detects a flipped
// digit. It is optional in files written by hand.
type sealed struct {
	*Weights
	SHA256 string `json:"sha256,omitempty"` // of the same file without this field, as Save writes it
}

// ParseWeights parses a weights file of any game and set; name is the file's in errors. It refuses
// unknown or repeated names, trailing text, wrong counts, numbers out of range, and a wrong
// checksum. [Sets.Model] checks that the set has not changed.
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
		return errors.New("it does not match its sha256: damaged, or changed by hand; if the change was meant, delete the sha256 field")
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

// Save writes the weights to a file atomically. Equal weights give equal bytes.
func (w *Weights) Save(path string) error {
	data, err := w.seal()
	if err != nil {
		return fmt.Errorf("cannot save weights to %s: %w", path, err)
	}
	return atomicfile.WriteBytes(path, data)
}

// Write writes the file's content as Save does.
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
