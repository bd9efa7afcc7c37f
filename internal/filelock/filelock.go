// Package filelock locks open files against other processes, and against other opened
// files of this one. The system frees the lock when the file is closed, also that of a
// process that dies.
package filelock

import "errors"

// ErrLocked says that somebody else has the lock.
var ErrLocked = errors.New("in use by another process")
