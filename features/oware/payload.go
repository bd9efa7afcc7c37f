package oware

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"kroo/games/oware"
)

// tables counts the pattern tables.
func (e *Evaluator) tables() int {
	n := 0
	for _, t := range e.patterns {
		if t != nil {
			n += triplePairs
		}
	}
	return n
}

// appendSmall appends everything but the pattern tables as a file holds it.
func (e *Evaluator) appendSmall(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(e.stages))
	b = le.AppendUint32(b, uint32(e.places()))
	b = le.AppendUint32(b, uint32(e.tables()))
	for i := range e.stores {
		b = le.AppendUint32(b, uint32(e.stores[i].value))
	}
	for stage := range e.stages {
		for h := range houses {
			for n := range counts {
				b = le.AppendUint32(b, uint32(int64(e.houses[stage][h][n])>>bucketsBits))
			}
		}
	}
	return b
}

// digest is [Evaluator.Hash].
func (e *Evaluator) digest() string {
	d := sha256.New()
	fmt.Fprintln(d, e.header.Rules, bucketFrom, oware.Seeds)
	d.Write(e.appendSmall(nil))
	b := make([]byte, 0, 2*patternSize)
	for _, t := range e.patterns {
		for pair := range triplePairs {
			if t == nil {
				continue
			}
			b = b[:0]
			for _, v := range t[pair] {
				b = binary.LittleEndian.AppendUint16(b, uint16(v))
			}
			d.Write(b)
		}
	}
	return hex.EncodeToString(d.Sum(nil))[:16]
}
