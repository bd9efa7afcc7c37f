//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package vfs

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Opening a pipe without a writer would block, and a device has no end.
func TestOpenRefusesIrregularFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, "/dev/zero", "/dev/null", dir} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path+" is not a regular file") {
			t.Errorf("open %s: %v", path, err)
		}
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), path+" is not a regular file") {
			t.Errorf("read %s: %v", path, err)
		}
	}
}
