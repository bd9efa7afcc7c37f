package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// smallHeap is the size in MiB up to which the garbage of a start is left alone: default
// weights, endgame tables and the hash table of a uci service fit into it.
const smallHeap = 96

// runtimeHeap is the size in MiB at which the runtime collects for the first time.
const runtimeHeap = 4

// delayFirstCollection lets the heap grow to so much before anything is collected: three
// collections of a heap that is nearly empty take a fifth of the time until uci is ready.
// After the first collection the runtime goes on as always. GOGC, if set, decides instead.
func delayFirstCollection() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(100 * smallHeap / runtimeHeap)
	// The cleanup runs after the first collection, which finds an object that nobody holds;
	// smaller ones share memory with others, which might be held.
	runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}
