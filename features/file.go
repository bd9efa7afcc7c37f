package features

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"kroo/internal/atomicfile"
)

// maxFile bounds what a weights file may make a reader allocate.
const maxFile = 1 << 20

// LoadWeights reads and checks a weights file.
func LoadWeights(path string) (*Weights, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("features: cannot read weights: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("features: cannot read weights: %w", err)
	}
	return ParseWeights(data, path)
}

// sealed is the content of a weights file: the weights and a checksum of them,
// so that a flipped digit does not pass for a weight. A file written by hand
// needs none.
type sealed struct {
	*Weights
	SHA256 string `json:"sha256,omitempty"` // of the same file without this field, as Save writes it
}

// ParseWeights is [LoadWeights] for a file's content; name stands for the file
// in errors. Everything is checked: unknown or repeated names, text after the
// end, counts, ranges, the checksum if there is one, and that the feature set
// is still what it was.
func ParseWeights(data []byte, name string) (*Weights, error) {
	s, err := decode(data)
	if err == nil {
		err = s.Weights.check()
	}
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, fmt.Errorf("features: weights file %q: %w", name, err)
	}
	return s.Weights, nil
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
	sum, err := w.checksum()
	if err != nil {
		return fmt.Errorf("features: cannot save weights to %q: %w", path, err)
	}
	data, err := indented(sealed{w, sum})
	if err != nil {
		return fmt.Errorf("features: cannot save weights to %q: %w", path, err)
	}
	if err := atomicfile.WriteBytes(path, data); err != nil {
		return fmt.Errorf("features: %w", err)
	}
	return nil
}

func decode(data []byte) (*sealed, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("longer than %d bytes: expected a small JSON object", maxFile)
	}
	if err := checkNames(data); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	s := &sealed{Weights: new(Weights)}
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("near byte %d: %w", d.InputOffset(), err)
	}
	return s, nil
}

// checkNames reads one JSON object to its end and refuses what encoding/json
// lets pass: an object that names a field twice (names are compared without
// case, as it does), and anything after the object.
func checkNames(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("byte 0: expected a JSON object")
	}
	if err := checkObject(d, 1); err != nil {
		return fmt.Errorf("near byte %d: %w", d.InputOffset(), err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("byte %d: expected nothing after the object", d.InputOffset())
	}
	return nil
}

// checkObject reads the names and values of an object whose brace has been
// read, up to its end.
func checkObject(d *json.Decoder, depth int) error {
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return ended(err)
		}
		name, ok := t.(string)
		if !ok {
			return fmt.Errorf("%v: expected a field name", t)
		}
		if name = strings.ToLower(name); seen[name] {
			return fmt.Errorf("field %q: expected it once", name)
		}
		seen[name] = true
		if err := checkValue(d, depth); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return ended(err)
}

// checkValue reads a value.
func checkValue(d *json.Decoder, depth int) error {
	if depth > 4 {
		return errors.New("nested too deep: expected at most 4 levels")
	}
	t, err := d.Token()
	if err != nil {
		return ended(err)
	}
	switch t {
	case json.Delim('{'):
		return checkObject(d, depth+1)
	case json.Delim('['):
		for d.More() {
			if err := checkValue(d, depth+1); err != nil {
				return err
			}
		}
		_, err = d.Token()
		return ended(err)
	}
	return nil
}

// ended says of a file that stops early what is missing.
func ended(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the file ends: expected the rest of the object")
	}
	return err
}
