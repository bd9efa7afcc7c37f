package oware

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"kroo/features"
	"kroo/internal/parallel"
)

// tableSets returns the number of sets of pattern tables: 0, 1, or one per stage.
func (e *Evaluator) tableSets() int {
	switch {
	case e.patterns[0] == nil:
		return 0
	case e.stages > 1 && e.patterns[1] != e.patterns[0]:
		return e.stages
	}
	return 1
}

// Lengths of the parts of a compiled file's sections, in bytes.
const (
	introSize  = 2 * 4
	storesSize = 4 * counts * counts
	housesSize = 4 * houses * counts
	tableSize  = 2 * patternSize
)

// small returns the first section: everything but the pattern tables.
func (e *Evaluator) small() (b []byte) {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(e.stages))
	b = le.AppendUint32(b, uint32(smallPlaces-e.shift))
	for _, t := range e.tables()[:2] { // stores and houses
		for row := range t.rows {
			for i := range t.size {
				b = le.AppendUint32(b, uint32(t.at(row, i)))
			}
		}
	}
	return b
}

// house returns the value stored by setHouse.
func (e *Evaluator) house(stage, h, n int) int32 {
	return int32(int64(e.houses[stage][h][n]) >> bucketsBits)
}

// The pattern tables of a file are differences from the first stage and from a reference (see
// [subtractLastBuckets]), and the header has the hash of the tables for play. The first section has the number of
// this arrangement at an offset within the binary places, which are four bytes and need only one.
const (
	arrangementAt = 5
	arrangement   = 2
)

// sections returns the sections of a compiled file.
func (c compilation) sections() [][]byte {
	small := c.small()
	small[arrangementAt] = arrangement
	all := [][]byte{small}
	for set := range c.tableSets() {
		for pair := range triplePairs {
			table := c.fine[set][pair]
			if set > 0 {
				subtractTable(&table, &c.fine[0][pair])
			}
			subtractLastBuckets(&table)
			all = append(all, bytePlanes(&table))
		}
	}
	return all
}

// opened is the content of one of oware's weights files.
type opened struct{ features.Packed }

// evaluator reads the sections of a compiled file.
func (f opened) evaluator() (*Evaluator, error) {
	c, err := f.compilation(false)
	return c.Evaluator, err
}

// compilation reads the sections too, and keeps the fine tables if fine is set.
func (f opened) compilation(fine bool) (c compilation, err error) {
	e := &Evaluator{header: f.Header}
	if err := f.readSmall(e); err != nil {
		return c, err
	}
	c.Evaluator = e
	tables := f.Sections() - 1
	if tables != 0 && tables != triplePairs && tables != triplePairs*e.stages {
		return compilation{}, fmt.Errorf("%d pattern tables: expected 0, %d or %d", tables, triplePairs, triplePairs*e.stages)
	}
	sets := tables / triplePairs
	all := newPatternTables(sets)
	for set := range all {
		e.patterns[set] = &all[set]
		if fine {
			c.fine[set] = new(fineTables)
		}
	}
	e.repeatPatterns(sets)
	if sets == 0 {
		return c, nil
	}
	var errs [triplePairs]error
	buffers := make([]tableBuffer, min(parallel.Workers(0), triplePairs))
	parallel.For(0, triplePairs, func(worker, pair int) {
		errs[pair] = f.readPair(pair, &c, sets, &buffers[worker])
	})
	return c, errors.Join(errs[:]...)
}

// readPair reads the tables of a pair of triples, one per table set.
func (f opened) readPair(pair int, c *compilation, sets int, b *tableBuffer) error {
	for set := range sets {
		if err := f.UnpackAll(b.planes[:], 1+set*triplePairs+pair); err != nil {
			return err
		}
		words := &b.first
		if set > 0 { // a difference from the first
			words = &b.other
		}
		words.addLastBuckets(b.planes[:patternSize], b.planes[patternSize:])
		if set > 0 {
			addWords(words[:], b.first[:])
		}
		words.unpackTo(&b.table)
		c.patterns[set].roundToInt8(pair, &b.table, c.shift)
		if c.fine[set] != nil {
			c.fine[set][pair] = b.table
		}
	}
	return nil
}

// readSmall reads the first section.
func (f opened) readSmall(e *Evaluator) error {
	b := make([]byte, introSize+storesSize+maxStages*housesSize)
	n, err := f.Unpack(b, 0)
	if err != nil {
		return err
	}
	if way := b[arrangementAt]; way != arrangement {
		return fmt.Errorf("section 0: tables arranged in way %d: expected %d; another version of this program wrote them",
			way, arrangement)
	}
	b[arrangementAt] = 0
	le := binary.LittleEndian
	stages := le.Uint32(b)
	places := le.Uint32(b[4:])
	if stages < 1 || stages > maxStages || places < minPlaces || places > maxPlaces {
		return fmt.Errorf("section 0: %d stages and %d binary places: expected 1 to %d and %d to %d",
			stages, places, maxStages, minPlaces, maxPlaces)
	}
	e.stages = int(stages)
	e.shift = smallPlaces - uint(places)
	if want := introSize + storesSize + e.stages*housesSize; n != want {
		return fmt.Errorf("section 0: expected %d bytes", want)
	}
	return e.setSmall(b[introSize:n])
}

// setSmall sets stores and houses.
func (e *Evaluator) setSmall(b []byte) error {
	const most = maxSmall << smallPlaces
	entry := func(i int) int32 { return int32(binary.LittleEndian.Uint32(b[4*i:])) }
	for i := range len(b) / 4 {
		if v := entry(i); v > most || v < -most {
			return fmt.Errorf("section 0: entry %d is %d: expected at most %d either way", i, v, most)
		}
	}
	for i := range e.stores {
		e.setStore(i/counts, i%counts, entry(i))
	}
	for stage := range e.stages {
		for i := range houses * counts {
			e.setHouse(stage, i/counts, i%counts, entry(len(e.stores)+stage*houses*counts+i))
		}
	}
	e.joinHouses()
	return nil
}

// tableBuffer is a worker's buffer for the section of a pattern table.
type tableBuffer struct {
	planes       [tableSize]byte
	first, other tableWords // of the first stage, and of the current one
	table        fineTable
}

// digest computes [Evaluator.Hash].
func (e *Evaluator) digest() string {
	d := sha256.New()
	fmt.Fprintln(d, e.header.Rules, bucketFrom)
	d.Write(e.small())
	b := make([]byte, patternSize)
	for _, t := range e.patterns[:e.tableSets()] {
		fmt.Fprintln(d, t.units)
		for pair := range t.entries {
			for i, v := range t.entries[pair] {
				b[i] = byte(v)
			}
			d.Write(b)
		}
	}
	return hex.EncodeToString(d.Sum(nil))[:16]
}
