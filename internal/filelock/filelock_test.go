//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestTheSecondWaitsForNobody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var files [2]*os.File
	for i := range files {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	if err := Lock(files[0]); err != nil {
		t.Fatal(err)
	}
	if err := Lock(files[1]); !errors.Is(err, ErrLocked) {
		t.Errorf("%v, want ErrLocked", err)
	}
	files[0].Close()
	if err := Lock(files[1]); err != nil {
		t.Error(err)
	}
}
