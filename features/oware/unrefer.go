package oware

import "encoding/binary"

// lanes is how many entries of a pattern table stand side by side in a word of 64 bits.
// Reading the champion adds thirty million entries: four at a time take less than two
// thirds of the time.
const lanes = 4

// The words of three houses, which the nearest memory holds, and of one and two more.
const (
	wordsOf3 = buckets * buckets * buckets / lanes
	wordsOf4 = buckets * wordsOf3
	wordsOf5 = buckets * wordsOf4
)

// unrefer is the inverse of [refer]: it makes a table of the low and the high bytes of its
// differences, and adds it to t. It works in words, a lane an entry, house by house, of which
// the first four are done for a block of words before the next block is looked at.
func unrefer(low, high []byte, words []uint64, t *[patternSize]int16) {
	for from := 0; from < len(words); from += wordsOf4 {
		block := words[from:][:wordsOf4]
		join(block, low[lanes*from:], high[lanes*from:])
		addLastOfEight(block)
		for stride := buckets / lanes; stride <= wordsOf3; stride *= buckets {
			addLast(block, stride)
		}
	}
	addLast(words, wordsOf4)
	addLast(words, wordsOf5)
	for i, w := range words {
		t4 := t[lanes*i:][:lanes]
		t4[0] += int16(w)
		t4[1] += int16(w >> 16)
		t4[2] += int16(w >> 32)
		t4[3] += int16(w >> 48)
	}
}

// join makes words of entries of low and high bytes, two at a time, most of which are 0.
func join(words []uint64, low, high []byte) {
	for i := 0; i+1 < len(words); i += 2 {
		at := lanes * i
		l, h := binary.LittleEndian.Uint64(low[at:]), binary.LittleEndian.Uint64(high[at:])
		if l|h == 0 {
			words[i], words[i+1] = 0, 0
			continue
		}
		words[i] = spread(uint32(l)) | spread(uint32(h))<<8
		words[i+1] = spread(uint32(l>>32)) | spread(uint32(h>>32))<<8
	}
}

// spread is four bytes, each as the low one of a lane.
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

// addLast adds the last of eight rows of so many words to the others.
func addLast(words []uint64, stride int) {
	for from := 0; from < len(words); from += buckets * stride {
		last := words[from+(buckets-1)*stride:][:stride]
		if zero(last) { // as most are where a stage has small patterns alone
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
	to = to[:len(from)] // so that the compiler sees it
	for i, w := range from {
		to[i] = sum(to[i], w)
	}
}

// sum adds lane by lane: the highest bit of a lane apart, so that nothing is carried into
// the next.
func sum(a, b uint64) uint64 {
	const top = 0x8000800080008000
	return (a&^top + b&^top) ^ (a^b)&top
}
