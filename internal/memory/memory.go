// Package memory finds how much memory a program can still get, so that it can refuse
// work that does not fit before it starts. A program that runs out of memory is ended
// by the system or by the Go runtime, and cannot say why. It also asks for huge pages for
// large tables ([PreferHuge]), and for cache lines before they are read ([Prefetch]).
package memory

import (
	"fmt"
	"math"
)

// Free returns the number of bytes that the program can still get: what the machine
// has left, within the limits of its control group and of its address space. known is
// false where the system does not say.
func Free() (bytes int64, known bool) {
	bytes = math.MaxInt64
	for _, of := range sources {
		if free, ok := of(); ok {
			bytes, known = min(bytes, max(free, 0)), true
		}
	}
	return bytes, known
}

// Check refuses work that takes more memory than is free. what is the subject of the
// error: "64 hash tables of 4096 MiB".
func Check(what string, bytes int64) error { return CheckReusing(what, bytes, 0) }

// CheckReusing is Check for work that first gives back some of the program's memory.
func CheckReusing(what string, bytes, returned int64) error {
	free, known := Free()
	if !known || bytes <= free+returned {
		return nil
	}
	return fmt.Errorf("%s: that takes %s of memory, %s are free", what, text(bytes), text(free+returned))
}

// text returns a number of bytes in MiB.
func text(bytes int64) string { return fmt.Sprintf("%d MiB", (bytes+1<<20-1)>>20) }
