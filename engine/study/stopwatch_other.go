//go:build !linux

package study

import "time"

// threadTime is the time of the clock on the wall.
func threadTime() time.Duration { return time.Since(processStart) }
