// Package mapfile maps whole files into memory for reading, for big files of which a
// program reads a few places. [Open] maps a file, [File.Close] unmaps it.
//
// Caveat: the program crashes when it reads a page that is missing because somebody
// cut the file short. This project replaces files atomically and never changes them.
package mapfile

import (
	"fmt"
	"os"

	"github.com/edsrzf/mmap-go"
)

// File is a mapped file.
type File struct {
	Data   []byte // do not change it, nor use it after Close
	mapped mmap.MMap
}

// Open maps a file. It refuses an empty file and anything but a regular file. want
// tells the error message what the file should hold.
func Open(path, want string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file: expected %s", path, want)
	case info.Size() == 0:
		return nil, fmt.Errorf("%s is empty: expected %s", path, want)
	}
	mapped, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be mapped: %w", path, err)
	}
	return &File{mapped, mapped}, nil
}

// Close unmaps the file. A nil File, and a second call, are allowed.
func (f *File) Close() error {
	if f == nil || f.mapped == nil {
		return nil
	}
	mapped := f.mapped
	f.Data, f.mapped = nil, nil
	return mapped.Unmap()
}
