package wal

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"kroo/internal/testkit"
	"kroo/internal/vfs"
)

// When many goroutines open, use and remove one log, each has it exclusively, and writes to the
// file that has the name.
func TestOpenIsExclusive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	var inside, had atomic.Int32
	use := func() error {
		l, err := Open(path, []byte("head"), nil, nil)
		if errors.Is(err, ErrLocked) {
			return nil
		}
		if err != nil {
			return err
		}
		defer l.Close()
		testkit.Equal(t, inside.Add(1), 1, "inside.Add")
		had.Add(1)
		there, err := os.Lstat(path)
		if err != nil {
			return err
		}
		if here, err := l.f.Stat(); err != nil || !os.SameFile(here, there) {
			t.Errorf("%v, or the log has no name", err)
		}
		err = l.Append([]byte("record"))
		inside.Add(-1)
		return errors.Join(err, vfs.Remove(path)) // before releasing the lock
	}
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for range 100 {
				if err := use(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if had.Load() == 0 {
		t.Error("the log was never opened")
	}
}

func TestOpenRefusesIrregularFiles(t *testing.T) {
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes")
	testkit.NoError(t, os.WriteFile(notes, nil, 0o666))
	link := filepath.Join(dir, "link")
	testkit.NoError(t, os.Symlink(notes, link))
	for _, path := range []string{dir, link, os.DevNull} {
		before := testkit.Must(os.Lstat(path))(t)
		if l, err := Open(path, []byte("head"), nil, nil); err == nil {
			l.Close()
			t.Errorf("a log in %s", path)
		}
		if after, err := os.Lstat(path); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s has changed: %v", path, err)
		}
	}
}
