package study

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns the processor time of this thread.
func threadTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return time.Since(processStart)
	}
	return time.Duration(t.Nano())
}
