// Package firstcollection delays the first garbage collection of a program that imports it: until the heap
// reaches 96 MiB there is none. After the first collection the runtime's defaults apply again. GOGC and
// GOMEMLIMIT, if set, take precedence.
//
// Otherwise the variables of libraries start a collection before main, which takes a third of the processor
// time of `train version`; three collections of an almost empty heap take a fifth of the start of train uci.
package firstcollection

import (
	"os"
	"runtime"
	"runtime/debug"
)

// smallHeap is enough memory, in bytes, for the default weights, endgame tables and the hash table
// of train uci.
const smallHeap = 96 << 20

// Packages are initialised in the order of their paths, after what they import. Without imports of Kroo, this
// one comes before most of its packages.
func init() { delay() }

// delay sets a memory limit, not a percentage, because it may take a while until the cleanup runs
// after the first collection; until then a percentage would let the heap grow far beyond its use.
func delay() {
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
