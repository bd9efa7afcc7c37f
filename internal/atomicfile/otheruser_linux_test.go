package atomicfile

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kroo/internal/testkit"
	"kroo/internal/vfs"
)

// asOther is the environment variable with the output that the test claims and writes as another
// user.
const asOther = "KROO_CLAIMED"

// In a sticky folder a user's files cannot be removed or written by others, and the kernel may
// refuse to open them with O_CREATE (fs.protected_regular).
func TestLeftoverLockOfAnotherUser(t *testing.T) {
	if path := os.Getenv(asOther); path != "" {
		err := Claim(path)
		if err == nil {
			err = WriteBytes(path, []byte("new"))
		}
		Release()
		testkit.NoError(t, err)
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	for _, c := range []struct {
		mode os.FileMode
		held bool
		want string // in the error; "" for success
	}{
		{0o644, false, ""},
		{0o666, false, ""},
		{0o644, true, `in use by another process (process 99999, "killed")`},
		{0o600, false, "its lock file DIR/.out.lock belongs to another user"},
	} {
		dir := stickyFolder(t)
		lock, left := filepath.Join(dir, ".out.lock"), "99999 killed\n"
		testkit.NoError(t, os.WriteFile(lock, []byte(left), 0o666), os.Chmod(lock, c.mode))
		if c.held {
			f := testkit.Must(vfs.OpenLocked(lock, os.O_RDWR, 0))(t)
			defer f.Close()
		}
		said, err := asNobody(dir, "^TestLeftoverLockOfAnotherUser$", asOther+"="+filepath.Join(dir, "out"))
		if want := strings.ReplaceAll(c.want, "DIR", dir); (err == nil) != (want == "") || !strings.Contains(said, want) {
			t.Errorf("%o, held %v: %v: %s: want %q", c.mode, c.held, err, said, want)
		}
		if got, err := os.ReadFile(lock); err != nil || string(got) != left {
			t.Errorf("%o, held %v: the lock contains %q, %v: want it unchanged", c.mode, c.held, got, err)
		}
	}
}

// stickyFolder returns a folder in which all may write, but remove only their own files.
func stickyFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "sticky-")
	if err == nil {
		err = os.Chmod(dir, 0o777|os.ModeSticky)
	}
	testkit.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// asNobody runs a test of this program as the user nobody.
func asNobody(dir, test, env string) (said string, err error) {
	cmd := exec.Command("/proc/self/exe", "-test.run="+test)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	return string(out), err
}
