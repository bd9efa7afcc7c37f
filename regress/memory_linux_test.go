package regress

// Only Linux reports how much memory is free.

import (
	"math"
	"testing"

	"kroo/internal/memory"
	"kroo/internal/testkit"
)

func TestColumnsThatExceedMemoryAreRejected(t *testing.T) {
	rows := &sparseRows{labels: make([]float32, blockRows<<10), width: math.MaxInt32 - 1, read: func(int, *sparseRow) { t.Error("the rows are read") }}
	_, err := prepare(t.Context(), rows, 0, 1<<10)
	testkit.Refused(t, err, "counting 2147483646 columns on 1024 workers: that takes", "a smaller set, or fewer workers")
}

// An explicit cache size is rejected if it does not fit into memory; the default one is reduced.
func TestCacheThatExceedsMemory(t *testing.T) {
	m := mustPrepare(t, mixed(15).sparse(), 0)
	m.counts[m.columns.order[0]] = 1 << 50 // as if the column were that frequent
	m.room.Store(1 << 52)
	if err := m.checkFit(); err != nil {
		t.Errorf("default: %v", err)
	}
	if free, _ := memory.Free(); m.room.Load() > free || m.room.Load() < leastCache {
		t.Errorf("default: a cache of %d MiB, %d MiB are free", m.room.Load()>>20, free>>20)
	}
	m.cacheSize = 1 << 52
	m.room.Store(1 << 52)
	testkit.Refused(t, m.checkFit(), "MiB of packed rows: that takes", "take a smaller cache")
}
