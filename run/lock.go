package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// patience is how long a folder may be locked by who only looks ([Busy]).
const patience = 200 * time.Millisecond

// take locks a run folder, for the life of the run.
func take(dir string) (*vfs.File, error) {
	for begun := time.Now(); ; time.Sleep(patience / 10) {
		f, err := atomicfile.LockFolder(dir)
		if !errors.Is(err, vfs.ErrLocked) {
			return f, err
		}
		if time.Since(begun) >= patience {
			return nil, fmt.Errorf("run folder %s: %w", dir, err)
		}
	}
}

// Close gives the folder of a run to other programs; [Run.Go] does it at its end.
func (r *Run) Close() {
	if r.lock != nil {
		atomicfile.Unlock(r.lock)
		r.lock = nil
	}
}

// Busy reports whether a program works on the run in a folder.
func Busy(dir string) bool {
	f, err := vfs.Open(filepath.Join(dir, atomicfile.FolderLock))
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(f.Lock(), vfs.ErrLocked)
}
