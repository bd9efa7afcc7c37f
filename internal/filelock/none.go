//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package filelock

import "os"

// Supported says whether this system locks.
const Supported = false

// Lock does nothing where the system has no flock.
func Lock(*os.File) error { return nil }
