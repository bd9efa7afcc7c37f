//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package wal

import "os"

// lock does nothing where the system has no flock. Users must then not append to a log
// from two processes.
func lock(*os.File) error { return nil }
