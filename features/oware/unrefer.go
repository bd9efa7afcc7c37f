package oware

import "encoding/binary"

// lanes is the number of pattern entries in a 64-bit word. Reading the champion adds thirty million
// entries; four at a time take less than two thirds of the time.
const lanes = 4

// Numbers of words with the entries of two houses (often all 0), of three, of four (they fit into
// the L1 cache), and of five: a slab, the entries in which the last house is in one bucket.
const (
	wordsOf2 = buckets * buckets / lanes
	wordsOf3 = buckets * wordsOf2
	wordsOf4 = buckets * wordsOf3
	wordsOf5 = buckets * wordsOf4
)

// slabs is a buffer for two slabs: the last of a table, and the current one.
type slabs struct{ last, now [wordsOf5]uint64 }

// unrefer is the inverse of [refer]. It makes the table to from the low and the high bytes of its
// differences, and adds the table from unless that is nil. It works on words of four entries, and
// slab by slab from the last, which all others need, so that each part of to is written once:
// touching new memory costs as much as the sums.
func unrefer(low, high []byte, b *slabs, to, from *fineTable) {
	for k := buckets - 1; k >= 0; k-- {
		at, slab := k*lanes*wordsOf5, b.now[:]
		if k == buckets-1 {
			slab = b.last[:]
		}
		unreferSlab(slab, low[at:], high[at:])
		if k < buckets-1 {
			addWords(slab, b.last[:])
		}
		if from == nil {
			spill(to[at:], slab)
		} else {
			spillSum(to[at:], from[at:], slab)
		}
	}
}

// unreferSlab adds along five houses: along the first four for each block of words, while the block
// is in the cache, then along the fifth.
func unreferSlab(slab []uint64, low, high []byte) {
	for from := 0; from < len(slab); from += wordsOf4 {
		block := slab[from:][:wordsOf4]
		for i := 0; i < len(block); i += wordsOf2 {
			two, at := block[i:][:wordsOf2], lanes*(from+i)
			if join(two, low[at:], high[at:]) {
				addLastOfEight(two)
				addLast(two, buckets/lanes)
			}
		}
		addLast(block, wordsOf2)
		addLast(block, wordsOf3)
	}
	addLast(slab, wordsOf4)
}

// spill writes words as entries.
func spill(to []int16, words []uint64) {
	for i, w := range words {
		t := to[lanes*i:][:lanes]
		t[0] = int16(w)
		t[1] = int16(w >> 16)
		t[2] = int16(w >> 32)
		t[3] = int16(w >> 48)
	}
}

// spillSum writes the sums of words and entries.
func spillSum(to, from []int16, words []uint64) {
	for i, w := range words {
		t, f := to[lanes*i:][:lanes], from[lanes*i:][:lanes]
		t[0] = f[0] + int16(w)
		t[1] = f[1] + int16(w>>16)
		t[2] = f[2] + int16(w>>32)
		t[3] = f[3] + int16(w>>48)
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
		last := words[from+(buckets-1)*stride:][:stride]
		if zero(last) { // common for stages with small patterns only
			continue
		}
		for k := range buckets - 1 {
			addWords(words[from+k*stride:][:stride], last)
		}
	}
}

func zero(words []uint64) bool {
	for _, w := range words {
		if w != 0 {
			return false
		}
	}
	return true
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
