package mapfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kroo/internal/testkit"
	"kroo/internal/vfs/faults"
)

func TestOpenMapsTheWholeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	testkit.NoError(t, os.WriteFile(path, []byte("seeds"), 0o644))
	f, err := Open(path, "seeds")
	if err != nil || string(f.Data) != "seeds" {
		t.Fatal(f, err)
	}
	for range 2 {
		if err := f.Close(); err != nil || f.Data != nil {
			t.Error(err)
		}
	}
	if err := (*File)(nil).Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenRefusesIrregularFiles(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	testkit.NoError(t, os.WriteFile(empty, nil, 0o644))
	for path, want := range map[string]string{
		empty:                      "is empty: expected seeds",
		dir:                        "is a folder: expected a file",
		os.DevNull:                 "is not a regular file",
		filepath.Join(dir, "none"): "no such file",
	} {
		if _, err := Open(path, "seeds"); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// mapped opens a file of many pages, mapped regardless of its size.
func mapped(t *testing.T) (*File, string) {
	t.Helper()
	defer func(old int64) { Small = old }(Small)
	Small = 0
	path := filepath.Join(t.TempDir(), "file")
	testkit.NoError(t, os.WriteFile(path, make([]byte, 1<<20), 0o644))
	f, err := Open(path, "zeros")
	if err != nil || !f.IsMapped() {
		t.Fatal(f, err)
	}
	t.Cleanup(func() { f.Close() })
	return f, path
}

func TestTruncatedFileGivesAnError(t *testing.T) {
	f, path := mapped(t)
	sum := byte(0)
	last := func() { sum += f.Data[len(f.Data)-1] }
	testkit.NoError(t, f.Guard(last), f.Err())
	testkit.Equal(t, testing.AllocsPerRun(100, func() { f.Guard(last) }), 0, "testing.AllocsPerRun")
	testkit.NoError(t, os.Truncate(path, 10))
	for _, err := range []error{f.Guard(last), f.Err()} {
		testkit.ErrorContains(t, err, path+" changed while")
	}
}

func TestModifiedFileGivesAnError(t *testing.T) {
	f, path := mapped(t)
	testkit.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Second)))
	testkit.ErrorContains(t, f.Err(), "changed while")
}

func TestReplacingAFileKeepsTheOldContent(t *testing.T) {
	f, path := mapped(t)
	other := path + ".new"
	testkit.NoError(t, os.WriteFile(other, []byte("x"), 0o644), os.Rename(other, path))
	if err := errors.Join(f.Guard(func() { _ = f.Data[len(f.Data)-1] }), f.Err()); err != nil {
		t.Error(err)
	}
}

func TestGuardPassesOtherPanics(t *testing.T) {
	f, _ := mapped(t)
	defer func() {
		if recover() == nil {
			t.Error("the panic was lost")
		}
	}()
	f.Guard(func() { var none []int; _ = none[len(f.Data)] })
}

// Whichever call fails, Open returns the whole file or an error, mapped or not.
func TestOpenFaults(t *testing.T) {
	defer func(small int64) { Small = small }(Small)
	content := bytes.Repeat([]byte("content "), 1000)
	for _, Small = range []int64{0, 1 << 20} {
		faults.Each(t,
			func(dir string) {
				testkit.NoError(t, os.WriteFile(filepath.Join(dir, "a"), content, 0o666))
			},
			func(dir string) error {
				f, err := Open(filepath.Join(dir, "a"), "content")
				if err != nil {
					return err
				}
				if !bytes.Equal(f.Data, content) {
					t.Error("the file is given in part")
				}
				return f.Close()
			},
			func(_, failed string, err error) {
				if failed != "" && err == nil {
					t.Error("no error")
				}
			})
	}
}

func TestAllocatedMemoryIsZeroAndWritable(t *testing.T) {
	for _, n := range []int{1, 4096, 1<<20 + 7} {
		list := testkit.Must(Allocate[[3]uint32](n))(t)
		testkit.EqualSlices(t, list, make([][3]uint32, n), "values")
		list[n-1] = [3]uint32{1, 2, 3}
		list[0] = [3]uint32{4, 5, 6}
		testkit.NoError(t, Free(list))
	}
	_, err := Allocate[byte](0)
	testkit.ErrorContains(t, err, "the system has no more memory")
}
