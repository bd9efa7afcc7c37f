//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package vfs

import "os"

// lock does nothing: this system has no locks of open files.
func lock(*os.File) error { return nil }

func unlock(*os.File) {}
