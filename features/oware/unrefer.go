package oware

import "encoding/binary"

// lanes is how many entries of a pattern table stand side by side in a word of 64 bits.
// Reading the champion adds thirty million entries: four at a time take less than two
// thirds of the time.
const lanes = 4

// unrefer is the inverse of [refer]: it makes a table of the low and the high bytes of its
// differences. It works in words, a lane an entry.
func unrefer(low, high []byte, words []uint64, t *[patternSize]int16) {
	for i := range words {
		words[i] = spread(low[lanes*i:]) | spread(high[lanes*i:])<<8
	}
	addLastOfEight(words)
	for stride := buckets / lanes; stride < len(words); stride *= buckets {
		for from := 0; from < len(words); from += buckets * stride {
			last := words[from+(buckets-1)*stride:][:stride]
			for k := range buckets - 1 {
				addWords(words[from+k*stride:][:stride], last)
			}
		}
	}
	for i, w := range words {
		t4 := t[lanes*i:][:lanes]
		t4[0], t4[1], t4[2], t4[3] = int16(w), int16(w>>16), int16(w>>32), int16(w>>48)
	}
}

// spread is four bytes, each as the low one of a lane.
func spread(b []byte) uint64 {
	v := uint64(binary.LittleEndian.Uint32(b))
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

func addWords(to, from []uint64) {
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
