//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"kroo/internal/testkit"
)

// A new file has the permissions that the umask leaves; a replaced file keeps its permissions.
func TestPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	path := filepath.Join(t.TempDir(), "a")
	write := func(want os.FileMode) {
		t.Helper()
		testkit.NoError(t, WriteBytes(path, nil))
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%v %v, want %v", info.Mode(), err, want)
		}
	}
	write(0o640)
	for _, mode := range []os.FileMode{0o600, 0o666, 0o400} {
		testkit.NoError(t, os.Chmod(path, mode))
		write(mode)
	}
}
