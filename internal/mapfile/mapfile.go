// Package mapfile provides the contents of files for random access. [Open] reads a small file
// into memory and maps a large one, [File.Close] releases it. [Unpack] decompresses a file
// embedded in the program.
//
// Another process may change or truncate a mapped file, and reading a page that no longer exists
// would kill the program. So read a mapped file within [File.Guard], and call [File.Err] before
// you rely on what you read. Replacing a file by renaming is safe, and Kroo always writes files
// this way.
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
	"github.com/klauspost/compress/zstd"

	"kroo/internal/vfs"
)

// Small is the size in bytes up to which files are read into memory. Tests lower it.
var Small int64 = 64 << 20

// File is the content of a file.
type File struct {
	Data []byte // read-only, invalid after Close

	path   string
	mapped mmap.MMap   // nil if the file is in memory
	f      *vfs.File   // the mapped file
	info   fs.FileInfo // when it was mapped
	fault  atomic.Bool // reading failed
}

// Open opens a regular, non-empty file. want describes the expected content in errors.
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
		whole, err = f.OS("map")
		if err == nil {
			var mapped mmap.MMap
			mapped, err = mmap.Map(whole, mmap.RDONLY, 0)
			if err == nil {
				return &File{Data: mapped, path: path, mapped: mapped, f: f, info: info}, nil
			}
		}
		err = fmt.Errorf("%s cannot be mapped: %w", path, err)
	default:
		data := make([]byte, info.Size())
		_, err = io.ReadFull(f, data)
		if err == nil {
			return &File{Data: data, path: path}, f.Close()
		}
		err = fmt.Errorf("%s cannot be read: %w", path, err)
	}
	return nil, errors.Join(err, f.Close())
}

// IsMapped reports whether the file is mapped. It returns false for a nil File.
func (f *File) IsMapped() bool { return f != nil && f.mapped != nil }

// Guard calls read, which may access Data. If a page is missing, it aborts read and returns an
// error. It does not allocate.
func (f *File) Guard(read func()) (err error) {
	if !f.IsMapped() {
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

// Err returns an error if a mapped file was changed since it was opened, or could not be read.
// It takes about a microsecond.
func (f *File) Err() error {
	if !f.IsMapped() {
		return nil
	}
	info, err := f.f.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", f.path, err)
	case info.Size() != f.info.Size() || !info.ModTime().Equal(f.info.ModTime()):
		return fmt.Errorf("%s changed while it was in use: start again, and replace files by renaming", f.path)
	case f.fault.Load():
		return fmt.Errorf("%s: part of it can no longer be read", f.path)
	}
	return nil
}

// Close releases the file. It is safe to call on a nil File, and more than once.
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

// Unpack decompresses a Zstandard frame embedded in the program. It panics if the frame is
// damaged.
func Unpack(frame []byte) []byte {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err) // the options are valid
	}
	defer r.Close()
	data, err := r.DecodeAll(frame, nil)
	if err != nil {
		panic(err)
	}
	return data
}
