package memory

import "testing"

// TestPrefetchChangesNothing: memory is as before, and an address without memory is no
// fault.
func TestPrefetchChangesNothing(t *testing.T) {
	words := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for i := range words {
		Prefetch(&words[i])
	}
	Prefetch[uint64](nil)
	for i, w := range words {
		if w != uint64(i+1) {
			t.Errorf("word %d is %d", i, w)
		}
	}
	if n := testing.AllocsPerRun(100, func() { Prefetch(&words[0]) }); n != 0 {
		t.Errorf("%v allocations: want none", n)
	}
}
