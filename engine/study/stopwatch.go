package study

import (
	"runtime"
	"time"
)

// measured is the time of the processor that f takes, where the system measures it for
// a thread: other work on the machine then hardly counts. Elsewhere it is the time
// of the clock on the wall. f may start no goroutines that work for it.
func measured(f func()) float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := threadTime()
	f()
	return (threadTime() - begin).Seconds()
}

// processStart is what clocks on the wall count from.
var processStart = time.Now()
