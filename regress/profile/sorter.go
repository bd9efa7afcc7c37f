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

// sorter sorts records of a fixed number of words, by the first word (the key), then by the others.
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
	records := slices.Collect(slices.Chunk(s.bytes, s.width))
	slices.SortFunc(records, bytes.Compare)
	s.bytes = bytes.Join(records, nil)
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
// that of the record before. After an error, or the end of the context, it yields no more. It can be
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
	record []byte
}

func (s *sorter) merge(yield func(bool, []uint64) bool) error {
	var sources []*source // in the order of their records
	insert := func(f *source) (err error) {
		switch f.record, err = f.Peek(s.width); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
		at, _ := slices.BinarySearchFunc(sources, f.record, func(f *source, record []byte) int { return bytes.Compare(f.record, record) })
		sources = slices.Insert(sources, at, f)
		return nil
	}
	s.sort()
	for _, run := range append(s.runs, io.NewSectionReader(bytes.NewReader(s.bytes), 0, int64(len(s.bytes)))) {
		whole := io.NewSectionReader(run, 0, run.Size())
		if err := insert(&source{Reader: bufio.NewReaderSize(whole, max(s.width, 1<<15))}); err != nil {
			return err
		}
	}
	key, words := uint64(0), make([]uint64, s.width/8)
	for n := 0; len(sources) > 0; n++ {
		if n%checkRecords == 0 && s.file.ctx.Err() != nil {
			return nil
		}
		first := sources[0]
		if _, err := binary.Decode(first.record, binary.BigEndian, words); err != nil {
			return err
		}
		other := n == 0 || words[0] != key
		if key = words[0]; !yield(other, words) {
			return nil
		}
		first.Discard(s.width)
		sources = slices.Delete(sources, 0, 1)
		if err := insert(first); err != nil {
			return err
		}
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
