package memory

import (
	"testing"

	"kroo/internal/testkit"
)

// Memory is unchanged, and invalid addresses do not fault.
func TestPrefetchChangesNothing(t *testing.T) {
	words := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for i := range words {
		Prefetch(&words[i])
	}
	Prefetch[uint64](nil)
	for i, w := range words {
		testkit.Equal(t, w, uint64(i+1), "word %d", i)
	}
	testkit.Equal(t, testing.AllocsPerRun(100, func() { Prefetch(&words[0]) }), 0, "testing.AllocsPerRun")
}
