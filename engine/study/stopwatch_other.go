//go:build !linux

package study

import "time"

// threadTime returns wall-clock time.
func threadTime() time.Duration { return time.Since(processStart) }
