// Package journaltest tests that work with a journal survives crashes.
package journaltest

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kroo/internal/journal"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
	"kroo/internal/vfs"
)

// Work is work that saves its finished pieces in a journal.
type Work struct {
	Journal string // name in the folder of the work
	// Do does the work in a folder on one worker, or resumes it. It returns the output and the
	// number of pieces that were not in the journal, negative if unknown.
	Do func(dir string) (made []byte, pieces int, err error)
	// Others do the work with other settings. The key is a text that the error must contain.
	Others map[string]func(dir string) error
}

// Run makes the first, second, … write to the journal fail, or a sample of them, as if the
// process were killed there. It resumes each attempt unchanged, with a torn last record, and
// with the journal truncated at sampled bytes. All must produce the output of uninterrupted work
// without repeating pieces of the journal. Other settings must be refused without changing the
// journal. No other code may use files meanwhile.
func Run(t *testing.T, w Work) {
	t.Helper()
	writes := 0
	whole := w.do(t, t.TempDir(), func() bool { writes++; return false })
	if whole.err != nil || writes < 3 {
		t.Fatalf("uninterrupted: %d writes to %s, error %v", writes, w.Journal, whole.err)
	}
	var journal []byte
	step := max(1, writes/testenv.Sample(6, writes))
	for last := writes; last > 0; last -= step {
		dir, n := t.TempDir(), 0
		if stopped := w.do(t, dir, func() bool { n++; return n >= last }); stopped.err == nil {
			t.Fatalf("write %d of %d to %s fails: the work ends without an error", last, writes, w.Journal)
		}
		left, err := os.ReadFile(filepath.Join(dir, w.Journal))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if len(left) > len(journal) {
			journal = left
		}
		w.resumes(t, dir, whole)
		for _, torn := range []int{1, 5} {
			w.resumes(t, w.folder(t, left[:max(0, len(left)-torn)]), whole)
		}
	}
	step = len(journal)/testenv.Sample(7, len(journal)) + 1
	for size := 0; size < len(journal); size += step {
		w.resumes(t, w.folder(t, journal[:size]), whole)
	}
	dir := w.folder(t, journal)
	for what, other := range w.Others {
		if err := other(dir); err == nil || !strings.Contains(err.Error(), w.Journal) ||
			!strings.Contains(err.Error(), what) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v: want one line with that and %s", what, err, w.Journal)
		}
		if !bytes.Equal(testkit.Read(t, filepath.Join(dir, w.Journal)), journal) {
			t.Errorf("%s: other settings change %s", what, w.Journal)
		}
	}
}

// outcome is how an attempt ended.
type outcome struct {
	made   []byte
	pieces int
	err    error
}

// do does the work; writes to the journal fail when fails returns true.
func (w Work) do(t *testing.T, dir string, fails func() bool) (o outcome) {
	t.Helper()
	vfs.Fail(func(call, path string) error {
		if call == "write" && filepath.Base(path) == w.Journal && fails() {
			return syscall.EIO
		}
		return nil
	})
	defer vfs.Fail(func(_, _ string) error { return nil })
	o.made, o.pieces, o.err = w.Do(dir)
	return o
}

// folder returns a new folder that contains a journal.
func (w Work) folder(t *testing.T, journal []byte) string {
	t.Helper()
	return filepath.Dir(testkit.File(t, w.Journal, journal))
}

// resumes resumes the work in a folder and checks the output.
func (w Work) resumes(t *testing.T, dir string, whole outcome) {
	t.Helper()
	path := filepath.Join(dir, w.Journal)
	size := int64(0)
	records := 0
	if info, err := os.Stat(path); err == nil {
		size = info.Size()
		there, _ := journal.Inspect(path) // no records follow a torn header
		records = int(there.Records)
	}
	got := w.do(t, dir, func() bool { return false })
	switch {
	case got.err != nil:
		t.Fatalf("resumed with %d bytes of %s: %v", size, w.Journal, got.err)
	case !bytes.Equal(got.made, whole.made):
		t.Fatalf("resumed with %d bytes of %s: it makes something else than uninterrupted", size, w.Journal)
	case whole.pieces >= 0 && got.pieces+records != whole.pieces:
		t.Fatalf("resumed with %d bytes of %s: %d pieces after the %d there, want %d in all",
			size, w.Journal, got.pieces, records, whole.pieces)
	}
}
