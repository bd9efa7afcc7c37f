package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
)

// digests hashes the values of each column as they are written. The digests do not depend on the
// file's format or the build, and a further column does not change those of the others.
type digests struct {
	sums   []hash.Hash
	buffer []byte
}

func newDigests(columns int) *digests {
	d := &digests{sums: make([]hash.Hash, columns)}
	for i := range d.sums {
		d.sums[i] = sha256.New()
	}
	return d
}

// add hashes the current values of the columns.
func (d *digests) add(cols []column) {
	for i := range cols {
		d.buffer = cols[i].appendValues(d.buffer[:0])
		d.sums[i].Write(d.buffer)
	}
}

// of returns the digest of each column by name, in hex.
func (d *digests) of(cols []column) map[string]string {
	all := make(map[string]string, len(cols))
	for i, c := range cols {
		all[c.name] = hex.EncodeToString(d.sums[i].Sum(nil))
	}
	return all
}

// appendValues appends the values as described in docs/formats.md: integers and doubles as 8 bytes,
// little-endian; booleans as one byte; texts after a length of 4 bytes.
func (c *column) appendValues(b []byte) []byte {
	for _, v := range c.ints {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	for _, v := range c.floats {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	for _, v := range c.bools {
		if v {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	for _, v := range c.texts {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
		b = append(b, v...)
	}
	return b
}
