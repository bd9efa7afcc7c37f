//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package vfs

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A program that is being started has this one's opened files until it closes them.
func TestALockEndsWithTheFileThatIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	first, err := OpenLocked(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	started, err := syscall.Dup(int(first.file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(started)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := OpenLocked(path, os.O_RDWR, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
}
