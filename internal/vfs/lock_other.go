//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package vfs

import (
	"errors"
	"os"
)

// lock does nothing: this system has no locks of open files.
func lock(*os.File) error { return errors.ErrUnsupported }

func unlock(*os.File) {}
