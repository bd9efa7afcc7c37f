// Package vfs wraps the file functions of os so that tests can inject I/O failures with [Fail],
// such as a full or broken disk. All packages of Kroo open, write, rename and remove files
// through it.
package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync/atomic"
)

// hook is called before every file operation; nil outside tests.
var hook atomic.Pointer[func(call, path string) error]

// Fail makes fail run before every file operation, which then fails with its error, if any. call
// is "open", "read", "sync" and so on, path as given by the caller. It is for tests. fail must
// be safe for concurrent use.
func Fail(fail func(call, path string) error) { hook.Store(&fail) }

func ask(call, path string) error {
	fail := hook.Load()
	if fail == nil {
		return nil
	}
	if err := (*fail)(call, path); err != nil {
		return &fs.PathError{Op: call, Path: path, Err: err}
	}
	return nil
}

// File is an open file.
type File struct {
	file   *os.File
	locked bool
}

// Open opens a regular file for reading. It refuses folders, and also devices and pipes, which
// may be endless or block.
func Open(name string) (*File, error) {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a folder: expected a file", name)
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file: expected a file", name)
	}
	return OpenFile(name, os.O_RDONLY, 0)
}

// OpenFile is [os.OpenFile].
func OpenFile(name string, flag int, perm fs.FileMode) (*File, error) {
	if err := ask("open", name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &File{file: f}, nil
}

// mostRead is the maximum size of a file for [ReadFile]. Tests lower it.
var mostRead int64 = 256 << 20

// ReadFile reads a whole file. It refuses files of more than 256 MiB.
func ReadFile(name string) ([]byte, error) { return ReadUpTo(name, mostRead) }

// ReadUpTo reads a whole file. It refuses files of more than most bytes.
func ReadUpTo(name string, most int64) ([]byte, error) {
	data, err := ReadStart(name, most+1)
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("%s has more than %d bytes: expected a smaller file", name, most)
	}
	return data, err
}

// ReadStart reads at most the first most bytes of a file.
func ReadStart(name string, most int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// ReadDir is [os.ReadDir].
func ReadDir(name string) ([]fs.DirEntry, error) {
	return value("list", name, func() ([]fs.DirEntry, error) { return os.ReadDir(name) })
}

// Stat is [os.Stat].
func Stat(name string) (fs.FileInfo, error) {
	return value("stat", name, func() (fs.FileInfo, error) { return os.Stat(name) })
}

// Lstat is [os.Lstat].
func Lstat(name string) (fs.FileInfo, error) {
	return value("stat", name, func() (fs.FileInfo, error) { return os.Lstat(name) })
}

// MkdirAll is [os.MkdirAll].
func MkdirAll(name string, perm fs.FileMode) error {
	return do("mkdir", name, func() error { return os.MkdirAll(name, perm) })
}

// Remove is [os.Remove].
func Remove(name string) error { return do("remove", name, func() error { return os.Remove(name) }) }

// RemoveIfThere removes a file. It is not an error if the file does not exist.
func RemoveIfThere(name string) error {
	if err := Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Rename is [os.Rename].
func Rename(from, to string) error {
	return do("rename", to, func() error { return os.Rename(from, to) })
}

// SyncDir makes renames in a folder durable. It does nothing on Windows, which syncs them itself
// and cannot sync a folder.
func SyncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func do(call, name string, do func() error) error {
	if err := ask(call, name); err != nil {
		return err
	}
	return do()
}

func value[T any](call, name string, get func() (T, error)) (v T, err error) {
	if err := ask(call, name); err != nil {
		return v, err
	}
	return get()
}

// OS returns the underlying file, for calls that this package does not have. Like other calls it
// can fail in tests.
func (f *File) OS(call string) (*os.File, error) { return f.file, ask(call, f.Name()) }

// The methods that follow are those of [os.File].

// Name returns the name used to open the file.
func (f *File) Name() string { return f.file.Name() }

func (f *File) Read(p []byte) (int, error) {
	return value("read", f.Name(), func() (int, error) { return f.file.Read(p) })
}

func (f *File) ReadAt(p []byte, at int64) (int, error) {
	return value("read", f.Name(), func() (int, error) { return f.file.ReadAt(p, at) })
}

func (f *File) Write(p []byte) (int, error) {
	return value("write", f.Name(), func() (int, error) { return f.file.Write(p) })
}

func (f *File) WriteAt(p []byte, at int64) (int, error) {
	return value("write", f.Name(), func() (int, error) { return f.file.WriteAt(p, at) })
}

func (f *File) Seek(offset int64, whence int) (int64, error) {
	return value("seek", f.Name(), func() (int64, error) { return f.file.Seek(offset, whence) })
}

func (f *File) Stat() (fs.FileInfo, error) { return value("stat", f.Name(), f.file.Stat) }

func (f *File) Sync() error { return do("sync", f.Name(), f.file.Sync) }

func (f *File) Truncate(size int64) error {
	return do("truncate", f.Name(), func() error { return f.file.Truncate(size) })
}

func (f *File) Chmod(mode fs.FileMode) error {
	return do("chmod", f.Name(), func() error { return f.file.Chmod(mode) })
}

// Close does not fail in tests, because the system closes the file even if it reports an error.
// It releases the lock explicitly: a program that is being started shares the open file, and its
// lock, for a moment.
func (f *File) Close() error {
	if f.locked {
		unlock(f.file)
	}
	return f.file.Close()
}

// ErrLocked is the error if another process has the lock.
var ErrLocked = errors.New("in use by another process")

// Lock locks the file against other processes, and against other Files of this process. It
// returns [ErrLocked] instead of waiting, and [errors.ErrUnsupported] if the file system has no locks.
// The lock ends when the file is closed or the process dies.
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

// lockNamed locks the file, if the file system has locks, and reports whether its name still refers to it.
func (f *File) lockNamed() (bool, error) {
	if err := f.Lock(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
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
