package firstcollection

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// end collects garbage until the delay has ended: the cleanup runs on another goroutine.
func end() {
	for range 100 {
		runtime.GC()
		runtime.Gosched()
	}
}

// Until the delay ends, the heap never grows to many times its use.
func TestTheDelayOfTheFirstCollectionKeepsTheHeapSmall(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	var m runtime.MemStats
	held := make([]byte, 40<<20)
	defer runtime.KeepAlive(held)
	end() // of the delay since the start
	runtime.ReadMemStats(&m)
	collections, inUse := m.NumGC, m.HeapAlloc
	delay()
	garbage := make([][]byte, 16)
	for i := 0; m.NumGC < collections+3; i++ {
		garbage[i%len(garbage)] = make([]byte, 1<<20)
		runtime.ReadMemStats(&m)
		if most := max(smallHeap, inUse+64<<20) * 3; m.NextGC > most {
			t.Fatalf("after %d MiB of garbage the heap may grow to %d MiB, of %d in use: expected at most %d", i+1, m.NextGC>>20, inUse>>20, most>>20)
		}
	}
	end()
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	debug.SetGCPercent(percent)
	if percent <= 0 || limit < 1<<40 {
		t.Errorf("GOGC is %d and the limit %d: want the initial values", percent, limit)
	}
}
