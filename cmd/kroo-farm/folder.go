package main

import (
	"errors"
	"os"
	"path/filepath"

	"kroo/internal/vfs"
)

const (
	folderPrefix = "kroo-farm-"
	folderLock   = "lock" // in a folder, locked while its server lives
)

// folder is a temporary one of a server. It is locked, so that the next server knows those
// whose programs were killed.
type folder struct {
	name string
	lock *vfs.File
}

// newFolder makes a folder. Another program that sweeps may take it away before it is
// locked: then it is made again.
func newFolder() (*folder, error) {
	for tries := 0; ; tries++ {
		name, err := os.MkdirTemp("", folderPrefix)
		if err != nil {
			return nil, err
		}
		lock, err := vfs.OpenLocked(filepath.Join(name, folderLock), os.O_RDWR|os.O_CREATE, 0o600)
		if err == nil {
			return &folder{name, lock}, nil
		}
		if err = errors.Join(err, os.RemoveAll(name)); tries == 3 {
			return nil, err
		}
	}
}

// remove removes the folder with its lock, which comes last where a file in use stays.
func (f *folder) remove() error {
	_ = os.RemoveAll(f.name) // the second try tells
	return errors.Join(f.lock.Close(), os.RemoveAll(f.name))
}

// sweepFolders removes what servers have left whose programs were killed. A folder without
// a lock is not known to be one.
func sweepFolders() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*")) // none in a folder that cannot be read
	for _, name := range left {
		if lock, err := vfs.OpenLocked(filepath.Join(name, folderLock), os.O_RDWR, 0); err == nil {
			_ = (&folder{name, lock}).remove() // the next server tries again
		}
	}
}
