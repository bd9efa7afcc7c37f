package oware

import "encoding/binary"

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
