package natspool

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"kroo/farm"
)

// slow is an honest doer that takes a while.
func slow(ctx context.Context, task []byte) ([]byte, error) {
	time.Sleep(50 * time.Millisecond)
	return upper(ctx, task)
}

// Somebody deletes, at the server, what the farm needs there. It is made again within
// seconds, and each task is taken once, however long a task may take.
func TestWhatIsDeletedAtTheServerIsMadeAgain(t *testing.T) {
	t.Parallel()
	for what, remove := range map[string]func(ctx context.Context, n *Network) error{
		"stream": func(ctx context.Context, n *Network) error { return n.js.DeleteStream(ctx, jobsStream) },
		"consumer": func(ctx context.Context, n *Network) error {
			return n.js.DeleteConsumer(ctx, jobsStream, "workers-"+someEngine)
		},
		"both, as another coordinator makes the stream": func(ctx context.Context, n *Network) error {
			if err := n.js.DeleteStream(ctx, jobsStream); err != nil {
				return err
			}
			_, err := n.ensure(ctx)
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			n, told := dial(t, Config{})
			for range 2 {
				join(t, n, slow)
			}
			s := open(t, n, farm.Work{Deadline: longest})
			done := doAside(t, s, 200)
			waitFor(t, func() bool { return counts(s).Done > 20 })
			if err := remove(t.Context(), n); err != nil {
				t.Error(err)
			}
			<-done
			if c := counts(s); c.Done != 200 {
				t.Errorf("%+v: want 200 tasks done", c)
			}
			if what != "consumer" && !told.has("the stream KROO_JOBS is gone from the server") {
				t.Errorf("told %q: want what is gone", told.list)
			}
		})
	}
}

// The files of a session come back to the server, and to a worker that finds none.
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
			n, told := dial(t, Config{})
			weights := fileOf(t, "weights")
			s := open(t, n, farm.Work{Files: []farm.File{weights}})
			if err := remove(t.Context(), n, weights.Hash); err != nil {
				t.Fatal(err)
			}
			join(t, n, nil, func(c *WorkerConfig) {
				c.Open = func(_ farm.Work, files farm.Files, _ int) (farm.Doer, error) {
					_, err := files(weights.Hash)
					return doing(upper), err
				}
			})
			do(t, s, 10)
			if !told.has(what) || !told.has("is gone from the server: it is made again") {
				t.Errorf("told %q: want %s", told.list, what)
			}
		})
	}
}

// A server that does not take batches is no silent one.
func TestAServerThatTakesNoBatchesIsTold(t *testing.T) {
	t.Parallel()
	n, told := dial(t, Config{})
	join(t, n, upper)
	st, err := n.js.Stream(t.Context(), jobsStream)
	if err != nil {
		t.Fatal(err)
	}
	config := st.CachedInfo().Config
	config.MaxMsgSize = 10
	if _, err := n.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	done := doAside(t, open(t, n, farm.Work{}), 10)
	waitFor(t, func() bool { return told.has("the server does not take batches: ") })
	if _, err := n.ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-done
}

// A session that a worker cannot serve is refused, and the worker goes on. The coordinator
// is told why.
func TestASessionThatCannotBeServedIsRefused(t *testing.T) {
	t.Parallel()
	n, told := dial(t, Config{})
	var sessions atomic.Int32
	join(t, n, nil, func(c *WorkerConfig) {
		c.Open = func(farm.Work, farm.Files, int) (farm.Doer, error) {
			if sessions.Add(1) == 1 {
				return nil, errors.New("no such game")
			}
			return doing(upper), nil
		}
	})
	if err := open(t, n, farm.Work{}).do(t.Context(), tasks(3, anything)); err == nil || !strings.Contains(err.Error(), "failed 3 times, on ") || !strings.Contains(err.Error(), "no such game") {
		t.Errorf("error %v, told %q: want the worker's reason", err, told.list)
	}
	do(t, open(t, n, farm.Work{}), 10)
}

// flood sends nonsense to a subject from a connection of its own, as fast as it can.
func flood(t *testing.T, n *Network, subject string, size int) (stop func()) {
	t.Helper()
	c, err := nats.Connect(n.address())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for junk := make([]byte, size); ctx.Err() == nil; {
			_ = c.Publish(subject, junk) // the connection may be too slow for it
		}
	}()
	stop = func() {
		cancel()
		<-ended
		c.Close()
	}
	t.Cleanup(stop)
	return stop
}

// Nonsense in a flood holds nothing up, whatever it calls itself, and fills no terminal.
func TestFloodsHoldNothingUp(t *testing.T) {
	for name, subject := range map[string]func(s *session) string{
		"beats":                     func(*session) string { return beatSubject },
		"notices":                   func(s *session) string { return takenSubject + s.id },
		"questions for the session": func(s *session) string { return sessionSubject + s.id },
		"questions for the status":  func(*session) string { return statusSubject },
		"sessions":                  func(*session) string { return openSubject },
		"answers":                   func(s *session) string { return answersSubject + s.id },
		"batches":                   func(s *session) string { return s.subject() },
		"batches of no session":     func(*session) string { return jobsSubject + someEngine + ".none" },
		"batches of another engine": func(s *session) string { return jobsSubject + "another." + s.id },
	} {
		t.Run(name, func(t *testing.T) {
			n, told := dial(t, Config{})
			join(t, n, upper)
			join(t, n, upper)
			s := open(t, n, farm.Work{})
			do(t, s, 10)
			begun := time.Now()
			stop := flood(t, n, subject(s), 1000)
			time.Sleep(time.Second)
			do(t, s, 400)
			if strings.HasPrefix(name, "batches") { // they would wait before those of others
				waitFor(t, func() bool { return told.has("that no coordinator waits for") })
			}
			stop()
			told.mu.Lock()
			defer told.mu.Unlock()
			if most := (atOnce + 1) * (2 + int(time.Since(begun)/countEach)); len(told.list) > most {
				t.Errorf("%d notices, the last is %q: want at most %d", len(told.list), told.list[len(told.list)-1], most)
			}
		})
	}
}

// Batches that nobody asks for do not fill the server for a day.
func TestBatchesThatNobodyWaitsForAreRemoved(t *testing.T) {
	t.Parallel()
	n, told := dial(t, Config{})
	join(t, n, upper)
	s := open(t, n, farm.Work{})
	do(t, s, 10)
	junk := make([]byte, 1<<19)
	for {
		if _, err := n.js.Publish(t.Context(), jobsSubject+"another-engine.killed", junk); err != nil {
			break // it is full
		}
	}
	do(t, s, 400)
	waitFor(t, func() bool { return told.has("that no coordinator waits for") })
	do(t, s, 400)
}

func TestNoticesOfAKindAreBounded(t *testing.T) {
	t.Parallel()
	var list notices
	c := Config{Notice: list.add}
	c.teller = &teller{to: c.Notice}
	for range 1000 {
		c.notice("refused: %s", strings.Repeat("long ", 1000))
	}
	c.notice("another")
	if n := len(list.list); n != atOnce+1 || len(list.list[0]) > 300 || !list.has("another") {
		t.Errorf("%d notices, the first of %d bytes: want %d and another, each of at most 300", n, len(list.list[0]), atOnce)
	}
	c.teller.end()
	if !list.has("and 980 more of the kind") {
		t.Errorf("the last notice is %q: want how many were left out", list.list[len(list.list)-1])
	}
}
