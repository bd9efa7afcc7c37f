//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Permissions of a new file are those that the umask leaves, of another those it had.
func TestPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	path := filepath.Join(t.TempDir(), "a")
	write := func(want os.FileMode) {
		t.Helper()
		if err := WriteBytes(path, nil); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%v %v, want %v", info.Mode(), err, want)
		}
	}
	write(0o640)
	for _, mode := range []os.FileMode{0o600, 0o666, 0o400} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		write(mode)
	}
}
