// Package wire reads the values of a message that may be truncated, corrupt or hostile:
// varints in their shortest form and no larger than the caller allows, flags, and bytes
// with their length before them. Nothing may be left over at the end.
//
// [encoding/binary.AppendUvarint] and AppendVarint write what a Reader reads.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Reader takes values off a message, one after the other. After an error it gives
// zeros; [Reader.End] tells the error. The zero Reader reads an empty message.
type Reader struct {
	rest []byte
	err  error
}

// NewReader reads the message b. What Bytes returns shares its memory.
func NewReader(b []byte) *Reader { return &Reader{rest: b} }

var errShort = errors.New("it ends too early")

// Fail makes err the error of the message, if it has none yet.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.rest = nil
}

// Err is the error so far.
func (r *Reader) Err() error { return r.err }

// Number reads an unsigned varint of at most the given value.
func (r *Reader) Number(most uint64) uint64 {
	v, n := binary.Uvarint(r.rest)
	switch {
	case n <= 0:
		r.Fail(errShort)
		return 0
	case v > most:
		r.Fail(fmt.Errorf("%d: expected at most %d", v, most))
		return 0
	case n > 1 && r.rest[n-1] == 0:
		r.Fail(errors.New("a number that is longer than it has to be"))
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// Signed reads a signed varint from -within to within, which is at most 2^62.
func (r *Reader) Signed(within int64) int64 {
	u := r.Number(1<<64 - 1)
	v := int64(u >> 1)
	if u&1 != 0 {
		v = ^v
	}
	if v > within || v < -within {
		r.Fail(fmt.Errorf("%d: expected -%d to %d", v, within, within))
		return 0
	}
	return v
}

// Flags reads a byte with none but the allowed bits.
func (r *Reader) Flags(allowed byte) byte {
	if len(r.rest) == 0 {
		r.Fail(errShort)
		return 0
	}
	v := r.rest[0]
	if v&^allowed != 0 {
		r.Fail(fmt.Errorf("flags %#x: expected some of %#x", v, allowed))
		return 0
	}
	r.rest = r.rest[1:]
	return v
}

// Bytes reads a length of at most the given value, and so many bytes.
func (r *Reader) Bytes(most int) []byte {
	n := r.Number(uint64(most))
	if uint64(len(r.rest)) < n {
		r.Fail(errShort)
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// End is the first error, or one for bytes that are left over.
func (r *Reader) End() error {
	if r.err == nil && len(r.rest) > 0 {
		r.err = fmt.Errorf("%d bytes too many", len(r.rest))
	}
	return r.err
}

// AppendBytes appends what Bytes reads.
func AppendBytes[T string | []byte](b []byte, v T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(v))), v...)
}
