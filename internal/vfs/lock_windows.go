package vfs

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// Windows also keeps others from reading what is locked: so it is a byte beyond any that
// a file has.
func lock(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: math.MaxInt32})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// unlock does nothing: a program that is started has no opened files of this one.
func unlock(*os.File) {}
