package serve

import (
	"container/list"
	"sync"
	"time"

	"kroo/internal/vfs"
)

// shelf keeps what was read of the last few files, as long as they are as they were. One
// file is read at a time, so that many visitors do not take the memory.
type shelf[T any] struct {
	mu    sync.Mutex
	room  int       // values
	bytes int64     // of all their files, if there is more than one; 0 bounds nothing
	kept  list.List // of kept[T], the last used first
}

type kept[T any] struct {
	key   string
	size  int64
	when  time.Time
	value T
}

// get is what load makes of a file, or what it made before. key tells uses of a file
// apart; the empty path is that of the program's own.
func (s *shelf[T]) get(path, key string, load func() (T, error)) (value T, err error) {
	k := kept[T]{key: path + "\x00" + key}
	if path != "" {
		info, err := vfs.Stat(path)
		if err != nil {
			return value, cause(err)
		}
		k.size, k.when = info.Size(), info.ModTime()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := s.kept.Front(); e != nil; e = e.Next() {
		was := e.Value.(kept[T])
		if was.key != k.key {
			continue
		}
		if was.size == k.size && was.when.Equal(k.when) {
			s.kept.MoveToFront(e)
			return was.value, nil
		}
		s.kept.Remove(e)
		break
	}
	if k.value, err = load(); err != nil {
		return value, err
	}
	s.kept.PushFront(k)
	for s.kept.Len() > 1 && (s.kept.Len() > s.room || s.bytes > 0 && s.size() > s.bytes) {
		s.kept.Remove(s.kept.Back())
	}
	return k.value, nil
}

// size is that of the files of all values.
func (s *shelf[T]) size() (sum int64) {
	for e := s.kept.Front(); e != nil; e = e.Next() {
		sum += e.Value.(kept[T]).size
	}
	return sum
}
