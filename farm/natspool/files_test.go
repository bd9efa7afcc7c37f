package natspool

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kroo/farm"
	"kroo/internal/checksum"
	"kroo/internal/testkit"
)

// fileOf is a file with a content, as a session names it.
func fileOf(t *testing.T, content string) farm.File {
	t.Helper()
	path := testkit.File(t, "weights", content)
	hash := testkit.Must(checksum.File(path))(t)
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
	testkit.Equal(t, <-asked, weights.Hash, "the file came as")
	kept := filepath.Join(cacheDir, weights.Hash)
	testkit.NoError(t, os.WriteFile(kept, []byte("damaged"), 0o600))
	join(t, n, upper, with) // finds the damaged file
	waitFor(t, func() bool { do(t, s, 20); return len(asked) > 0 })
	testkit.Equal(t, <-asked, weights.Hash, "the damaged file came as")
}

// A download removes old files from the cache, but neither those of present sessions nor files of other kinds.
func TestDownloadsRemoveOldFilesFromTheCache(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	present, next := fileOf(t, "weights in use"), fileOf(t, "weights to download")
	cacheDir := t.TempDir()
	keep := func(name, content string, age time.Duration) {
		path := filepath.Join(cacheDir, name)
		testkit.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		then := time.Now().Add(-age)
		testkit.NoError(t, os.Chtimes(path, then, then))
	}
	oldName, recentName := strings.Repeat("a", 64), strings.Repeat("b", 64)
	keep(present.Hash, "weights in use", cacheAge+time.Hour)
	keep(oldName, "old", cacheAge+time.Hour)
	keep(recentName, "recent", cacheAge-time.Hour)
	keep("notes.txt", "mine", cacheAge+time.Hour)
	join(t, n, upper, func(c *WorkerConfig) {
		c.Cache = cacheDir
		c.Open = func(w farm.Work, files farm.Files, _ int) (farm.Doer, error) {
			_, err := files(w.Files[0].Hash)
			return doing(upper), err
		}
	})
	do(t, open(t, n, farm.Work{Files: []farm.File{present}}), 1)
	do(t, open(t, n, farm.Work{Files: []farm.File{next}}), 1)
	var left []string
	for _, e := range testkit.Must(os.ReadDir(cacheDir))(t) {
		left = append(left, e.Name())
	}
	want := []string{present.Hash, recentName, next.Hash, "notes.txt"}
	slices.Sort(want)
	testkit.EqualSlices(t, left, want, "files in the cache")
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
	_ = testkit.Must(store.PutString(t.Context(), weights.Hash, "thgiews"))(t)
	open(t, n, farm.Work{Files: []farm.File{weights}})
	if got, err := store.GetString(t.Context(), weights.Hash); err != nil || got != "weights" {
		t.Errorf("the server has %q, %v: want the file", got, err)
	}

	other := fileOf(t, "others")
	testkit.NoError(t, os.WriteFile(other.Path, []byte("changed"), 0o600))
	_, err := n.begin(t.Context(), farm.Work{Engine: someEngine, Deadline: time.Minute, Files: []farm.File{other}})
	testkit.ErrorContains(t, err, "it has changed: expected")
	if _, err := store.GetInfo(t.Context(), other.Hash); err == nil {
		t.Error("the server has the file that has changed")
	}
}

// slow is an honest doer that takes a while.
func slow(ctx context.Context, task []byte) ([]byte, error) {
	time.Sleep(50 * time.Millisecond)
	return upper(ctx, task)
}

