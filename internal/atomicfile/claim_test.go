package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kroo/internal/vfs"
)

// Whoever has a lock is alone with it, however often others take it and give it up, which
// removes its file.
func TestALockIsOnlyOnes(t *testing.T) {
	name := filepath.Join(t.TempDir(), ".out.lock")
	var inside, had atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				f, err := lock(name)
				if errors.Is(err, vfs.ErrLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d have the lock", n)
				}
				had.Add(1)
				inside.Add(-1)
				Unlock(f)
			}
		})
	}
	all.Wait()
	if had.Load() == 0 {
		t.Error("nobody has had the lock")
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock is left: %v", err)
	}
}

func TestALockSaysWhoHasIt(t *testing.T) {
	name := filepath.Join(t.TempDir(), ".out.lock")
	f, err := lock(name)
	if err != nil {
		t.Fatal(err)
	}
	defer Unlock(f)
	if _, err := lock(name); !errors.Is(err, vfs.ErrLocked) || !strings.Contains(err.Error(), fmt.Sprintf("(process %d, ", os.Getpid())) {
		t.Errorf("%v: want the process that has it", err)
	}
}

// A lock that a killed process has left, and a claim of an output that is there.
func TestClaimsEndWithoutATrace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(filepath.Join(dir, ".out.lock"), []byte("99999 killed\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Claim(path); err != nil {
			t.Fatal(err)
		}
		if _, err := lock(lockName(path)); !errors.Is(err, vfs.ErrLocked) {
			t.Errorf("%v: want a lock on what is claimed", err)
		}
		if err := WriteBytes(path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		Release()
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 || list[0].Name() != "out" {
		t.Errorf("%v, %v: want out alone", list, err)
	}
}

func TestAKeptOutputIsNotReplacedByAnotherContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	big := strings.Repeat("abcdefgh", 1<<14)
	if err := os.WriteFile(path, []byte(big), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Claim(path); err != nil {
		t.Fatal(err)
	}
	defer Release()
	refusal := errors.New("it is mine")
	Keep(path, refusal)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteBytes(path, []byte(big)); err != nil {
		t.Error(err)
	}
	for _, other := range []string{"", big + "x", big[1:], "x" + big[1:]} {
		if err := WriteBytes(path, []byte(other)); !errors.Is(err, refusal) {
			t.Errorf("%v: want %v", err, refusal)
		}
	}
	after, err := os.Stat(path)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("%v, or another file", err)
	}
}

func TestNoClaimOnWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "nothing"), link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{dir, link, os.DevNull, ""} {
		if err := Claim(path); err == nil {
			t.Errorf("%q is claimed", path)
		}
	}
}
