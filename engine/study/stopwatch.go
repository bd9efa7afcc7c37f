package study

import (
	"runtime"
	"time"
)

// measured returns the processor time of f in seconds, where the system measures it per thread, so
// that other work on the machine has little effect; elsewhere it is wall-clock time. f must not do
// its work in other goroutines.
func measured(f func()) float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := threadTime()
	f()
	return (threadTime() - begin).Seconds()
}

// processStart is the origin of wall-clock times.
var processStart = time.Now()
