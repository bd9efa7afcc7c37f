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
// file beyond a memory limit. The sort is stable. A sorter of counts sums the second words of equal
// keys. The file is in [os.TempDir]; on Unix it has no name, so that it disappears even after a
// crash.
type sorter struct {
	width, room int // words per record; records that fit into memory
	counts      bool
	words       []uint64 // records in memory
	order       []uint32 // indices of the records in order

	file *vfs.File
	name string // of the file; "" once it is removed
	runs []run
	end  int64 // size of the file
}

// run is a sorted part of the file.
type run struct{ from, to int64 }

// newSorter returns a sorter of records of width words that keeps about the given number of bytes
// in memory.
func newSorter(width, bytes int) *sorter {
	return &sorter{width: width, room: max(2, bytes/8/width) * width}
}

// newCounts returns a sorter of keys and counts.
func newCounts(bytes int) *sorter {
	s := newSorter(2, bytes)
	s.counts = true
	return s
}

// Add adds a record.
func (s *sorter) Add(record ...uint64) error {
	if len(s.words) == s.room {
		if err := s.makeRoom(); err != nil {
			return err
		}
	}
	s.words = append(s.words, record...)
	return nil
}

// makeRoom writes a run, unless summing counts freed enough memory.
func (s *sorter) makeRoom() error {
	s.sort()
	if len(s.words) <= s.room/2 {
		return nil
	}
	if err := s.write(); err != nil {
		return fmt.Errorf("a temporary file to sort with: %w; set TMPDIR to use another folder", err)
	}
	s.words = s.words[:0]
	return nil
}

// sort sorts the records in memory.
func (s *sorter) sort() {
	n := len(s.words) / s.width
	s.order = s.order[:0]
	sorted := true
	for i := range n {
		s.order = append(s.order, uint32(i))
		sorted = sorted && (i == 0 || s.words[(i-1)*s.width] <= s.words[i*s.width])
	}
	if !sorted {
		slices.SortFunc(s.order, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(s.words[int(a)*s.width], s.words[int(b)*s.width]), cmp.Compare(a, b))
		})
		moved := make([]uint64, 0, cap(s.words))
		for _, i := range s.order {
			moved = append(moved, s.record(int(i))...)
		}
		s.words = moved
	}
	if s.counts {
		s.addUp()
	}
}

func (s *sorter) record(i int) []uint64 { return s.words[i*s.width : (i+1)*s.width] }

// addUp merges the counts of equal keys.
func (s *sorter) addUp() {
	kept := 0
	for i := 0; i < len(s.words); i += 2 {
		if kept > 0 && s.words[kept-2] == s.words[i] {
			s.words[kept-1] += s.words[i+1]
			continue
		}
		s.words[kept], s.words[kept+1] = s.words[i], s.words[i+1]
		kept += 2
	}
	s.words = s.words[:kept]
}

// block is the number of bytes read or written at a time.
const block = 1 << 15

func (s *sorter) write() error {
	if s.file == nil {
		if err := s.create(); err != nil {
			return err
		}
	}
	from := s.end
	buffer := make([]byte, 0, block)
	for i, w := range s.words {
		if buffer = binary.LittleEndian.AppendUint64(buffer, w); len(buffer) == block || i == len(s.words)-1 {
			if _, err := s.file.WriteAt(buffer, s.end); err != nil {
				return err
			}
			s.end += int64(len(buffer))
			buffer = buffer[:0]
		}
	}
	s.runs = append(s.runs, run{from, s.end})
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
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	if s.name != "" {
		err = cmp.Or(err, vfs.Remove(s.name))
	}
	return err
}

// all yields the records in order, each valid until the next one. A final error is also returned
// when the context ends. It can be called repeatedly; records must not be added afterwards.
func (s *sorter) all(ctx context.Context) iter.Seq2[[]uint64, error] {
	return func(yield func([]uint64, error) bool) {
		s.sort()
		n := 0
		err := s.merge(func(record []uint64) (bool, error) {
			if n++; n%checkRecords == 0 && ctx.Err() != nil {
				return false, context.Cause(ctx)
			}
			return yield(record, nil), nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// checkRecords is the number of records between two checks of the context.
const checkRecords = 1 << 14

// merge yields the records of all runs and of memory in order.
func (s *sorter) merge(yield func([]uint64) (bool, error)) error {
	var sources merged
	for i, r := range s.runs {
		sources = append(sources, &source{number: i, width: s.width, file: s.file, rest: r})
	}
	sources = append(sources, &source{number: len(s.runs), width: s.width, words: s.words})
	for _, f := range sources {
		if err := f.fill(); err != nil {
			return err
		}
	}
	sources = slices.DeleteFunc(sources, func(f *source) bool { return len(f.words) == 0 })
	heap.Init(&sources)
	last := make([]uint64, 0, s.width) // in a sorter of counts: the record being summed
	for len(sources) > 0 {
		next := sources[0]
		record := next.words[:s.width]
		switch {
		case !s.counts:
			if more, err := yield(record); !more {
				return err
			}
		case len(last) > 0 && last[0] == record[0]:
			last[1] += record[1]
		default:
			if len(last) > 0 {
				if more, err := yield(last); !more {
					return err
				}
			}
			last = append(last[:0], record...)
		}
		if next.words = next.words[s.width:]; len(next.words) == 0 {
			if err := next.fill(); err != nil {
				return err
			}
		}
		if len(next.words) == 0 {
			heap.Pop(&sources)
		} else {
			heap.Fix(&sources, 0)
		}
	}
	if len(last) == 0 {
		return nil
	}
	_, err := yield(last)
	return err
}

// source is a run being read, or the records in memory.
type source struct {
	number, width int
	file          *vfs.File // nil for memory
	rest          run
	bytes         []byte
	buffer, words []uint64
}

// fill reads more words; at the end there are no more.
func (f *source) fill() error {
	if len(f.words) > 0 || f.rest.from == f.rest.to {
		return nil
	}
	if f.bytes == nil {
		f.bytes = make([]byte, max(1, block/8/f.width)*8*f.width)
	}
	f.bytes = f.bytes[:min(int64(len(f.bytes)), f.rest.to-f.rest.from)]
	if _, err := f.file.ReadAt(f.bytes, f.rest.from); err != nil {
		return fmt.Errorf("a temporary file to sort with: %w", err)
	}
	f.rest.from += int64(len(f.bytes))
	f.buffer = f.buffer[:0]
	for i := 0; i < len(f.bytes); i += 8 {
		f.buffer = append(f.buffer, binary.LittleEndian.Uint64(f.bytes[i:]))
	}
	f.words = f.buffer
	return nil
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
