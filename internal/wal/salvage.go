package wal

import (
	"errors"
	"fmt"
	"io"
	"os"

	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// Contents describes the contents of a log, as found by [Inspect].
type Contents struct {
	Header  []byte
	Records int64 // number of whole records before the first damaged or torn one
	Bytes   int64 // size of the file up to there
	Lost    int64 // bytes from there to the end
	// Damaged: whole records follow the damaged one, so [Open] returns an error, and [Salvage]
	// truncates the log.
	Damaged bool
	after   int64 // offset of the first whole record after the damage
}

// Inspect reads a log without changing it. It calls record, which may be nil, for each whole
// record, in order. It returns an error if the header is damaged.
func Inspect(path string, record func([]byte) error) (Contents, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return Contents{}, err
	}
	defer f.Close()
	c, err := contents(f, nil, record)
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func contents(f *vfs.File, check, record func([]byte) error) (c Contents, err error) {
	info, err := f.Stat()
	if err != nil {
		return c, err
	}
	if !info.Mode().IsRegular() {
		return c, errors.New("not a regular file")
	}
	r := &reader{f: f, size: info.Size()}
	if c.Header, err = r.start(); err != nil {
		return c, err
	}
	if err := call(check, c.Header); err != nil {
		return c, err
	}
	for r.at < r.size {
		payload, err := r.next()
		if errors.Is(err, errBadRecord) {
			c.after, err = r.recordAfter(r.at)
			c.Bytes, c.Lost, c.Damaged = r.at, r.size-r.at, c.after >= 0
			return c, err
		}
		if err != nil {
			return c, err
		}
		if err := call(record, payload); err != nil {
			return c, fmt.Errorf("record %d: %w", c.Records, err)
		}
		c.Records++
	}
	c.Bytes = r.at
	return c, nil
}

func call(f func([]byte) error, b []byte) error {
	if f == nil {
		return nil
	}
	return f(b)
}

// DamagedSuffix is appended to path for the copy that [Salvage] makes.
const DamagedSuffix = ".damaged"

// Salvage truncates a damaged log before its first damaged record, so that it can be opened
// again. It first copies the whole log to path + [DamagedSuffix]. It does not change an
// undamaged log. It returns the contents before.
func Salvage(path string) (Contents, error) {
	f, err := vfs.OpenLocked(path, os.O_RDWR, 0)
	if err != nil {
		return Contents{}, err
	}
	defer f.Close()
	c, err := contents(f, nil, nil)
	if err == nil && c.Damaged {
		err = cutAfter(f, path, c.Bytes)
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func cutAfter(f *vfs.File, path string, size int64) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	err = atomicfile.WriteFile(path+DamagedSuffix, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(f, 0, info.Size()))
		return err
	})
	if err != nil {
		return err
	}
	if err := f.Truncate(size); err != nil {
		return err
	}
	return f.Sync()
}
