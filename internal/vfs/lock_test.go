//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows

package vfs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
)

func TestLockDoesNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var files [2]*File
	for i := range files {
		f := testkit.Must(OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666))(t)
		defer f.Close()
		files[i] = f
	}
	testkit.NoError(t, files[0].Lock())
	if err := files[1].Lock(); !errors.Is(err, ErrLocked) {
		t.Errorf("%v, want ErrLocked", err)
	}
	files[0].Close()
	if err := files[1].Lock(); err != nil {
		t.Error(err)
	}
}
