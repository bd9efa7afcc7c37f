package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
	"kroo/internal/vfs"
)

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
