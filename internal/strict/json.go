// Package strict decodes small files and refuses what lenient decoders accept: fields that the
// target does not have, deep nesting, and oversized input. [JSON] also refuses duplicate fields,
// and text after the object.
//
// The outermost value of JSON must be an object. Fields may be missing or null: the caller
// checks the fields that it needs.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// deepestJSON is the maximum nesting of objects and arrays.
const deepestJSON = 16

// ReadJSON decodes all of r, at most maxBytes, into v like [JSON].
func ReadJSON(r io.Reader, maxBytes int, v any) error {
	data, err := io.ReadAll(io.LimitReader(r, int64(maxBytes)+1))
	if err != nil {
		return err
	}
	return JSON(data, maxBytes, v)
}

// JSON decodes one object of at most maxBytes into v, a pointer as for [json.Unmarshal]. Errors
// are one line and contain the offset.
func JSON(data []byte, maxBytes int, v any) error {
	if len(data) > maxBytes {
		return fmt.Errorf("longer than %d bytes: expected a smaller JSON object", maxBytes)
	}
	if err := check(data); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		err = fmt.Errorf("near byte %d: %w", d.InputOffset(), err)
		if tool := toolOf(data); tool != "" && strings.Contains(err.Error(), "json: unknown field") {
			return Newer{err, tool}
		}
		return err
	}
	return nil
}

// Newer is the error for a file with an unknown field that was written by another build of the
// program.
type Newer struct {
	err  error
	tool string
}

func (n Newer) Error() string {
	return fmt.Sprintf("%v; the file was written by %.80q, which may be newer than this program: use that one", n.err, n.tool)
}

// toolOf returns the build of the program that wrote a file: its field "tool", or that of an
// inner object, or "".
func toolOf(data []byte) string {
	type maker struct {
		Tool string `json:"tool"`
	}
	var m maker
	if json.Unmarshal(data, &m) == nil && m.Tool != "" {
		return m.Tool
	}
	var inner map[string]json.RawMessage
	json.Unmarshal(data, &inner) // data is an object, see check
	for _, name := range slices.Sorted(maps.Keys(inner)) {
		if json.Unmarshal(inner[name], &m) == nil && m.Tool != "" {
			return m.Tool
		}
	}
	return ""
}

// check reads the object to its end without decoding it.
func check(data []byte) error {
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

// checkObject reads the rest of an object after its opening brace.
func checkObject(d *json.Decoder, depth int) error {
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return truncated(err)
		}
		name, ok := t.(string)
		if !ok {
			return fmt.Errorf("%v: expected a field name", t)
		}
		if seen[fold(name)] {
			return fmt.Errorf("field %q appears twice: expected it once", name)
		}
		seen[fold(name)] = true
		if err := checkValue(d, depth); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return truncated(err)
}

func checkValue(d *json.Decoder, depth int) error {
	t, err := d.Token()
	if err != nil {
		return truncated(err)
	}
	if t != json.Delim('{') && t != json.Delim('[') {
		return nil
	}
	if depth == deepestJSON {
		return fmt.Errorf("nested too deep: expected at most %d levels", deepestJSON)
	}
	if t == json.Delim('{') {
		return checkObject(d, depth+1)
	}
	for d.More() {
		if err := checkValue(d, depth+1); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return truncated(err)
}

// truncated rewords the error for a text that ends early.
func truncated(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the file ends: expected the rest of the object")
	}
	return err
}

// fold maps all names that encoding/json considers the same field to the same text: it ignores
// case, in all of Unicode ("ſize" is "size").
func fold(name string) string {
	out := []rune(name)
	for i, r := range out {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		out[i] = least
	}
	return string(out)
}
