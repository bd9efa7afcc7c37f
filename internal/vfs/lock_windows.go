package vfs

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks a byte beyond the end of any file, because Windows also blocks reads of locked
// bytes.
func lock(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: math.MaxInt32})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// unlock does nothing: child processes do not inherit files.
func unlock(*os.File) {}
