package natspool

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"kroo/farm"
)

// A server that comes back with other credentials does not take the coordinator back.
func TestAConnectionThatIsClosedForGoodEndsCalls(t *testing.T) {
	t.Parallel()
	token := file(t, "token", []byte("a-token-of-this-farm"))
	first, err := startServer(t.Context(), Config{Listen: "127.0.0.1:0", Credentials: token})
	if err != nil {
		t.Fatal(err)
	}
	address := first.url(false)
	n, err := Dial(t.Context(), Config{URL: address, Credentials: token})
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, n, farm.Work{})
	time.AfterFunc(100*time.Millisecond, func() {
		if err := first.stop(); err != nil {
			t.Error(err)
		}
		second, err := startServer(t.Context(), Config{Listen: strings.TrimPrefix(address, "nats://"), Credentials: file(t, "other", []byte("a-token-of-another-farm"))})
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() {
			if err := second.stop(); err != nil {
				t.Error(err)
			}
		})
	})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	const want = "is closed for good: nats: Authorization Violation"
	if err := s.do(ctx, tasks(3, nil)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v: want %q in it", err, want)
	}
	if _, err := n.begin(ctx, farm.Work{Engine: someEngine, Deadline: time.Minute}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a session opens with %v: want %q in it", err, want)
	}
	if err := n.Close(); err != nil {
		t.Error(err)
	}
}

// A line that breaks is no server that has lost its batches: they are not sent again,
// though the server has forgotten their names.
func TestBatchesThatTheServerHasAreNotSentAgain(t *testing.T) {
	t.Parallel()
	server, _ := dial(t, Config{})
	line := newSlowLine(t, server, 0)
	told := &notices{}
	n, err := Dial(t.Context(), Config{URL: line.url(), Notice: told.add})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	hold := make(chan struct{})
	join(t, server, func(ctx context.Context, task []byte) ([]byte, error) {
		<-hold
		return upper(ctx, task)
	})
	s := open(t, n, farm.Work{})
	jobs, err := server.js.Stream(t.Context(), jobsStream)
	if err != nil {
		t.Fatal(err)
	}
	config := jobs.CachedInfo().Config
	config.Duplicates = 100 * time.Millisecond
	if _, err := server.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(hold)
		batches := func() int {
			info, err := jobs.Info(t.Context())
			if err != nil {
				t.Error(err)
				return -1
			}
			return int(info.State.Msgs)
		}
		waitFor(t, func() bool { return batches() == aWorker*2 })
		time.Sleep(3 * config.Duplicates)
		line.down(0)
		waitFor(t, func() bool { return told.has("the server is back") })
		if got := batches(); got != aWorker*2 {
			t.Errorf("%d batches: want %d, each once", got, aWorker*2)
		}
	}()
	do(t, s, 20)
	if c := counts(s); c.Doubled != 0 {
		t.Errorf("%+v: want no task done twice", c)
	}
}

// Answers may be on their way, and a connection just back, when a session is closed.
func TestWhatComesAfterASessionIsDropped(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	s := open(t, n, farm.Work{})
	if err := s.ask(t.Context(), farm.Task{Data: []byte("task")}); err != nil {
		t.Fatal(err)
	}
	late := s.queue[0]
	s.close()
	s.refuse(ready{task: late, held: held{worker: "late"}}, context.Canceled)
	if f := s.pack(); f != nil {
		t.Errorf("batch %d is sent for nobody", f.id)
	}
	if err := s.restore(true); err != nil {
		t.Fatal(err)
	}
	found := answers{work: s.dig, worker: "late", list: make([]answer, 1)}
	if _, err := n.conn.Request(answersSubject+s.id, found.append(nil), time.Second); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("an answer was taken: error %v", err)
	}
	s.answered(found) // it was at hand
	if c := counts(s); c.Done+c.Doubled != 0 {
		t.Errorf("%+v: an answer was counted", c)
	}
}
