package vfs

import (
	"io/fs"
	"os"
)

// OS is the file for a call that this package does not have. The call can fail as others.
func (f *File) OS(call string) (*os.File, error) {
	if err := ask(call, f.Name()); err != nil {
		return nil, err
	}
	return f.file, nil
}

// The methods that follow are those of [os.File].

// Name is the name that the file was opened by.
func (f *File) Name() string { return f.file.Name() }

func (f *File) Read(p []byte) (int, error) {
	if err := ask("read", f.Name()); err != nil {
		return 0, err
	}
	return f.file.Read(p)
}

func (f *File) ReadAt(p []byte, at int64) (int, error) {
	if err := ask("read", f.Name()); err != nil {
		return 0, err
	}
	return f.file.ReadAt(p, at)
}

func (f *File) Write(p []byte) (int, error) {
	if err := ask("write", f.Name()); err != nil {
		return 0, err
	}
	return f.file.Write(p)
}

func (f *File) WriteAt(p []byte, at int64) (int, error) {
	if err := ask("write", f.Name()); err != nil {
		return 0, err
	}
	return f.file.WriteAt(p, at)
}

func (f *File) Seek(offset int64, whence int) (int64, error) {
	if err := ask("seek", f.Name()); err != nil {
		return 0, err
	}
	return f.file.Seek(offset, whence)
}

func (f *File) Stat() (fs.FileInfo, error) {
	if err := ask("stat", f.Name()); err != nil {
		return nil, err
	}
	return f.file.Stat()
}

func (f *File) Sync() error {
	if err := ask("sync", f.Name()); err != nil {
		return err
	}
	return f.file.Sync()
}

func (f *File) Truncate(size int64) error {
	if err := ask("truncate", f.Name()); err != nil {
		return err
	}
	return f.file.Truncate(size)
}

func (f *File) Chmod(mode fs.FileMode) error {
	if err := ask("chmod", f.Name()); err != nil {
		return err
	}
	return f.file.Chmod(mode)
}

// Close does not fail in tests: the system has closed the file after an error too. It frees
// the lock itself: a program that is being started shares the opened file for a moment, and
// the lock with it.
func (f *File) Close() error {
	if f.locked {
		unlock(f.file)
	}
	return f.file.Close()
}
