//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package vfs

import "os"

// lock does nothing where the system has no lock of an open file.
func lock(*os.File) error { return nil }

func unlock(*os.File) {}
