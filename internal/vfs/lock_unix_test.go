//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package vfs

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kroo/internal/testkit"
)

// A program that is being started has inherited this process's files until it closes them.
func TestCloseReleasesTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	first := testkit.Must(OpenLocked(path, os.O_RDWR|os.O_CREATE, 0o666))(t)
	started := testkit.Must(syscall.Dup(int(first.file.Fd())))(t)
	defer syscall.Close(started)
	testkit.NoError(t, first.Close())
	second := testkit.Must(OpenLocked(path, os.O_RDWR, 0o666))(t)
	second.Close()
}

// Opening a pipe without a writer would block, and a device has no end.
func TestOpenRefusesIrregularFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		pipe: "is not a regular file", "/dev/zero": "is not a regular file", "/dev/null": "is not a regular file", dir: "is a folder",
	} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path+" "+want) {
			t.Errorf("open %s: %v", path, err)
		}
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), path+" "+want) {
			t.Errorf("read %s: %v", path, err)
		}
	}
}
