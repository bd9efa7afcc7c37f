package search

import (
	"math/bits"
	"os"
	"sync/atomic"

	"kroo/internal/memory"
)

// The kinds of scores in the table.
const (
	boundLower = iota // the value is at least the score
	boundUpper        // the value is at most the score
	boundExact
)

// boundOf returns the kind of a score after a search with the given window.
func boundOf(score, alpha, beta int) int {
	switch {
	case score <= alpha:
		return boundUpper
	case score >= beta:
		return boundLower
	}
	return boundExact
}

// noMove marks an entry without a move. A game may have a move of this number, which is then
// never used as the hash move.
const noMove Move = 0xffff

// entry is 16 bytes: the key, a hash of the position and its path, and a word of move (16 bits), score
// (16), depth (10), bound (2), age (6) and generation (14).
type entry struct{ key, data uint64 }

const (
	scoreShift  = 16
	depthShift  = 32
	boundShift  = 42
	ageShift    = 44
	genShift    = 50
	ageLimit    = 1 << (genShift - ageShift)
	genLimit    = 1 << (64 - genShift)
	bucketSlots = 4
)

// entryOf packs a result. store adds key, age and generation.
func entryOf(m Move, score, depth, bound int) entry {
	return entry{data: uint64(m) | uint64(uint16(score))<<scoreShift |
		uint64(depth)<<depthShift | uint64(bound)<<boundShift}
}

func (e entry) move() Move  { return Move(e.data) }
func (e entry) score() int  { return int(int16(e.data >> scoreShift)) }
func (e entry) depth() int  { return int(e.data >> depthShift & (1<<(boundShift-depthShift) - 1)) }
func (e entry) bound() int  { return int(e.data >> boundShift & 3) }
func (e entry) age() uint64 { return e.data >> ageShift & (ageLimit - 1) }
func (e entry) gen() uint64 { return e.data >> genShift }

// decides reports whether the entry, whose score is given, decides a node with this window.
func (e entry) decides(score, alpha, beta int) bool {
	switch e.bound() {
	case boundLower:
		return score >= beta
	case boundUpper:
		return score <= alpha
	}
	return true
}

// bucket is one cache line. All slots but the last keep the deepest results; the last takes
// the results that the others reject (the two tiers of Condon and Thompson's Belle).
type bucket [bucketSlots]entry

const bucketBytes = bucketSlots * 16

// table is a hash table of search results. Entries of another generation count as empty, so
// clearing the table is one addition.
//
// Several searches may share a table without locks. The first word of an entry is the key
// xored with the second word (R. Hyatt and T. Mann, A lock-less transposition-table
// implementation for parallel search, 2002): words of two different entries match no key.
// Concurrent stores may lose a result, but never return a wrong one.
type table struct {
	buckets []bucket
	gen     uint64 // 1…genLimit-1; 0 is the generation of memory never written
	age     uint64 // counts searches since the last clear
	shared  bool   // used by several goroutines

	populated bool // the system has provided all pages
}

func newTable(bytes int) *table {
	t := &table{buckets: make([]bucket, max(bytes/bucketBytes, 1)), gen: 1}
	memory.PreferHuge(t.buckets)
	return t
}

// populate writes to every page, because the system provides and zeroes a page at the first write. It changes
// nothing.
func (t *table) populate() {
	if t.populated {
		return
	}
	t.populated = true
	for i := 0; i < len(t.buckets); i += os.Getpagesize() / bucketBytes {
		atomic.AddUint64(&t.buckets[i][0].key, 0)
	}
}

// clear empties the table, which then behaves like a new one.
func (t *table) clear() {
	t.age = 0
	t.gen++
	if t.gen == genLimit {
		clear(t.buckets)
		t.gen = 1
	}
}

// newSearch starts a search: stores replace entries of earlier searches first.
func (t *table) newSearch() { t.age = (t.age + 1) % ageLimit }

func (t *table) bucket(bucketKey uint64) *bucket {
	i, _ := bits.Mul64(bucketKey, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// read returns the entry at e. Like write, it is atomic only if the table is shared, because
// that takes time.
func (t *table) read(e *entry) entry {
	var got entry
	if t.shared {
		got = entry{atomic.LoadUint64(&e.key), atomic.LoadUint64(&e.data)}
	} else {
		got = *e
	}
	got.key ^= got.data
	return got
}

func (t *table) write(to *entry, e entry) {
	e.key ^= e.data
	if t.shared {
		atomic.StoreUint64(&to.key, e.key)
		atomic.StoreUint64(&to.data, e.data)
		return
	}
	*to = e
}

// probe finds an entry by its key, which includes a hash of the path, in the bucket for bucketKey, the
// hash of the position alone: all results of a position share a bucket.
func (t *table) probe(bucketKey, key uint64) (entry, bool) {
	b := t.bucket(bucketKey)
	for i := range b {
		if e := t.read(&b[i]); e.key == key && e.gen() == t.gen {
			return e, true
		}
	}
	return entry{}, false
}

// store stores a result, replacing any other with the same key.
func (t *table) store(bucketKey, key uint64, e entry) {
	e.key = key
	e.data |= t.age<<ageShift | t.gen<<genShift
	b := t.bucket(bucketKey)
	victim, least := 0, 0
	for i := range b {
		there := t.read(&b[i])
		if there.key == key && there.gen() == t.gen {
			if e.move() == noMove {
				e.data = e.data&^uint64(noMove) | uint64(there.move())
			}
			t.write(&b[i], e)
			return
		}
		if w := t.worth(there); i == 0 || i < bucketSlots-1 && w < least {
			victim, least = i, w
		}
	}
	if least > e.depth() {
		victim = bucketSlots - 1
	}
	t.write(&b[victim], e)
}

// worth orders entries for replacement: empty ones are replaced first, then those of earlier
// searches, then the shallowest.
func (t *table) worth(e entry) int {
	switch {
	case e.gen() != t.gen:
		return -2
	case e.age() != t.age:
		return -1
	}
	return e.depth()
}
