package natspool

import (
	"context"
	"strings"
	"testing"
	"time"

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
	address := first.url()
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
	const want = "was closed: nats: Authorization Violation"
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

// A line that breaks is no server that has lost its tasks: they are not published again.
func TestStoredTasksAreNotRepublished(t *testing.T) {
	t.Parallel()
	server, _ := dial(t, Config{})
	line := newSlowLine(t, server, 0)
	notes := &notices{}
	n, err := Dial(t.Context(), Config{URL: line.url(), Notice: notes.add})
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
	go func() {
		defer close(hold)
		waitFor(t, func() bool { return workers(n) == 1 && s.status().Queue == 20 })
		line.down(0)
		waitFor(t, func() bool { return notes.has("reconnected to the server") })
		time.Sleep(renewEvery + renewEvery/2)
	}()
	do(t, s, 20)
	if c := counts(s); c.Doubled+c.Reissued != 0 {
		t.Errorf("%+v: want no task done twice", c)
	}
}
