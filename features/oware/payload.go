package oware

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
)

// modelBody is the body of a model's file: the lowest bytes of all weights,
// then the next ones. Signs and exponents are alike, so they compress best side
// by side.
func modelBody(w []float32) []byte {
	n := len(w)
	b := make([]byte, 4*n)
	for i, x := range w {
		for k, v := 0, math.Float32bits(x); k < 4; k, v = k+1, v>>8 {
			b[k*n+i] = byte(v)
		}
	}
	return b
}

// weightsOf is the inverse of modelBody.
func weightsOf(b []byte) []float32 {
	n := len(b) / 4
	w := make([]float32, n)
	for i := range w {
		w[i] = math.Float32frombits(uint32(b[i]) | uint32(b[n+i])<<8 | uint32(b[2*n+i])<<16 | uint32(b[3*n+i])<<24)
	}
	return w
}

// lots counts the different sets of pattern tables: 0, 1, or one a stage.
func (e *Evaluator) lots() int {
	switch {
	case e.patterns[0] == nil:
		return 0
	case e.stages > 1 && e.patterns[1] != e.patterns[0]:
		return e.stages
	}
	return 1
}

// Lengths of the parts of a compiled body, in bytes.
const (
	introSize  = 3 * 4
	storesSize = 4 * counts * counts
	housesSize = 4 * houses * counts
	lotSize    = 2 * triplePairs * patternSize
)

// appendSmall appends everything but the pattern tables.
func (e *Evaluator) appendSmall(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(e.stages))
	b = le.AppendUint32(b, uint32(e.places()))
	b = le.AppendUint32(b, uint32(e.lots()*triplePairs))
	for i := range e.stores {
		b = le.AppendUint32(b, uint32(e.stores[i].value))
	}
	for stage := range e.stages {
		for h := range houses {
			for n := range counts {
				b = le.AppendUint32(b, uint32(e.house(stage, h, n)))
			}
		}
	}
	return b
}

// house is what setHouse stored.
func (e *Evaluator) house(stage, h, n int) int32 {
	return int32(int64(e.houses[stage][h][n]) >> bucketsBits)
}

// body is the body of a compiled file.
func (e *Evaluator) body() []byte {
	b := e.appendSmall(make([]byte, 0, introSize+storesSize+e.stages*housesSize+e.lots()*lotSize))
	size := e.lots() * triplePairs * patternSize
	b = append(b, make([]byte, 2*size)...)
	low := b[len(b)-2*size:]
	high := low[size:]
	for lot := range e.lots() {
		for pair := range triplePairs {
			table := e.patterns[lot][pair]
			difference(&table)
			at := (lot*triplePairs + pair) * patternSize
			for i, v := range table {
				low[at+i], high[at+i] = byte(v), byte(uint16(v)>>8)
			}
		}
	}
	return b
}

// difference replaces each entry by its difference from the one with a bucket
// less, along the six houses in turn. What depends on fewer houses than six
// becomes zero nearly everywhere, which compresses.
func difference(t *[patternSize]int16) {
	for stride := 1; stride < patternSize; stride *= buckets {
		for from := 0; from < patternSize; from += buckets * stride {
			for i := from + buckets*stride - 1; i >= from+stride; i-- {
				t[i] -= t[i-stride]
			}
		}
	}
}

// accumulate is the inverse of difference.
func accumulate(t *[patternSize]int16) {
	for stride := 1; stride < patternSize; stride *= buckets {
		for from := 0; from < patternSize; from += buckets * stride {
			for i := from + stride; i < from+buckets*stride; i++ {
				t[i] += t[i-stride]
			}
		}
	}
}

// evaluator reads the body of a compiled file.
func (f opened) evaluator(e *Evaluator) error {
	b, err := f.unpack(introSize + storesSize + MaxStages*(housesSize+lotSize))
	if err != nil {
		return err
	}
	if len(b) < introSize {
		return fmt.Errorf("body of %d bytes: expected at least %d", len(b), introSize)
	}
	le := binary.LittleEndian
	stages, places, tables := le.Uint32(b), le.Uint32(b[4:]), le.Uint32(b[8:])
	if stages < 1 || stages > MaxStages || places < minPlaces || places > maxPlaces ||
		tables != 0 && tables != triplePairs && tables != triplePairs*stages {
		return fmt.Errorf("body: %d stages, %d binary places, %d tables: expected 1 to %d, %d to %d, and 0, %d or %d for each stage",
			stages, places, tables, MaxStages, minPlaces, maxPlaces, triplePairs, triplePairs)
	}
	e.stages, e.shift = int(stages), smallPlaces-uint(places)
	lots := int(tables) / triplePairs
	if want := introSize + storesSize + e.stages*housesSize + lots*lotSize; len(b) != want {
		return fmt.Errorf("body of %d bytes: expected %d", len(b), want)
	}
	b, err = e.readSmall(b[introSize:])
	if err != nil {
		return err
	}
	e.readPatterns(b, lots)
	return nil
}

// readSmall reads stores and houses, and returns what follows.
func (e *Evaluator) readSmall(b []byte) ([]byte, error) {
	var bad error
	next := func() int32 {
		v := int32(binary.LittleEndian.Uint32(b))
		if b = b[4:]; v > maxSmall<<smallPlaces || v < -maxSmall<<smallPlaces {
			bad = fmt.Errorf("body: an entry of stores or houses is %d: expected at most %d either way", v, maxSmall<<smallPlaces)
		}
		return v
	}
	for i := range e.stores {
		e.setStore(i/counts, i%counts, next())
	}
	for stage := range e.stages {
		for h := range houses {
			for n := range counts {
				e.setHouse(stage, h, n, next())
			}
		}
	}
	e.joinHouses()
	return b, bad
}

// readPatterns reads the rest.
func (e *Evaluator) readPatterns(b []byte, lots int) {
	low, high := b[:len(b)/2], b[len(b)/2:]
	for lot := range lots {
		e.patterns[lot] = new(patternTables)
		for pair := range triplePairs {
			table := &e.patterns[lot][pair]
			at := (lot*triplePairs + pair) * patternSize
			l, h := low[at:at+patternSize], high[at:at+patternSize]
			for i := range table {
				table[i] = int16(uint16(l[i]) | uint16(h[i])<<8)
			}
			accumulate(table)
		}
	}
	for stage := lots; lots > 0 && stage < e.stages; stage++ {
		e.patterns[stage] = e.patterns[0]
	}
}

// digest is [Evaluator.Hash].
func (e *Evaluator) digest() string {
	d := sha256.New()
	fmt.Fprintln(d, e.header.Rules, bucketFrom)
	d.Write(e.appendSmall(nil))
	b := make([]byte, 0, 2*patternSize)
	for lot := range e.lots() {
		for pair := range triplePairs {
			b = b[:0]
			for _, v := range e.patterns[lot][pair] {
				b = binary.LittleEndian.AppendUint16(b, uint16(v))
			}
			d.Write(b)
		}
	}
	return hex.EncodeToString(d.Sum(nil))[:16]
}
