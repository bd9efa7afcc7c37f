// Package mapfile gives the bytes of whole files to programs that read a few places of
// them, again and again. [Open] reads a small file into memory and maps a large one,
// [File.Close] gives it back. [Unpack] unpacks a file that comes with the program.
//
// Somebody may change a mapped file, or cut it short. A program that reads a page which
// is not there any more is killed. So whoever reads a mapped file reads within
// [File.Guard], and asks [File.Err] before it relies on what it has read. Replacing a
// file by another of the same name does no harm; this project writes files so.
package mapfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"github.com/edsrzf/mmap-go"

	"kroo/internal/vfs"
)

// Small is the size up to which files are read into memory, in bytes. Tests lower it.
var Small int64 = 64 << 20

// File is the content of a file.
type File struct {
	Data []byte // do not change it, nor use it after Close

	path   string
	mapped mmap.MMap   // nil for a file in memory
	f      *vfs.File   // of mapped
	info   fs.FileInfo // when it was mapped
	fault  atomic.Bool // reading failed
}

// Open gives the content of a file. It refuses an empty file and anything but a regular
// file. want is what the file should contain, for the error message.
func Open(path, want string) (*File, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is not a regular file: expected %s", path, want)
	case info.Size() == 0:
		err = fmt.Errorf("%s is empty: expected %s", path, want)
	case info.Size() > Small:
		var whole *os.File
		if whole, err = f.OS("map"); err == nil {
			var mapped mmap.MMap
			if mapped, err = mmap.Map(whole, mmap.RDONLY, 0); err == nil {
				return &File{Data: mapped, path: path, mapped: mapped, f: f, info: info}, nil
			}
		}
		err = fmt.Errorf("%s cannot be mapped: %w", path, err)
	default:
		data := make([]byte, info.Size())
		if _, err = io.ReadFull(f, data); err == nil {
			return &File{Data: data, path: path}, f.Close()
		}
		err = fmt.Errorf("%s cannot be read: %w", path, err)
	}
	return nil, errors.Join(err, f.Close())
}

// Mapped reports whether the file is mapped and not in memory. A nil File is not.
func (f *File) Mapped() bool { return f != nil && f.mapped != nil }

// Guard calls read, which reads Data. If a page is missing, it stops read and returns an
// error. It allocates nothing.
func (f *File) Guard(read func()) (err error) {
	if !f.Mapped() {
		read()
		return nil
	}
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if p := recover(); p != nil {
			if _, fault := p.(interface {
				runtime.Error
				Addr() uintptr
			}); !fault {
				panic(p)
			}
			f.fault.Store(true)
			err = f.Err()
		}
	}()
	read()
	return nil
}

// Err reports whether a mapped file was changed since it was opened, or could not be read.
// It takes about a microsecond.
func (f *File) Err() error {
	if !f.Mapped() {
		return nil
	}
	info, err := f.f.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", f.path, err)
	case info.Size() != f.info.Size() || !info.ModTime().Equal(f.info.ModTime()):
		return fmt.Errorf("%s was changed while it was in use: start again, and replace files by renaming", f.path)
	case f.fault.Load():
		return fmt.Errorf("%s: a part of it cannot be read any more", f.path)
	}
	return nil
}

// Close gives the file back. A nil File, and a second call, are allowed.
func (f *File) Close() error {
	if f == nil || f.Data == nil {
		return nil
	}
	mapped := f.mapped
	f.Data, f.mapped = nil, nil
	if mapped == nil {
		return nil
	}
	return errors.Join(mapped.Unmap(), f.f.Close())
}
