package natspool

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kroo/farm"
	"kroo/internal/checksum"
)

// fileOf is a file with a content, as a session names it.
func fileOf(t *testing.T, content string) farm.File {
	t.Helper()
	path := file(t, "weights", []byte(content))
	hash, err := checksum.File(path)
	if err != nil {
		t.Fatal(err)
	}
	return farm.File{Hash: hash, Size: int64(len(content)), Path: path}
}

// Files come by their hashes, and are kept for the next time.
func TestFilesAreFetchedByHash(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	weights := fileOf(t, strings.Repeat("weights", 100_000))
	cacheDir := t.TempDir()
	asked := make(chan string, 10)
	with := func(c *WorkerConfig) {
		c.Cache = cacheDir
		c.Open = func(_ farm.Work, files farm.Files, _ int) (farm.Doer, error) {
			got, err := files(weights.Hash)
			if err != nil {
				return nil, err
			}
			if _, err := files(strings.Repeat("0", 64)); err == nil {
				return nil, errors.New("a file that the session does not have")
			}
			sum, err := checksum.File(got)
			asked <- sum
			return doing(upper), err
		}
	}
	join(t, n, upper, with)
	s := open(t, n, farm.Work{Files: []farm.File{weights}})
	do(t, s, 10)
	if got := <-asked; got != weights.Hash {
		t.Errorf("the file came as %s, want %s", got, weights.Hash)
	}
	kept := filepath.Join(cacheDir, weights.Hash)
	if err := os.WriteFile(kept, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	join(t, n, upper, with) // finds the damaged file
	waitFor(t, func() bool { do(t, s, 20); return len(asked) > 0 })
	if got := <-asked; got != weights.Hash {
		t.Errorf("the damaged file came as %s, want %s", got, weights.Hash)
	}
}

func TestFilesOfOtherNamesOrSizesAreRefused(t *testing.T) {
	for _, f := range []farm.File{{Hash: "../../etc/passwd", Size: 5}, {Hash: strings.Repeat("A", 64)}, {Hash: strings.Repeat("a", 63)}, {Hash: strings.Repeat("a", 64), Size: -1}, {Hash: strings.Repeat("a", 64), Size: maxFile + 1}} {
		w := &worker{WorkerConfig: WorkerConfig{Cache: t.TempDir()}}
		if _, err := w.getFile(t.Context(), f); err == nil {
			t.Errorf("%+v was taken", f)
		}
	}
}

// An object with a file's name may have another content, and a file may have changed.
func TestFilesOfOtherContentAreReplacedOrRefused(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	store := n.files
	weights := fileOf(t, "weights")
	if _, err := store.PutString(t.Context(), weights.Hash, "thgiews"); err != nil {
		t.Fatal(err)
	}
	open(t, n, farm.Work{Files: []farm.File{weights}})
	if got, err := store.GetString(t.Context(), weights.Hash); err != nil || got != "weights" {
		t.Errorf("the server has %q, %v: want the file", got, err)
	}

	other := fileOf(t, "others")
	if err := os.WriteFile(other.Path, []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := n.begin(t.Context(), farm.Work{Engine: someEngine, Deadline: time.Minute, Files: []farm.File{other}})
	if err == nil || !strings.Contains(err.Error(), "it has changed: expected") {
		t.Errorf("error %v", err)
	}
	if _, err := store.GetInfo(t.Context(), other.Hash); err == nil {
		t.Error("the server has the file that has changed")
	}
}
