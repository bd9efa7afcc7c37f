package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrLocked is the error if another process has the lock.
var ErrLocked = errors.New("in use by another process")

// Lock locks the file against other processes, and against other Files of this process. It
// returns [ErrLocked] instead of waiting. The lock ends when the file is closed or the process
// dies.
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

// OpenLocked opens a file like [OpenFile], locks it, and makes sure that its name still refers
// to it: another process may have removed or replaced the file before the lock, which would then
// lock out nobody. It returns an error, and neither reads nor changes anything, if name is not a
// regular file.
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

// lockNamed locks the file and reports whether its name still refers to it.
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

// Regular returns an error for anything but a regular file. Symbolic links are refused because
// related files are named after the link, not after its target.
func Regular(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return errors.New("it is a folder: expected the name of a file")
	case mode&fs.ModeSymlink != 0:
		return errors.New("it is a symbolic link: give the path of its target")
	case !mode.IsRegular():
		return errors.New("it is not a regular file")
	}
	return nil
}
