package brotli

import (
	"errors"
	"io"
)

// DefaultCompression is the level that Arrow asks for where it is not told one.
const DefaultCompression = 6

var errNone = errors.New("this program writes no Brotli: expected Zstandard, Snappy or gzip")

// Writer fails.
type Writer struct{}

// NewWriter returns a writer that fails.
func NewWriter(io.Writer) *Writer { return &Writer{} }

// NewWriterLevel returns a writer that fails.
func NewWriterLevel(io.Writer, int) *Writer { return &Writer{} }

func (*Writer) Write([]byte) (int, error) { return 0, errNone }

// Close fails.
func (*Writer) Close() error { return errNone }
