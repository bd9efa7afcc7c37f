// Package memory reports how much memory is free, so that a program can refuse work that would
// not fit. A program that runs out of memory is killed by the kernel or the Go runtime, without
// an explanation. The package also requests huge pages for large tables ([PreferHuge]) and
// prefetches cache lines ([Prefetch]).
package memory

import (
	"fmt"
	"math"
)

// Free returns the number of bytes that the program can still allocate: what the machine has
// free, within the limits of its control group and of its address space. known is false if the
// system does not report it.
func Free() (bytes int64, known bool) {
	bytes = math.MaxInt64
	for _, of := range sources {
		if free, ok := of(); ok {
			bytes, known = min(bytes, max(free, 0)), true
		}
	}
	return bytes, known
}

// Check returns an error if work needs more memory than is free. what is the subject of the
// error: "64 hash tables of 4096 MiB".
func Check(what string, bytes int64) error { return CheckReusing(what, bytes, 0) }

// CheckReusing is Check for work that first releases some memory of the program.
func CheckReusing(what string, bytes, returned int64) error {
	free, known := Free()
	if !known || bytes <= free+returned {
		return nil
	}
	return fmt.Errorf("%s: that takes %s of memory, and %s is free", what, text(bytes), text(free+returned))
}

// text formats a number of bytes in MiB.
func text(bytes int64) string { return fmt.Sprintf("%d MiB", (bytes+1<<20-1)>>20) }
