// Package mapfile maps whole files into memory for reading: big tables that are
// looked up, not read. [Open] and [File.Close] are all of it.
//
// Caveat: a file that is cut short while it is mapped makes the program crash at
// the missing page; files of this project are replaced whole, never changed.
package mapfile

import (
	"fmt"
	"os"

	"github.com/edsrzf/mmap-go"
)

// File is a mapped file.
type File struct {
	Data   []byte // not to be changed, nor used after Close
	mapped mmap.MMap
}

// Open maps a file. It refuses what is no regular file, and an empty one: want
// says in the error what it should hold.
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

// Close unmaps the file; of nil it does nothing, nor a second time.
func (f *File) Close() error {
	if f == nil || f.mapped == nil {
		return nil
	}
	mapped := f.mapped
	f.Data, f.mapped = nil, nil
	return mapped.Unmap()
}
