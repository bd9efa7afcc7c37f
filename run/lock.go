package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// patience is how long to wait for a lock that [Busy] may have.
const patience = 200 * time.Millisecond

// lockFolder locks a run folder for the duration of the run.
func lockFolder(dir string) (*vfs.File, error) {
	for start := time.Now(); ; time.Sleep(patience / 10) {
		f, err := atomicfile.LockFolder(dir)
		if !errors.Is(err, vfs.ErrLocked) {
			return f, err
		}
		if time.Since(start) >= patience {
			return nil, fmt.Errorf("run folder %s: %w", dir, err)
		}
	}
}

// Close unlocks the folder of a run; [Run.Go] calls it at its end.
func (r *Run) Close() {
	if r.lock != nil {
		atomicfile.Unlock(r.lock)
		r.lock = nil
	}
}

// Busy reports whether a process is working on the run in a folder.
func Busy(dir string) bool {
	f, err := vfs.Open(filepath.Join(dir, atomicfile.FolderLock))
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(f.Lock(), vfs.ErrLocked)
}
