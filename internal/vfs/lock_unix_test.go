//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package vfs

import (
	"os"
	"path/filepath"
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
