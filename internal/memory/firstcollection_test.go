package memory

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// Until the delay ends, the heap never grows to many times its use.
func TestTheDelayOfTheFirstCollectionKeepsTheHeapSmall(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	var m runtime.MemStats
	held := make([]byte, 40<<20)
	defer runtime.KeepAlive(held)
	runtime.GC()
	runtime.ReadMemStats(&m)
	collections, inUse := m.NumGC, m.HeapAlloc
	DelayFirstCollection()
	garbage := make([][]byte, 16)
	for i := 0; m.NumGC < collections+3; i++ {
		garbage[i%len(garbage)] = make([]byte, 1<<20)
		runtime.ReadMemStats(&m)
		if most := max(smallHeap, inUse+64<<20) * 3; m.NextGC > most {
			t.Fatalf("after %d MiB of garbage the heap may grow to %d MiB, of %d in use: expected at most %d", i+1, m.NextGC>>20, inUse>>20, most>>20)
		}
	}
	for range 100 { // the cleanup runs on another goroutine
		runtime.Gosched()
		runtime.GC()
	}
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	debug.SetGCPercent(percent)
	if percent <= 0 || limit < 1<<40 {
		t.Errorf("GOGC is %d and the limit %d: want the initial values", percent, limit)
	}
}
