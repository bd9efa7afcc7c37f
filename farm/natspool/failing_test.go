package natspool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kroo/farm"
)

var errBroken = errors.New("no such\nfeature")

// A call ends when a task has failed as often as the server delivers it, at whatever workers.
func TestATaskThatAllFailAtEndsTheCall(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 3} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			t.Parallel()
			n, _ := dial(t, Config{})
			var tried atomic.Int32
			for range workers {
				join(t, n, func(ctx context.Context, task []byte) ([]byte, error) {
					if string(task) == "task 7" {
						tried.Add(1)
						return nil, errBroken
					}
					return upper(ctx, task)
				})
			}
			s := open(t, n, farm.Work{})
			err := s.do(t.Context(), tasks(20, anything))
			if err == nil || !strings.Contains(err.Error(), "task 7 failed 5 times, the last time on worker ") || !strings.Contains(err.Error(), ": no such feature") {
				t.Errorf("error %v", err)
			}
			if got := tried.Load(); got != maxTries {
				t.Errorf("it was tried %d times, want %d", got, maxTries)
			}
			do(t, open(t, n, farm.Work{}), 5) // the next session continues
		})
	}
}

// A task that kills its workers also ends the call, as soon as a worker is left to report it.
func TestATaskThatIsNeverAnsweredEndsTheCall(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	s := open(t, n, farm.Work{})
	ended := make(chan error, 1)
	go func() { ended <- s.do(t.Context(), tasks(1, anything)) }()
	c, err := n.js.Consumer(t.Context(), tasksStream, s.ID)
	if err != nil {
		t.Fatal(err)
	}
	for range maxTries {
		m, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Nak(); err != nil {
			t.Fatal(err)
		}
	}
	join(t, n, upper)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "task 0 failed 6 times, the last time on worker ") || !strings.Contains(err.Error(), "no worker that took it has answered") {
		t.Errorf("error %v", err)
	}
}

// An impossible answer is requested again; if a worker gives no other, the call ends.
func TestImpossibleAnswersAreRefused(t *testing.T) {
	t.Parallel()
	n, notes := dial(t, Config{})
	liar := join(t, n, func(context.Context, []byte) ([]byte, error) { return []byte("nonsense"), nil }, oneThread)
	s := open(t, n, farm.Work{})
	err := s.do(t.Context(), tasks(5, func(int, []byte) error { return farm.Refuse(errBroken) }))
	if err == nil || !strings.Contains(err.Error(), "failed 5 times, the last time on worker ") || !notes.has("answer refused: no such feature") {
		t.Errorf("error %v, notices %q", err, notes.list)
	}
	if _, err := liar(); err != nil {
		t.Errorf("the worker ends with %v", err)
	}
	join(t, n, upper)
	do(t, open(t, n, farm.Work{}), 50)
}

// A worker that fails at everything has nothing more to do than to fail, while the other
// is busy.
func TestABrokenWorkerDoesNotEndTheCall(t *testing.T) {
	t.Parallel()
	n, notes := dial(t, Config{})
	join(t, n, func(context.Context, []byte) ([]byte, error) { return nil, errBroken }, func(c *WorkerConfig) { c.longestPause = 0 })
	waitFor(t, func() bool { return workers(n) == 1 })
	busy := time.Now().Add(6 * time.Second)
	join(t, n, func(ctx context.Context, task []byte) ([]byte, error) {
		time.Sleep(time.Until(busy))
		return upper(ctx, task)
	}, func(c *WorkerConfig) { c.Threads = 1 })
	waitFor(t, func() bool { return workers(n) == 2 })
	s := open(t, n, farm.Work{})
	do(t, s, 8)
	if c := counts(s); c.Failed == 0 || !notes.has("failed: no such feature") {
		t.Errorf("%+v, notices %q: want failures", c, notes.list)
	}
}
