package search

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

func TestBucketIsACacheLine(t *testing.T) {
	if size := unsafe.Sizeof(bucket{}); size != 64 || bucketBytes != 64 || unsafe.Sizeof(entry{}) != 16 {
		t.Errorf("a bucket has %d bytes, an entry %d: want 64 and 16", size, unsafe.Sizeof(entry{}))
	}
}

func TestEntriesSurviveARoundTrip(t *testing.T) {
	for _, score := range []int{0, 1, -1, MaxHeuristic, -MaxHeuristic, Win, -Win} {
		for _, depth := range []int{0, 1, MaxPly} {
			for bound := boundLower; bound <= boundExact; bound++ {
				tab := newTable(1)
				tab.newSearch()
				tab.store(7, 9, entryOf(0x1234, score, depth, bound))
				e, ok := tab.probe(7, 9)
				if !ok || e.move() != 0x1234 || e.score() != score || e.depth() != depth || e.bound() != bound || e.age() != 1 || e.gen() != 1 {
					t.Errorf("stored %d %d %d: got %v %d %d %d", score, depth, bound, ok, e.score(), e.depth(), e.bound())
				}
			}
		}
	}
}

// Whatever a tiny table returns is the last result stored under that key.
func TestProbeReturnsTheLastResultOfTheKey(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	tab := newTable(8 * bucketBytes)
	last := map[uint64]int{}
	hits := 0
	for range 20_000 {
		key := uint64(rng.IntN(200)) * 0x9e37_79b9_7f4a_7c15
		if e, ok := tab.probe(key, key); ok {
			hits++
			if e.score() != last[key] {
				t.Fatalf("key %#x: score %d: last stored %d", key, e.score(), last[key])
			}
		}
		last[key] = rng.IntN(1000)
		tab.store(key, key, entryOf(1, last[key], rng.IntN(20), boundExact))
	}
	if hits == 0 {
		t.Error("no hits")
	}
}

func TestTableKeepsTheDeepest(t *testing.T) {
	tab := newTable(1)
	for key := uint64(1); key <= 100; key++ {
		depth := 1
		if key%40 == 0 { // 40 and 80
			depth = 9
		}
		tab.store(0, key, entryOf(1, 0, depth, boundExact))
	}
	for _, key := range []uint64{40, 80, 100} { // the deepest and the newest
		if _, ok := tab.probe(0, key); !ok {
			t.Errorf("entry %d is gone", key)
		}
	}
}

func TestTableReplacesEarlierSearchesFirst(t *testing.T) {
	tab := newTable(1)
	for key := uint64(1); key <= 3; key++ {
		tab.store(0, key, entryOf(1, 0, 20, boundExact))
	}
	tab.newSearch()
	for key := uint64(11); key <= 13; key++ {
		tab.store(0, key, entryOf(1, 0, 5, boundExact))
	}
	for key := uint64(11); key <= 13; key++ {
		if _, ok := tab.probe(0, key); !ok {
			t.Errorf("entry %d of this search did not replace a deeper one of an earlier search", key)
		}
	}
}

func TestTableKeepsTheMoveWhenThereIsNoNewOne(t *testing.T) {
	tab := newTable(1)
	tab.store(0, 1, entryOf(5, 10, 3, boundExact))
	tab.store(0, 1, entryOf(noMove, 20, 4, boundUpper))
	if e, ok := tab.probe(0, 1); !ok || e.move() != 5 || e.score() != 20 {
		t.Errorf("move %d, score %d, found %t: want 5, 20", e.move(), e.score(), ok)
	}
}

// The test cycles through all generations: an entry not wiped would reappear when its generation
// recurs.
func TestClearEmptiesTheTable(t *testing.T) {
	tab := newTable(1)
	tab.store(0, 1, entryOf(1, 0, 3, boundExact))
	if _, ok := tab.probe(0, 1); !ok {
		t.Fatal("not stored")
	}
	for round := range genLimit + 5 {
		tab.clear()
		if e, ok := tab.probe(0, 1); ok {
			t.Fatalf("after %d clears: found %+v", round+1, e)
		}
	}
}

// Keys that differ in a single bit are different.
func TestTableComparesTheWholeKey(t *testing.T) {
	const key = 0x0123_4567_89ab_cdef
	tab := newTable(1)
	tab.store(0, key, entryOf(1, 0, 3, boundExact))
	for bit := range 64 {
		if e, ok := tab.probe(0, key^1<<bit); ok {
			t.Errorf("bit %d: found %+v", bit, e)
		}
	}
}
