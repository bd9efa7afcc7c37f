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

	"kroo/internal/testkit"
	"kroo/internal/vfs"
	"kroo/internal/vfs/faults"
)

// At most one process has a lock at a time, however often others acquire and release it, which
// removes its file.
func TestLockIsExclusive(t *testing.T) {
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
				testkit.Equal(t, inside.Add(1), 1, "inside.Add")
				had.Add(1)
				inside.Add(-1)
				Unlock(f)
			}
		})
	}
	all.Wait()
	if had.Load() == 0 {
		t.Error("the lock was never acquired")
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file was not removed: %v", err)
	}
}

func TestLockErrorNamesOwner(t *testing.T) {
	name := filepath.Join(t.TempDir(), ".out.lock")
	f := testkit.Must(lock(name))(t)
	defer Unlock(f)
	if _, err := lock(name); !errors.Is(err, vfs.ErrLocked) || !strings.Contains(err.Error(), fmt.Sprintf("(process %d, ", os.Getpid())) {
		t.Errorf("%v: want the process that has it", err)
	}
}

// Tests the lock file of a killed process, and a claim of an existing output.
func TestReleaseRemovesLockFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, ".out.lock"), []byte("99999 killed\n"), 0o666))
	for range 2 {
		testkit.NoError(t, Claim(path))
		if _, err := lock(filepath.Join(dir, ".out.lock")); !errors.Is(err, vfs.ErrLocked) {
			t.Errorf("%v: want a lock on what is claimed", err)
		}
		testkit.NoError(t, WriteBytes(path, []byte("new")))
		Release()
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 || list[0].Name() != "out" {
		t.Errorf("%v, %v: want only out", list, err)
	}
}

func TestKeepRefusesOtherContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	big := strings.Repeat("abcdefgh", 1<<14)
	testkit.NoError(t, os.WriteFile(path, []byte(big), 0o666))
	testkit.NoError(t, Claim(path))
	defer Release()
	refusal := errors.New("it is mine")
	Keep(path, refusal)
	before := testkit.Must(os.Stat(path))(t)
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

func TestClaimRefusesIrregularFiles(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	testkit.NoError(t, os.Symlink(filepath.Join(dir, "nothing"), link))
	for _, path := range []string{dir, link, os.DevNull, ""} {
		if err := Claim(path); err == nil {
			t.Errorf("%q is claimed", path)
		}
	}
}

// LINK/../out is next to the target of LINK, and so are its lock, its temporary file and its
// claim.
func TestSpellingsOfOnePathShareAClaim(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	testkit.NoError(t, errors.Join(os.MkdirAll("there/inside", 0o777), os.Symlink("there/inside", "link")))
	defer Release()
	for _, path := range []string{"link/../out", filepath.Join(dir, "there", "out"), "there/out"} {
		if err := Claim(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	testkit.Equal(t, strings.Join(entries(t, "there"), " "), ".out.lock inside", "files in there")
	refusal := errors.New("it is mine")
	testkit.NoError(t, WriteBytes("link/../out", []byte("old")), Keep("there/out", refusal))
	if err := WriteBytes("link/../out", []byte("new")); !errors.Is(err, refusal) {
		t.Errorf("%v: want %v", err, refusal)
	}
	testkit.Equal(t, strings.Join(entries(t, "."), " "), "link there", "files in the folder")
	if err := WriteBytes("none/../out", nil); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "folder none/..:") {
		t.Errorf("none/../out: %v", err)
	}
}

// Whichever call fails, the old file or the new one exists, and the next write works and cleans
// up.
func TestWriteFaultLeavesOldOrNewFile(t *testing.T) {
	name := func(dir string) string { return filepath.Join(dir, "a") }
	write := func(dir, text string) {
		t.Helper()
		if err := WriteBytes(name(dir), []byte(text)); err != nil {
			t.Error(err)
		}
	}
	faults.Each(t,
		func(dir string) { write(dir, "old") },
		func(dir string) error { return WriteBytes(name(dir), []byte("new")) },
		func(dir, _ string, failed error) {
			got, err := os.ReadFile(name(dir))
			if text := string(got); text != "new" && (text != "old" || failed == nil) {
				t.Errorf("the file contains %q, %v", got, err)
			}
			write(dir, "next")
			if names := entries(t, dir); len(names) != 1 {
				t.Errorf("the folder contains %v, want only the file", names)
			}
		})
}
