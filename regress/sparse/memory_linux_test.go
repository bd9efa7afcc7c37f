package sparse

// Only Linux reports how much memory is free.

import (
	"math"
	"math/rand/v2"
	"testing"

	"kroo/internal/memory"
	"kroo/internal/testkit"
)

// many has no rows and more columns than any machine can count with the given number of workers.
type many struct{ made }

func (many) Columns() int { return math.MaxInt32 - 1 }

func TestColumnsThatExceedMemoryAreRejected(t *testing.T) {
	rows := many{made{1 << 14, func(*Block) { t.Fatal("the rows are read") }}}
	_, err := Prepare(background, rows, Layout{Workers: 1 << 14})
	testkit.Refused(t, err, "counting 2147483646 columns on 16384 workers: that takes", "a smaller set, or fewer workers")
}

// An explicit cache size is rejected if it does not fit into memory; the default one is reduced.
func TestCacheThatExceedsMemory(t *testing.T) {
	m := mustPrepare(t, mixed(rand.New(rand.NewPCG(15, 1))), Layout{})
	m.counts[m.columns.order[0]] = 1 << 50 // as if the column were that frequent
	m.room.Store(1 << 52)
	if err := m.checkFit(); err != nil {
		t.Errorf("default: %v", err)
	}
	if free, _ := memory.Free(); m.room.Load() > free || m.room.Load() < least {
		t.Errorf("default: a cache of %d MiB, %d MiB are free", m.room.Load()>>20, free>>20)
	}
	m.layout.CacheBytes = 1 << 52
	m.room.Store(1 << 52)
	testkit.Refused(t, m.checkFit(), "MiB of packed rows: that takes", "take a smaller cache")
}
