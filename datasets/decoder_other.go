//go:build !linux

package datasets

import (
	"os"
	"runtime"
	"time"
)

// limitMemory exits soon after the program exceeds a memory limit.
func limitMemory(most int64) error {
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			var m runtime.MemStats
			if runtime.ReadMemStats(&m); m.Sys > uint64(most) {
				os.Stderr.WriteString("out of memory\n")
				os.Exit(1)
			}
		}
	}()
	return nil
}
