package sparse

// Only Linux reports how much memory is free.

import (
	"math"
	"math/rand/v2"
	"testing"

	"kroo/internal/memory"
	"kroo/internal/testkit"
)

// many is no rows of more columns than any machine can count on a given number of workers.
type many struct{ made }

func (many) Columns() int { return math.MaxInt32 - 1 }

func TestColumnsThatFitIntoNoMemoryAreRefused(t *testing.T) {
	rows := many{made{1 << 14, func(*Block) { t.Fatal("the rows are read") }}}
	_, err := Prepare(background, rows, Layout{Workers: 1 << 14})
	testkit.Refused(t, err, "counting 2147483646 columns on 16384 workers: that takes", "a smaller set, or fewer workers")
}

// A cache that was asked for is refused if it does not fit. The default one is limited
// to what does.
func TestCacheThatDoesNotFit(t *testing.T) {
	m := mustPrepare(t, mixed(rand.New(rand.NewPCG(15, 1))), Layout{})
	m.counts[m.columns.order[0]] = 1 << 50 // as if the column were seen so often
	m.room.Store(1 << 52)
	if err := m.checkFit(); err != nil {
		t.Errorf("default: %v", err)
	}
	if free, _ := memory.Free(); m.room.Load() > free || m.room.Load() < least {
		t.Errorf("default: a cache of %d MiB, %d MiB are free", m.room.Load()>>20, free>>20)
	}
	m.layout.CacheBytes = 1 << 52
	m.room.Store(1 << 52)
	testkit.Refused(t, m.checkFit(), "MiB of rows made ready: that takes", "take a smaller cache")
}
