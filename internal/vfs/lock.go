package vfs

import "errors"

// ErrLocked says that somebody else has the lock.
var ErrLocked = errors.New("in use by another process")

// Lock locks the file against other processes, and against other opened files of this
// one, or returns [ErrLocked] at once. The system frees the lock when the file is closed,
// also that of a process that dies.
func (f *File) Lock() error {
	file, err := f.OS("lock")
	if err != nil {
		return err
	}
	return lock(file)
}
