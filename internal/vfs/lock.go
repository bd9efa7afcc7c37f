package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

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
	if err := lock(file); err != nil {
		return err
	}
	f.locked = true
	return nil
}

// OpenLocked opens a file as [OpenFile] does, locks it, and makes sure that it still has its
// name: between the two somebody may have removed or replaced it, and a lock on what has no
// name keeps nobody out. It refuses what is no regular file, before it is read or changed.
func OpenLocked(name string, flag int, perm fs.FileMode) (*File, error) {
	for {
		if info, err := Lstat(name); err == nil {
			if err := Regular(info); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		f, err := OpenFile(name, flag, perm)
		if err != nil {
			return nil, err
		}
		named, err := f.lockNamed()
		if named && err == nil {
			return f, nil
		}
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
}

// lockNamed locks the file and reports whether it has the name that it was opened by.
func (f *File) lockNamed() (bool, error) {
	if err := f.Lock(); err != nil {
		return false, err
	}
	here, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := Lstat(f.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(here, there), err
}

// Regular refuses what no work may read from, append to or replace: folders, devices,
// pipes, and links, since what belongs to a file has its name with an ending.
func Regular(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return errors.New("it is a folder: expected the name of a file")
	case mode&fs.ModeSymlink != 0:
		return errors.New("it is a symbolic link: name the file that it leads to")
	case !mode.IsRegular():
		return errors.New("it is no regular file")
	}
	return nil
}
