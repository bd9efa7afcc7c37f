package oware

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"kroo/features"
	"kroo/internal/parallel"
)

// lots returns the number of sets of pattern tables: 0, 1, or one per stage.
func (e *Evaluator) lots() int {
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
// refer), and the header's hash is that of the tables for play. The first section has the number of
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
	for lot := range c.lots() {
		for pair := range triplePairs {
			table := c.fine[lot][pair]
			if lot > 0 {
				subtract(&table, &c.fine[0][pair])
			}
			refer(&table)
			all = append(all, bytePlanes(&table))
		}
	}
	return all
}

// bytePlanes returns a section: the low bytes of all entries, then the high ones.
func bytePlanes(t *fineTable) []byte {
	b := make([]byte, tableSize)
	for i, v := range t {
		b[i], b[patternSize+i] = byte(v), byte(uint16(v)>>8)
	}
	return b
}

func subtract(t, from *fineTable) {
	for i, v := range from {
		t[i] -= v
	}
}

// refer takes the six houses in turn, and replaces each entry by its difference from the entry in
// which the house is in the last bucket. A weight of a small pattern, part of many entries, then
// appears in one, and the others are 0; only weights with a house in the last bucket, which are
// rare, spread further. The result compresses well.
func refer(t *fineTable) {
	for stride := 1; stride < patternSize; stride *= buckets {
		for from := 0; from < patternSize; from += buckets * stride {
			last := t[from+(buckets-1)*stride:][:stride]
			for k := range buckets - 1 {
				row := t[from+k*stride:][:stride]
				for i, v := range last {
					row[i] -= v
				}
			}
		}
	}
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
	lots := tables / triplePairs
	all := newPatternTables(lots)
	for lot := range all {
		e.patterns[lot] = &all[lot]
		if fine {
			c.fine[lot] = new(fineTables)
		}
	}
	e.repeatPatterns(lots)
	if lots == 0 {
		return c, nil
	}
	var errs [triplePairs]error
	buffers := make([]tableBuffer, min(parallel.Workers(0), triplePairs))
	parallel.For(0, triplePairs, func(worker, pair int) {
		errs[pair] = f.readPair(pair, &c, lots, &buffers[worker])
	})
	return c, errors.Join(errs[:]...)
}