// Somebody deletes, at the server, what the farm needs there. It is made again within
// seconds, and each task is taken once, however long a task may take.
func TestDeletedServerObjectsAreRestored(t *testing.T) {
	t.Parallel()
	for what, remove := range map[string]func(ctx context.Context, s *dispatcher) error{
		"tasks": func(ctx context.Context, s *dispatcher) error { return s.net.js.DeleteStream(ctx, tasksStream) },
		"consumer": func(ctx context.Context, s *dispatcher) error {
			return s.net.js.DeleteConsumer(ctx, tasksStream, s.ID)
		},
		"sessions and workers": func(ctx context.Context, s *dispatcher) error { return s.net.js.DeleteKeyValue(ctx, keysBucket) },
		"all, as another coordinator makes it": func(ctx context.Context, s *dispatcher) error {
			return errors.Join(s.net.js.DeleteStream(ctx, tasksStream), s.net.js.DeleteKeyValue(ctx, keysBucket), s.net.ensure(ctx))
		},
		"what is in the stream": func(ctx context.Context, s *dispatcher) error {
			st, err := s.net.js.Stream(ctx, tasksStream)
			if err != nil {
				return err
			}
			return st.Purge(ctx)
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			n, _ := dial(t, Config{})
			for range 2 {
				join(t, n, slow)
			}
			s := open(t, n, farm.Work{Deadline: 24 * time.Hour})
			done := doAside(t, s, 200)
			waitFor(t, func() bool { return counts(s).Done > 20 })
			testkit.NoError(t, remove(t.Context(), s))
			<-done
			if c := counts(s); c.Done != 200 {
				t.Errorf("%+v: want 200 tasks done", c)
			}
		})
	}
}

// Lost files of a session are restored on the server, and reach a worker that finds none.
func TestFilesDeletedAtTheServerArePutBack(t *testing.T) {
	t.Parallel()
	for what, remove := range map[string]func(ctx context.Context, n *Network, hash string) error{
		"the object store": func(ctx context.Context, n *Network, _ string) error { return n.js.DeleteObjectStore(ctx, filesBucket) },
		"the file": func(ctx context.Context, n *Network, hash string) error {
			store, err := n.js.ObjectStore(ctx, filesBucket)
			if err != nil {
				return err
			}
			return store.Delete(ctx, hash)
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			n, _ := dial(t, Config{})
			weights := fileOf(t, "weights")
			s := open(t, n, farm.Work{Files: []farm.File{weights}})
			testkit.NoError(t, remove(t.Context(), n, weights.Hash))
			join(t, n, nil, func(c *WorkerConfig) {
				c.Open = func(_ farm.Work, files farm.Files, _ int) (farm.Doer, error) {
					_, err := files(weights.Hash)
					return doing(upper), err
				}
			})
			do(t, s, 10)
		})
	}
}

// A server that rejects tasks is reported.
func TestRejectedTasksAreReported(t *testing.T) {
	t.Parallel()
	n, notes := dial(t, Config{})
	join(t, n, upper)
	st := testkit.Must(n.js.Stream(t.Context(), tasksStream))(t)
	config := st.CachedInfo().Config
	config.MaxMsgSize = 10
	s := open(t, n, farm.Work{})
	waitFor(t, func() bool { // the coordinator puts the settings right now and then
		_ = testkit.Must(n.js.UpdateStream(t.Context(), config))(t)
		do(t, s, 1)
		return notes.has("the server rejects tasks: ")
	})
}

// A session that a worker cannot serve is refused with the reason, and the worker continues.
func TestASessionThatCannotBeServedIsRefused(t *testing.T) {
	t.Parallel()
	n, notes := dial(t, Config{})
	var sessions atomic.Int32
	join(t, n, nil, func(c *WorkerConfig) {
		c.Open = func(farm.Work, farm.Files, int) (farm.Doer, error) {
			if sessions.Add(1) == 1 {
				return nil, errors.New("no such game")
			}
			return doing(upper), nil
		}
	})
	if err := open(t, n, farm.Work{}).do(t.Context(), tasks(3, anything)); err == nil || !strings.Contains(err.Error(), "failed 5 times, the last time on worker ") || !strings.Contains(err.Error(), "no such game") {
		t.Errorf("error %v, notices %q: want the worker's reason", err, notes.list)
	}
	do(t, open(t, n, farm.Work{}), 10)
}

// A stream full of unneeded messages drops them and blocks nothing.
func TestFullStreamDoesNotBlock(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	join(t, n, upper)
	s := open(t, n, farm.Work{})
	do(t, s, 10)
	for junk, i := make([]byte, 1<<19), 0; i < 2*streamBytes/len(junk); i++ {
		_ = testkit.Must(n.js.Publish(t.Context(), tasksSubject+"killed", junk))(t)
	}
	do(t, s, 400)
}
