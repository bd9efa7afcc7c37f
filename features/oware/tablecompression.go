package oware

import "encoding/binary"

// How a pattern table is transformed before it is compressed: each entry becomes its difference from those
// of the last bucket of a house. (This has nothing to do with evaluation by differences between positions:
// evaluators are not incremental.)
//
// The entries are numbered by six houses in eight buckets each. Of two houses with three buckets, one along
// a row and one down a column:
//
//	a b c       a-c b-c c       (a-c)-(g-i) (b-c)-(h-i) c-i
//	d e f   →   d-f e-f f   →   (d-f)-(g-i) (e-f)-(h-i) f-i
//	g h i       g-i h-i i        g-i         h-i        i
//
// What one house adds to all entries remains in one row or column, what two houses add together in the
// rest, and most of the rest is 0. The file has the low bytes of all entries, then the high ones.

// subtractTable subtracts another table, entry by entry.
func subtractTable(t, from *fineTable) {
	for i, v := range from {
		t[i] -= v
	}
}

// subtractLastBuckets takes the six houses in turn, and replaces each entry by its difference from the entry in
// which the house is in the last bucket. A weight of a small pattern, part of many entries, then
// appears in one, and the others are 0; only weights with a house in the last bucket, which are
// rare, spread further. The result compresses well.
func subtractLastBuckets(t *fineTable) {
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

// bytePlanes returns a section: the low bytes of all entries, then the high ones.
func bytePlanes(t *fineTable) []byte {
	b := make([]byte, tableSize)
	for i, v := range t {
		b[i] = byte(v)
		b[patternSize+i] = byte(uint16(v) >> 8)
	}
	return b
}

// lanes is the number of pattern entries in a 64-bit word. Reading the champion adds thirty million
// entries; four at a time take less than two thirds of the time.
const lanes = 4

// tableWords are the entries of a pattern table, four per word.
type tableWords [patternSize / lanes]uint64

// addLastBuckets is the inverse of [subtractLastBuckets], from the low and the high bytes of a table's differences.
func (t *tableWords) addLastBuckets(low, high []byte) {
	const ( // words of the entries of that many houses
		two   = buckets * buckets / lanes
		three = buckets * two
		four  = buckets * three // fits into the L1 cache
	)
	for from := 0; from < len(t); from += four {
		block := t[from:][:four]
		for i := 0; i < four; i += two {
			at := lanes * (from + i)
			if join(block[i:][:two], low[at:], high[at:]) {
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

// unpackTo writes words as entries.
func (t *tableWords) unpackTo(to *fineTable) {
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
func join(words []uint64, low, high []byte) (hasAny bool) {
	for i := 0; i+1 < len(words); i += 2 {
		at := lanes * i
		l := binary.LittleEndian.Uint64(low[at:])
		h := binary.LittleEndian.Uint64(high[at:])
		if l|h == 0 {
			words[i] = 0
			words[i+1] = 0
			continue
		}
		hasAny = true
		words[i] = spread(uint32(l)) | spread(uint32(h))<<8
		words[i+1] = spread(uint32(l>>32)) | spread(uint32(h>>32))<<8
	}
	return hasAny
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
		words[i] = addLanes(words[i], last)
		words[i+1] = addLanes(words[i+1], last&^(0xffff<<48))
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
		to[i] = addLanes(to[i], w)
	}
}

// addLanes adds lane by lane: the highest bit of each lane separately, so that nothing is carried into
// the next.
func addLanes(a, b uint64) uint64 {
	const top = 0x8000800080008000
	return (a&^top + b&^top) ^ (a^b)&top
}
