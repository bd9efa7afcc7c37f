//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package wal

import "os"

// lock does nothing where there is no flock: it is then up to the user not to
// append to a log from two processes.
func lock(*os.File) error { return nil }
