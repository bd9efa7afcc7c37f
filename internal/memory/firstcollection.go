package memory

import (
	"os"
	"runtime"
	"runtime/debug"
)

// smallHeap is enough memory, in bytes, for the default weights, endgame tables and the hash table
// of train uci.
const smallHeap = 96 << 20

// DelayFirstCollection turns garbage collection off until the heap reaches smallHeap: collecting an
// almost empty heap three times would take a fifth of the start of train uci. After the first
// collection the runtime's defaults apply again. GOGC and GOMEMLIMIT, if set, take precedence.
//
// It sets a memory limit, not a percentage, because it may take a while until the cleanup runs
// after the first collection; until then a percentage would let the heap grow far beyond its use.
func DelayFirstCollection() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	limit, percent := debug.SetMemoryLimit(smallHeap), debug.SetGCPercent(-1)
	// The first collection finds that nothing refers to this object, and the cleanup runs. Smaller
	// objects share memory with others that may be in use.
	runtime.AddCleanup(new([16]byte), func(percent int) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, percent)
}
