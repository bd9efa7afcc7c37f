package commands

import (
	"os"
	"runtime"
	"runtime/debug"
)

// smallHeap is the memory in bytes up to which the garbage of a start is left alone: default
// weights, endgame tables and the hash table of a uci service fit into it.
const smallHeap = 96 << 20

// delayFirstCollection lets the heap grow to that much before anything is collected: three
// collections of a heap that is nearly empty take a fifth of the time until uci is ready.
// After the first collection the runtime continues as always. GOGC and GOMEMLIMIT, if set,
// decide instead.
//
// A limit delays it, not a larger percentage: it takes a while, on a busy machine a long one,
// until the cleanup runs after the first collection. Until then the runtime keeps to the limit,
// where a percentage would let the heap grow to many times what is in use.
func delayFirstCollection() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	limit, percent := debug.SetMemoryLimit(smallHeap), debug.SetGCPercent(-1)
	// The cleanup runs after the first collection, which finds an object that nobody holds;
	// smaller ones share memory with others, which might be held.
	runtime.AddCleanup(new([16]byte), func(percent int) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, percent)
}