// readPair reads the tables of a pair of triples, one per lot.
func (f opened) readPair(pair int, c *compilation, lots int, b *tableBuffer) error {
	for lot := range lots {
		if err := f.UnpackAll(b.planes[:], 1+lot*triplePairs+pair); err != nil {
			return err
		}
		words := &b.first
		if lot > 0 { // a difference from the first
			words = &b.other
		}
		words.unrefer(b.planes[:patternSize], b.planes[patternSize:])
		if lot > 0 {
			addWords(words[:], b.first[:])
		}
		words.spill(&b.table)
		c.patterns[lot].set(pair, &b.table, c.shift)
		if c.fine[lot] != nil {
			c.fine[lot][pair] = b.table
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
		return fmt.Errorf("section 0: tables arranged in way %d: expected %d; another version of this program wrote them", way, arrangement)
	}
	b[arrangementAt] = 0
	le := binary.LittleEndian
	stages, places := le.Uint32(b), le.Uint32(b[4:])
	if stages < 1 || stages > maxStages || places < minPlaces || places > maxPlaces {
		return fmt.Errorf("section 0: %d stages and %d binary places: expected 1 to %d and %d to %d",
			stages, places, maxStages, minPlaces, maxPlaces)
	}
	e.stages, e.shift = int(stages), smallPlaces-uint(places)
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
	for _, t := range e.patterns[:e.lots()] {
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

const (
	maxPlaces = 4 // binary places of the entries of patterns in a file: as many as let the largest fit
	minPlaces = 1
)

// fineTable is a pattern table as stored in a file, in centi-seeds with some binary places: a
// weight of few houses then adds the same number to many entries, so the file is small.
type fineTable [patternSize]int16

// fineTables are the tables of a stage.
type fineTables [triplePairs]fineTable

// maxEntry is the largest entry of a table for play.
const maxEntry = 127

// set makes the table of a pair: each entry is the nearest number of units, halves up. The unit is
// the smallest with which all entries are within ±maxEntry.
func (t *patternTables) set(pair int, from *fineTable, shift uint) {
	most := 0
	for _, v := range from {
		if x := int(v); uint(x+most) > uint(2*most) { // outside ±most; the branch is rare, so well predicted
			most = max(x, -x)
		}
	}
	step := max((most+maxEntry-1)/maxEntry, 1) // in the file's last place
	t.units[pair] = int32(step << shift)
	// (2v + step) / 2step rounded down, by a multiplication. It is exact, since the dividend is
	// below 2^18 and made positive by maxEntry+1 steps.
	const places = 40
	more := int64(2*maxEntry+3) * int64(step)
	inverse := (1<<places-1)/(2*int64(step)) + 1
	to := &t.entries[pair]
	for i, v := range from {
		to[i] = int8((2*int64(v)+more)*inverse>>places - maxEntry - 1)
	}
}

// gridUnit is the step of pattern weights on the grid, in points: the last binary place that an
// entry of an evaluator's pattern tables can have.
const gridUnit = 1.0 / (1 << maxPlaces) / centi

// ToGrid rounds weights, one per column of the set, in place: those of pattern families become
// multiples of a sixteenth of a centi-seed. At most 138 of them count in a position, so its value
// changes by a fifth of a centi-seed (root mean square), less than an [Evaluator]'s own rounding.
// Table entries are sums of such weights and, as long as the largest fits, need no rounding of
// their own. So the weight of a small pattern adds the same number to many entries of a table, and
// a compiled file is up to four times smaller.
func (s *Set) ToGrid(weights []float64) {
	for _, t := range s.parts {
		if t.of.patterns == nil {
			continue
		}
		w := weights[t.From:t.To]
		for i, x := range w {
			w[i] = float64(float32(math.Round(x/gridUnit) * gridUnit))
		}
	}
}

// lanes is the number of pattern entries in a 64-bit word. Reading the champion adds thirty million
// entries; four at a time take less than two thirds of the time.
const lanes = 4

// tableWords are the entries of a pattern table, four per word.
type tableWords [patternSize / lanes]uint64

// unrefer is the inverse of [refer], from the low and the high bytes of a table's differences.
func (t *tableWords) unrefer(low, high []byte) {
	const ( // words of the entries of that many houses
		two   = buckets * buckets / lanes
		three = buckets * two
		four  = buckets * three // fits into the L1 cache
	)
	for from := 0; from < len(t); from += four {
		block := t[from:][:four]
		for i := 0; i < four; i += two {
			if at := lanes * (from + i); join(block[i:][:two], low[at:], high[at:]) {
				addLastOfEight(block[i:][:two])
				addLast(block[i:][:two], buckets/lanes)
			}
		}
		addLast(block, two)
		addLast(block, three)
	}
	addLast(t[:], four)
	addLast(t[:], buckets*four)
}

// spill writes words as entries.
func (t *tableWords) spill(to *fineTable) {
	for i, w := range t {
		e := to[lanes*i:][:lanes]
		e[0] = int16(w)
		e[1] = int16(w >> 16)
		e[2] = int16(w >> 32)
		e[3] = int16(w >> 48)
	}
}

// join combines low and high bytes into words of entries, two words at a time, most of which are 0,
// and reports whether any is nonzero.
func join(words []uint64, low, high []byte) (any bool) {
	for i := 0; i+1 < len(words); i += 2 {
		at := lanes * i
		l, h := binary.LittleEndian.Uint64(low[at:]), binary.LittleEndian.Uint64(high[at:])
		if l|h == 0 {
			words[i], words[i+1] = 0, 0
			continue
		}
		any = true
		words[i] = spread(uint32(l)) | spread(uint32(h))<<8
		words[i+1] = spread(uint32(l>>32)) | spread(uint32(h>>32))<<8
	}
	return any
}

// spread puts four bytes into the low bytes of four lanes.
func spread(b uint32) uint64 {
	v := uint64(b)
	v = (v | v<<16) & 0x0000ffff0000ffff
	return (v | v<<8) & 0x00ff00ff00ff00ff
}

// addLastOfEight adds the last of eight neighbours to the others.
func addLastOfEight(words []uint64) {
	const each = 0x0001000100010001
	for i := 0; i < len(words); i += 2 {
		last := words[i+1] >> 48 * each
		words[i] = sum(words[i], last)
		words[i+1] = sum(words[i+1], last&^(0xffff<<48))
	}
}

// addLast adds the last of eight rows of the given number of words to the others.
func addLast(words []uint64, stride int) {
	for from := 0; from < len(words); from += buckets * stride {
		for k := range buckets - 1 {
			addWords(words[from+k*stride:][:stride], words[from+(buckets-1)*stride:][:stride])
		}
	}
}

func addWords(to, from []uint64) {
	to = to[:len(from)] // eliminates bounds checks
	for i, w := range from {
		to[i] = sum(to[i], w)
	}
}

// sum adds lane by lane: the highest bit of each lane separately, so that nothing is carried into
// the next.
func sum(a, b uint64) uint64 {
	const top = 0x8000800080008000
	return (a&^top + b&^top) ^ (a^b)&top
}
