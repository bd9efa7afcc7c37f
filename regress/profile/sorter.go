package profile

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"kroo/internal/vfs"
)

// sorter sorts records of a fixed number of words by the first word, the key. The sort is stable.
// Records that do not fit into memory are in a file, in sorted runs.
type sorter struct {
	width, room int    // bytes per record, and in memory
	bytes       []byte // the records in memory: big-endian words
	file        *tempFile
	runs        []*io.SectionReader
}

// sorter returns a sorter of records of width words that keeps about room bytes in memory.
func (f *tempFile) sorter(width, room int) *sorter {
	return &sorter{width: 8 * width, room: max(room, 16*width), file: f}
}

// Add adds a record.
func (s *sorter) Add(record ...uint64) {
	if len(s.bytes)+s.width > s.room {
		s.sort()
		s.runs = append(s.runs, s.file.add(s.bytes))
		s.bytes = s.bytes[:0]
	}
	for _, word := range record {
		s.bytes = binary.BigEndian.AppendUint64(s.bytes, word)
	}
}

// sort sorts the records in memory.
func (s *sorter) sort() {
	type place struct {
		key uint64
		at  int
	}
	order := make([]place, 0, len(s.bytes)/s.width)
	for at := range cap(order) {
		order = append(order, place{binary.BigEndian.Uint64(s.bytes[at*s.width:]), at})
	}
	slices.SortFunc(order, func(a, b place) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return a.at - b.at
	})
	sorted := make([]byte, 0, cap(s.bytes))
	for _, p := range order {
		sorted = append(sorted, s.bytes[p.at*s.width:][:s.width]...)
	}
	s.bytes = sorted
}

// keys yields the keys in order, each with the sum of a count over its records.
func (s *sorter) keys(count func(record []uint64) int) iter.Seq2[uint64, int] {
	return func(yield func(uint64, int) bool) {
		key, n := uint64(0), 0
		for other, r := range s.all() {
			if other && n > 0 {
				if !yield(key, n) {
					return
				}
				n = 0
			}
			key, n = r[0], n+count(r)
		}
		if n > 0 {
			yield(key, n)
		}
	}
}

// checkRecords is the number of records between two checks of the context.
const checkRecords = 1 << 14

// all yields the records in order, each valid until the next one, and whether its key differs from
// the key before. After an error, or the end of the context, it yields no more. It can be
// called repeatedly; records must not be added afterwards.
func (s *sorter) all() iter.Seq2[bool, []uint64] {
	return func(yield func(bool, []uint64) bool) {
		if s.file.ctx.Err() == nil {
			s.file.fail(s.merge(yield))
		}
	}
}

// source is a run, and its next record.
type source struct {
	*bufio.Reader
	number int
	record []byte // nil at the end
}

func (f *source) compare(o *source) int {
	a, b := binary.BigEndian.Uint64(f.record), binary.BigEndian.Uint64(o.record)
	if a != b {
		return cmp.Compare(a, b)
	}
	return f.number - o.number
}

// next moves to the next record.
func (f *source) next(width int) (err error) {
	_, _ = f.Discard(len(f.record)) // which is in the buffer
	f.record, err = f.Peek(width)
	if err == io.EOF {
		f.record, err = nil, nil
	}
	return err
}

func (s *sorter) merge(yield func(bool, []uint64) bool) error {
	s.sort()
	var sources []*source // in the order of their records
	for i, run := range append(s.runs, io.NewSectionReader(bytes.NewReader(s.bytes), 0, int64(len(s.bytes)))) {
		f := &source{number: i, Reader: bufio.NewReaderSize(io.NewSectionReader(run, 0, run.Size()), max(s.width, 1<<15))}
		if err := f.next(s.width); err != nil {
			return err
		}
		if f.record != nil {
			sources = append(sources, f)
		}
	}
	slices.SortFunc(sources, (*source).compare)
	key, words := uint64(0), make([]uint64, s.width/8)
	for n := 0; len(sources) > 0; n++ {
		if n%checkRecords == 0 && s.file.ctx.Err() != nil {
			return nil
		}
		first := sources[0]
		for i := range words {
			words[i] = binary.BigEndian.Uint64(first.record[8*i:])
		}
		other := n == 0 || words[0] != key
		key = words[0]
		if !yield(other, words) {
			return nil
		}
		if err := first.next(s.width); err != nil {
			return err
		}
		if first.record == nil {
			sources = sources[1:]
			continue
		}
		at, _ := slices.BinarySearchFunc(sources[1:], first, (*source).compare)
		copy(sources, sources[1:at+1])
		sources[at] = first
	}
	return nil
}

// tempFile is a file that several sorters use at once, created when it is needed. It is in
// [os.TempDir]; on Unix it has no name, so that it disappears even after a crash.
type tempFile struct {
	ctx  context.Context // ends with the first error
	end  context.CancelCauseFunc
	name string
	open func() (*vfs.File, error)
	size atomic.Int64
}

func newTempFile(ctx context.Context) *tempFile {
	f := &tempFile{name: filepath.Join(os.TempDir(), "kroo-sort-"+rand.Text())}
	f.ctx, f.end = context.WithCancelCause(ctx)
	f.open = sync.OnceValues(func() (*vfs.File, error) {
		file, err := vfs.OpenFile(f.name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			_ = vfs.Remove(f.name) // fails on Windows while the file is open: Close removes it
		}
		return file, err
	})
	return f
}

// fail records the first error, if it is one.
func (f *tempFile) fail(err error) {
	if err != nil {
		f.end(fmt.Errorf("a temporary file to sort with: %w; set TMPDIR to use another folder", err))
	}
}

// add appends bytes to the file, and returns a reader of them.
func (f *tempFile) add(data []byte) *io.SectionReader {
	n := int64(len(data))
	at := f.size.Add(n) - n
	file, err := f.open()
	if err == nil {
		_, err = file.WriteAt(data, at)
	}
	f.fail(err)
	return io.NewSectionReader(file, at, n)
}

// Close removes the file, and returns the first error.
func (f *tempFile) Close() error {
	err := context.Cause(f.ctx)
	f.end(nil)
	if f.size.Load() == 0 {
		return err
	}
	if file, failed := f.open(); failed == nil {
		err = cmp.Or(err, file.Close())
	}
	return cmp.Or(err, vfs.RemoveIfThere(f.name))
}
