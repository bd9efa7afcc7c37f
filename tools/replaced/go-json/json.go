// Package json takes the place of github.com/goccy/go-json, which Arrow imports for its
// conversions from and to JSON. Kroo uses none of them, and that library takes a ninth of
// the time of a build. Arrow's own code for TinyGo has the same stand-in.
package json

import (
	"encoding/json"
	"io"
)

// What Arrow names of the library.
type (
	Decoder            = json.Decoder
	Encoder            = json.Encoder
	Marshaler          = json.Marshaler
	Delim              = json.Delim
	UnmarshalTypeError = json.UnmarshalTypeError
	Number             = json.Number
	Unmarshaler        = json.Unmarshaler
	RawMessage         = json.RawMessage
)

// Marshal is [json.Marshal].
func Marshal(v any) ([]byte, error) { return json.Marshal(v) }

// Unmarshal is [json.Unmarshal].
func Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

// NewDecoder is [json.NewDecoder].
func NewDecoder(r io.Reader) *Decoder { return json.NewDecoder(r) }

// NewEncoder is [json.NewEncoder].
func NewEncoder(w io.Writer) *Encoder { return json.NewEncoder(w) }
