package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
)

// digests hashes the values of columns as they are written, row after row. Neither the format
// of the file nor the build that writes it is part of them, and a further column leaves those
// of the others alone.
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

// add hashes the values that the columns have now.
func (d *digests) add(cols []column) {
	for i := range cols {
		d.buffer = cols[i].appendValues(d.buffer[:0])
		d.sums[i].Write(d.buffer)
	}
}

// of is the digest of each column by its name, in hex.
func (d *digests) of(cols []column) map[string]string {
	all := make(map[string]string, len(cols))
	for i, c := range cols {
		all[c.name] = hex.EncodeToString(d.sums[i].Sum(nil))
	}
	return all
}

// appendValues appends the values as docs/formats.md describes them: whole numbers in 8 bytes and
// doubles in 8, little-endian, truth values in one, texts after their length in 4.
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
