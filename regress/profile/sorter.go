package profile

import (
	"cmp"
	"container/heap"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"kroo/internal/vfs"
)

// sorter sorts records of a fixed number of words by their first word, the key, using a temporary
// file beyond a memory limit. The sort is stable. The file is in [os.TempDir]; on Unix it has no
// name, so that it disappears even after a crash. Close returns the first error of all methods.
type sorter struct {
	width, room int      // words per record; words that fit into memory
	words       []uint64 // records in memory
	order       []place  // of the records, in order

	file *vfs.File
	name string  // of the file; "" once it is removed
	ends []int64 // of the sorted runs in the file
	err  error   // the first one; there are no more records then
}

// newSorter returns a sorter of records of width words that keeps about the given number of bytes
// in memory.
func newSorter(width, bytes int) *sorter {
	return &sorter{width: width, room: max(2, bytes/8/width) * width}
}

// Add adds a record.
func (s *sorter) Add(record ...uint64) {
	if len(s.words) == s.room {
		if err := s.write(); err != nil {
			s.err = fmt.Errorf("a temporary file to sort with: %w; set TMPDIR to use another folder", err)
		}
	}
	if s.err == nil {
		s.words = append(s.words, record...)
	}
}

// place is the key and the index of a record in memory.
type place struct {
	key uint64
	at  int
}

// sort sorts the records in memory.
func (s *sorter) sort() {
	s.order = s.order[:0]
	for i := 0; i < len(s.words); i += s.width {
		s.order = append(s.order, place{s.words[i], i})
	}
	slices.SortFunc(s.order, func(a, b place) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return a.at - b.at
	})
	moved := make([]uint64, 0, cap(s.words))
	for _, p := range s.order {
		moved = append(moved, s.words[p.at:p.at+s.width]...)
	}
	s.words = moved
}

// end returns the size of the file.
func (s *sorter) end() int64 {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

// block is the number of words read or written at a time.
const block = 1 << 12

// write moves the records in memory to the file.
func (s *sorter) write() (err error) {
	if s.file == nil {
		if err := s.create(); err != nil {
			return err
		}
	}
	s.sort()
	at, bytes := s.end(), []byte(nil)
	for part := range slices.Chunk(s.words, block) {
		if bytes, err = binary.Append(bytes[:0], binary.LittleEndian, part); err == nil {
			_, err = s.file.WriteAt(bytes, at)
		}
		if err != nil {
			return err
		}
		at += int64(len(bytes))
	}
	s.ends, s.words = append(s.ends, at), s.words[:0]
	return nil
}

func (s *sorter) create() (err error) {
	s.name = filepath.Join(os.TempDir(), "kroo-sort-"+rand.Text())
	if s.file, err = vfs.OpenFile(s.name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return err
	}
	if vfs.Remove(s.name) == nil { // fails on Windows while the file is open: Close removes it
		s.name = ""
	}
	return nil
}

// Close removes the temporary file.
func (s *sorter) Close() error {
	if s.file != nil {
		s.err = cmp.Or(s.err, s.file.Close())
		s.file = nil
	}
	if s.name != "" {
		s.err = cmp.Or(s.err, vfs.Remove(s.name))
		s.name = ""
	}
	return s.err
}

// checkRecords is the number of records between two checks of the context.
const checkRecords = 1 << 14

// all yields the records in order, each valid until the next one, up to an error; the end of the
// context is one. It can be called repeatedly; records must not be added afterwards.
func (s *sorter) all(ctx context.Context) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		if s.err == nil {
			s.err = s.merge(ctx, yield)
		}
	}
}

// merge yields the records of all runs and of memory in order.
func (s *sorter) merge(ctx context.Context, yield func([]uint64) bool) error {
	s.sort()
	sources, from := merged{}, int64(0)
	for i, to := range s.ends {
		sources = append(sources, &source{number: i, file: s.file, from: from, to: to, bytes: make([]byte, max(1, block/s.width)*s.width*8)})
		from = to
	}
	sources = append(sources, &source{number: len(s.ends), words: s.words})
	for _, f := range sources {
		if err := f.fill(); err != nil {
			return err
		}
	}
	sources = slices.DeleteFunc(sources, func(f *source) bool { return len(f.words) == 0 })
	heap.Init(&sources)
	for n := 1; len(sources) > 0; n++ {
		if n%checkRecords == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		next := sources[0]
		if !yield(next.words[:s.width]) {
			return nil
		}
		next.words = next.words[s.width:]
		if err := next.fill(); err != nil {
			return err
		}
		if len(next.words) == 0 {
			heap.Pop(&sources)
		} else {
			heap.Fix(&sources, 0)
		}
	}
	return nil
}

// source is a run being read, or the records in memory.
type source struct {
	number        int
	file          *vfs.File
	from, to      int64 // what is left in the file
	bytes         []byte
	buffer, words []uint64 // words are the part of the buffer that is left
}

// fill reads more words if none are left.
func (f *source) fill() error {
	if len(f.words) > 0 || f.from == f.to {
		return nil
	}
	f.bytes = f.bytes[:min(int64(len(f.bytes)), f.to-f.from)]
	if _, err := f.file.ReadAt(f.bytes, f.from); err != nil {
		return fmt.Errorf("a temporary file to sort with: %w", err)
	}
	f.from += int64(len(f.bytes))
	f.buffer = slices.Grow(f.buffer[:0], len(f.bytes)/8)[:len(f.bytes)/8]
	f.words = f.buffer
	_, err := binary.Decode(f.bytes, binary.LittleEndian, f.words)
	return err
}

// merged is a heap of sources, lowest key first, ties in the order of the sources.
type merged []*source

func (m merged) Len() int { return len(m) }
func (m merged) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(m[i].words[0], m[j].words[0]), cmp.Compare(m[i].number, m[j].number)) < 0
}
func (m merged) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m *merged) Push(x any)   { *m = append(*m, x.(*source)) }
func (m *merged) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}
