package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
	"kroo/internal/vfs"
)

func entries(t *testing.T, dir string) []string {
	t.Helper()
	list := testkit.Must(os.ReadDir(dir))(t)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteReplacesTheWholeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for _, text := range []string{"first, the longer one", "second"} {
		testkit.NoError(t, WriteBytes(path, []byte(text)))
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Fatalf("file contains %q, want %q", got, text)
		}
	}
	if names := entries(t, filepath.Dir(path)); len(names) != 1 {
		t.Errorf("folder contains %v, want only the file", names)
	}
}

func TestFailedWriteLeavesOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	testkit.NoError(t, WriteBytes(path, []byte("old")))
	failure := errors.New("no more")
	err := WriteFile(path, func(w io.Writer) error {
		io.WriteString(w, "half of the ne")
		return failure
	})
	if !errors.Is(err, failure) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v: want the cause and the path", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("file contains %q, want the old text", got)
	}
	if names := entries(t, filepath.Dir(path)); len(names) != 1 {
		t.Errorf("folder contains %v, want only the file", names)
	}
}

func TestRemoveTemps(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".a.tmp-12", "a", ".hidden", ".b.tmp-mine"} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	testkit.NoError(t, RemoveTemps(dir))
	testkit.Equal(t, strings.Join(entries(t, dir), " "), ".b.tmp-mine .hidden a", "left")
}

// Without locks nobody can tell a leftover from a file in work.
func TestNothingIsRemovedWithoutLocks(t *testing.T) {
	dir := t.TempDir()
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, ".a.tmp-12"), nil, 0o644))
	vfs.Fail(func(call, _ string) error {
		if call == "lock" {
			return errors.ErrUnsupported
		}
		return nil
	})
	err := WriteBytes(filepath.Join(dir, "a"), nil)
	vfs.Fail(func(string, string) error { return nil })
	testkit.NoError(t, err)
	testkit.Equal(t, strings.Join(entries(t, dir), " "), ".a.tmp-12 a", "left")
}

func TestWriteRemovesLeftoversOfInterruptedWrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a") // must not be read as a pattern
	testkit.NoError(t, os.Mkdir(dir, 0o777))
	for _, name := range []string{".a.tmp-12", ".a.tmp-0123abcd", ".b.tmp-7"} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	path := filepath.Join(dir, "a")
	err := WriteFile(path, func(io.Writer) error { return WriteBytes(path, []byte("inner")) })
	if err != nil {
		t.Fatal(err) // a write in progress is not disturbed
	}
	testkit.Equal(t, strings.Join(entries(t, dir), " "), ".b.tmp-7 a", "left")
}

// Check returns the error that a write would return, and leaves no files.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                             "it is a folder",
		os.DevNull:                      "it is not a regular file",
		filepath.Join(dir, "none", "a"): "no such file",
		filepath.Join(dir, "a", "b"):    "not a directory",
		"":                              "the name is empty",
		filepath.Join(dir, strings.Repeat("n", 250)): "too long",
	} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, "a"), nil, 0o666))
		for _, err := range []error{Check(path), WriteBytes(path, nil)} {
			var as *Error
			if !errors.As(err, &as) || as.Path != path || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
		}
	}
	for _, name := range []string{"a", "new"} {
		if err := Check(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if names := entries(t, dir); len(names) != 1 {
		t.Errorf("folder contains %v, want only the file", names)
	}
}

// Between the close of a temporary file and its removal, another process may take it for a
// leftover and remove it.
func TestConcurrentChecksInOneFolder(t *testing.T) {
	vfs.Fail(func(call, path string) error {
		if call == "remove" {
			return os.Remove(path)
		}
		return nil
	})
	defer vfs.Fail(func(string, string) error { return nil })
	if err := Check(filepath.Join(t.TempDir(), "a")); err != nil {
		t.Error(err)
	}
}
